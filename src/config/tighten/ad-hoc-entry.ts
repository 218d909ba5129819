import { basename } from "node:path";
import type { Config } from "../schema/schema.ts";

/** What the configuration's defaults say of a folder that it does not name. */
export function adHocEntry(root: string): Config["workspaces"][number] {
  return {
    name: basename(root),
    path: root,
    check: [],
    check_timeout_s: 120,
    check_network: false,
    max_actions: 0,
    check_when: "before",
    keep: [],
    generate: [],
    generate_hosts: [],
    on_failing_baseline: "ask",
  };
}
