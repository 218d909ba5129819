import { Type } from "typebox";
import {
  asGate,
  asProgram,
  BY_PERSON,
  documented,
  FEWER,
  key,
  listed,
  MORE,
  NOT_TAKEN,
  ON,
  SMALLER,
  SMALLER_OR_0,
} from "./schema-facts.ts";
import { choice, flag, integer, table, texts } from "./schema-parts.ts";

/** What may happen without a question. */
export const Security = table("What may happen without a question, and what never", {
  autonomy: key(
    choice(
      "Effects are denied, need an approval, or need none",
      ["readonly", "supervised", "full"],
      "supervised",
    ),
    listed("readonly", "supervised", "full"),
    asGate(BY_PERSON, ["full"]),
  ),
  allowed_commands: key(
    texts(
      "Commands the shell tool may run",
      "ls cat grep find echo pwd git head tail wc".split(" "),
    ),
    FEWER,
    asProgram(BY_PERSON, "nowhere"),
  ),
  workspace_only: key(flag("Keep reads and commands inside the workspaces", true), ON, BY_PERSON),
  http_allowed_hosts: key(
    texts('Private hosts the HTTP tools may reach: exact, or ".suffix"'),
    FEWER,
    BY_PERSON,
  ),
  injection_check: key(
    documented(
      Type.Unsafe<boolean | "block" | "warn" | "review">({
        anyOf: [{ type: "boolean" }, { type: "string", enum: ["block", "warn", "review"] }],
      }),
      {
        description:
          "What is done about orders hidden in what is read: left out, marked, or only logged; true: warn; false: not looked for",
        default: true,
      },
    ),
    listed("block", "warn", true, "review", false),
    BY_PERSON,
  ),
  http_strip_threshold_kb: key(
    integer("Stripped HTML above this is extracted or cut; 0: no strip, raw body", 200, 0, 1024),
    NOT_TAKEN,
    BY_PERSON,
  ),
  protected_paths: key(
    texts("Globs added to the built-in list of protected paths"),
    MORE,
    BY_PERSON,
  ),
  sandbox: key(
    choice(
      "Sandbox of checks: where it works, always, or never",
      ["auto", "bwrap", "none"],
      "auto",
    ),
    listed("bwrap", "auto", "none"),
    BY_PERSON,
  ),
});

/** What processes may use up. */
export const Sandbox = table("What a check or a command may use up, with all it starts", {
  max_processes: key(integer("Most processes at once", 512, 16, 32_768), SMALLER, BY_PERSON),
  max_memory_mb: key(
    integer("Megabytes of memory; 0: half of the machine's", 0, 0, 10_000_000),
    SMALLER_OR_0,
    BY_PERSON,
  ),
  max_disk_mb: key(
    integer("Megabytes of disk over the start", 2048, 1, 10_000_000),
    SMALLER,
    BY_PERSON,
  ),
});
