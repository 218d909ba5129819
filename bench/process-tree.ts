import { readdirSync, readFileSync } from "node:fs";

/** USER_HZ on every Linux that Bun runs on. */
const MS_PER_TICK = 10;

/** What a process and all that it started cost so far; of what has ended, the processor time. */
export interface TreeCost {
  readonly cpuMs: number;
  readonly rssMb: number;
  /** The most that each of those that live ever had, added up. */
  readonly peakMb: number;
}

/** Looks at a process, its children and theirs. Linux only. */
export function measureTree(pid: number): TreeCost {
  const costs = [measureOne(pid), ...childrenOf(pid).map(measureTree)];
  const sum = (key: keyof TreeCost) => costs.reduce((all, cost) => all + cost[key], 0);
  return { cpuMs: sum("cpuMs"), rssMb: sum("rssMb"), peakMb: sum("peakMb") };
}

function measureOne(pid: number): TreeCost {
  const fields = read(`/proc/${pid}/stat`).split(") ").at(-1)?.split(" ") ?? [];
  // Its own in user and system mode, and that of the children it has waited for.
  const ticks = fields.slice(11, 15).reduce((all, field) => all + Number(field), 0);
  const status = read(`/proc/${pid}/status`);
  const megabytes = (name: string) =>
    Number(new RegExp(`^${name}:\\s+(\\d+) kB`, "mu").exec(status)?.[1] ?? 0) / 1024;
  return { cpuMs: ticks * MS_PER_TICK, rssMb: megabytes("VmRSS"), peakMb: megabytes("VmHWM") };
}

function childrenOf(pid: number): readonly number[] {
  return threadsOf(pid).flatMap((thread) =>
    read(`/proc/${pid}/task/${thread}/children`).split(" ").filter(Boolean).map(Number),
  );
}

function threadsOf(pid: number): readonly string[] {
  try {
    return readdirSync(`/proc/${pid}/task`);
  } catch {
    return []; // it has ended
  }
}

function read(path: string): string {
  try {
    return readFileSync(path, "utf8");
  } catch {
    return ""; // it has ended
  }
}
