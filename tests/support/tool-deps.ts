import { systemClock } from "../../src/core/clock.ts";
import { createMemoryStore } from "../../src/store/memories/memories.ts";
import { textsIn } from "../../src/texts/texts.ts";
import type { ToolDeps } from "../../src/tools/create.ts";
import { memoryStore } from "./fresh-store.ts";
import { routineService } from "./routine-service.ts";

/** What the tools of a turn work with: an empty memory, and a configuration looked for in `dir`. */
export function toolDeps(dir: string): ToolDeps {
  return {
    memories: createMemoryStore(memoryStore()),
    options: { cwd: dir, home: dir, env: {} },
    redact: (text) => text,
    texts: textsIn("en").config,
    now: () => 0,
    routines: async () => routineService([]),
    commands: {
      env: process.env,
      sandbox: async () => ({ kind: "none", reason: "switched off" }),
      clock: systemClock,
      allowed: [],
      workspaceOnly: true,
      hidden: [],
    },
  };
}
