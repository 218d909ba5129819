import { read } from "bun:ffi";
import { getSystemErrorMap } from "node:util";

/** What the call of the C library before failed with, by the place of its `errno`. */
export function readErrno(errnoAt: Parameters<typeof read.i32>[0] | null): number {
  return errnoAt === null ? 0 : read.i32(errnoAt, 0);
}

/** The same as the calls of the runtime throw it. */
export function toSystemError(errno: number, call: string): Error & { readonly code: string } {
  const [code = "EIO", reason = "it was refused"] = getSystemErrorMap().get(-errno) ?? [];
  return Object.assign(new Error(`${code}: ${reason}, ${call}`), { code });
}
