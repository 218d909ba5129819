import { join } from "node:path";
import { BUILD, LAUNCH_FLAGS } from "./own.ts";

/** Programs of their own, by name: where their source is, from the folder of the sources. */
export const OWN_PROGRAMS = {
  "doctor-child": "cli/inspect/doctor-child.ts",
  "tend-child": "store/tend/tend-child.ts",
  "door-inside": "system/sandbox/door-inside.ts",
  "probe-inside": "system/probes/probe-inside.ts",
} as const;

/** What it is called. */
export type ProgramName = keyof typeof OWN_PROGRAMS;

/** Whether there is such a program. */
export function isOwnProgram(name: string): name is ProgramName {
  return Object.hasOwn(OWN_PROGRAMS, name);
}

/** How one of papa-yu's own programs is called. */
export interface OwnProgram {
  readonly argv: readonly string[];
  /** Files and folders besides the first of `argv` that it is read from. */
  readonly readFrom: readonly string[];
}

/** The argument that has the single file be another program than `papayu`. */
export const AS_PROGRAM = "--as-program";

/** How to call `papayu` again, as it was called. */
export function ownCommand(): readonly string[] {
  const program = process.execPath;
  return BUILD?.form === "single" ? [program] : [program, ...LAUNCH_FLAGS, Bun.main];
}

/** How to call another program of ours with what papa-yu itself runs on, whichever form it has. */
export function ownProgram(name: ProgramName): OwnProgram {
  const program = process.execPath;
  if (BUILD?.form === "single") return { argv: [program, AS_PROGRAM, name], readFrom: [] };
  // What is built lies in one folder, this module, too.
  const folder = BUILD ? import.meta.dir : join(import.meta.dir, "../..");
  const file = join(folder, BUILD ? `${name}.js` : OWN_PROGRAMS[name]);
  return { argv: [program, ...LAUNCH_FLAGS, file], readFrom: [folder] };
}
