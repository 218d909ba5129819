import { readFileSync } from "node:fs";

const PS_TIMEOUT_MS = 2000;

/** A name that this process alone has: an id is given again, also after the machine's next start. */
export function nameProcess(): string {
  return nameOf(process.pid) ?? String(process.pid);
}

/** Whether the process of that name still runs, and is not this one. */
export function isNamedRunning(name: string): boolean {
  const pid = Number.parseInt(name, 10);
  return pid !== process.pid && nameOf(pid) === name;
}

/** Undefined when no process has that id, or only one that ended and was not reaped. */
function nameOf(pid: number): string | undefined {
  try {
    return `${pid}-${process.platform === "linux" ? readStart(pid) : askStart(pid)}`;
  } catch {
    return undefined;
  }
}

/** Ticks since the machine's start, and which start that was. */
function readStart(pid: number): string {
  const stat = readFileSync(`/proc/${pid}/stat`, "latin1");
  // The name in front may hold anything, a ")" as well.
  const fields = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
  if (fields[0] === "Z") throw new Error(`process ${pid} has ended`);
  const boot = readFileSync("/proc/sys/kernel/random/boot_id", "latin1");
  return `${fields[START_FIELD]}-${boot.slice(0, 8)}`;
}

/** `starttime` of proc(5), counted from the state on. */
const START_FIELD = 19;

function askStart(pid: number): string {
  const argv = ["ps", "-o", "lstart=", "-p", String(pid)];
  const { stdout } = Bun.spawnSync(argv, { timeout: PS_TIMEOUT_MS, stderr: "ignore" });
  const start = stdout.toString("latin1").replaceAll(/\W/gu, "");
  if (start === "") throw new Error(`no process ${pid}`);
  return start;
}
