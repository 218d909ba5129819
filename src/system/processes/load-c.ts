import { dlopen, type FFIFunction } from "bun:ffi";

/** glibc, and musl on the machines that papa-yu runs on. */
const LIBRARIES: readonly string[] = [
  "libc.so.6",
  "libc.musl-x86_64.so.1",
  "libc.musl-aarch64.so.1",
];

/** Functions of Linux's C library that the runtime has no call for; undefined where it is not known. */
export function loadC<Functions extends Record<string, FFIFunction>>(functions: Functions) {
  if (process.platform !== "linux") return undefined;
  for (const library of LIBRARIES) {
    try {
      return dlopen(library, functions);
    } catch {
      // the other one
    }
  }
  return undefined;
}
