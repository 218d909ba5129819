import { hideMemory } from "../processes/processes.ts";
import type { ProbeResult } from "./result.ts";

/** Whether a program of the same user, in no sandbox, reads what papa-yu's process holds. */
export function probeOwnMemory(): ProbeResult {
  const probe = {
    name: "daemon: its memory and environment, outside of a sandbox",
    expected: "out of reach",
    isEssential: false,
  };
  if (process.platform !== "linux") return { ...probe, found: "needs Linux", state: "untested" };
  if (process.getuid?.() === 0) {
    return { ...probe, found: "root reads every process", state: "untested" };
  }
  if (!hideMemory()) return { ...probe, found: "the C library was not found", state: "failed" };
  const files = ["environ", "maps", "mem"].map((name) => `/proc/${process.pid}/${name}`);
  const read = files.find((path) => Bun.spawnSync(["/bin/sh", "-c", `: <${path}`]).exitCode === 0);
  return read === undefined
    ? { ...probe, found: "refused", state: "ok" }
    : { ...probe, found: `reached: ${read}`, state: "failed" };
}
