import { readFileSync } from "node:fs";

/**
 * Whether whoever started this process wants it to outlive its terminal, as nohup does: SIGHUP is
 * ignored then, until somebody listens for it. Where the system does not say so, nohup shows in that
 * no output is a terminal.
 */
export function ignoresHangUp(hasTerminal: boolean): boolean {
  try {
    const [, ignored] = /^SigIgn:\s*([0-9a-f]+)$/m.exec(readFileSync(STATUS, "utf8")) ?? [];
    if (ignored !== undefined) return (BigInt(`0x${ignored}`) & HANG_UP) !== 0n;
  } catch {
    // no Linux
  }
  return !hasTerminal;
}

const STATUS = "/proc/self/status";
/** The first of the signals. */
const HANG_UP = 1n;
