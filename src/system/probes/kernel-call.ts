import { read } from "bun:ffi";
import { loadC } from "../processes/processes.ts";

/** Numbers on x64 and on arm64. */
const NUMBERS = {
  socket: [41, 198],
  keyctl: [250, 219],
  syslog: [103, 116],
  io_uring_setup: [425, 425],
  kill: [62, 129],
  ptrace: [101, 117],
  ioctl: [16, 29],
} as const;

/** Calls the kernel by number: what it answers, or the error as a negative number. */
export function kernelCall(
  name: keyof typeof NUMBERS,
  args: readonly number[],
): number | undefined {
  const { arch } = process;
  const library = arch === "x64" || arch === "arm64" ? openLibrary() : undefined;
  if (!library) return undefined;
  const number = NUMBERS[name][arch === "x64" ? 0 : 1];
  const [a = 0, b = 0, c = 0, d = 0] = args;
  const result = Number(
    library.syscall(BigInt(number), BigInt(a), BigInt(b), BigInt(c), BigInt(d)),
  );
  const place = library.__errno_location();
  return result >= 0 || place === null ? result : -read.i32(place, 0);
}

function openLibrary() {
  return loadC({
    syscall: { args: ["i64", "i64", "i64", "i64", "i64"], returns: "i64" },
    __errno_location: { args: [], returns: "ptr" },
  })?.symbols;
}
