import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { newId } from "../../src/core/ids.ts";
import type { Workspace } from "../../src/workspace/workspace.ts";
import { tempDir } from "../support/temp.ts";

/** When the newest trace of a scene began. */
export const NOW = Date.UTC(2026, 10, 21, 8);

/** A workspace with a folder of traces. */
export function createTraces() {
  const dir = tempDir();
  const folder = join(dir.path, ".papa-yu/traces");
  mkdirSync(folder, { recursive: true });
  const workspace: Workspace = {
    name: "notes",
    root: dir.path,
    check: "none",
    checkTimeoutMs: 1000,
    maxActions: 0,
    protectedPaths: [],
  };
  return {
    workspace,
    folder,
    /** Writes any text under a name, and gives the name back. */
    plant(name: string, text: string): string {
      writeFileSync(join(folder, name), text);
      return name;
    },
    /** Writes the trace of an apply `ageMs` ago and gives its id. */
    write(ageMs: number, fields: object = {}, id = newId("trace", NOW - ageMs)): string {
      writeFileSync(join(folder, `${id}.json`), JSON.stringify(applyTrace(ageMs, fields, id)));
      return id;
    },
    [Symbol.dispose]: () => dir[Symbol.dispose](),
  };
}

/** A trace of an apply that went well, `ageMs` ago. */
export function applyTrace(ageMs: number, fields: object = {}, id = "trace_1") {
  return {
    trace_id: id,
    event: "LLM_APPLY_OK",
    mode: "apply" as const,
    started_at: new Date(NOW - ageMs).toISOString(),
    ...fields,
  };
}
