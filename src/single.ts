import { AS_PROGRAM, isOwnProgram, type ProgramName } from "./system/own/programs.ts";

// Where everything is one file, it is papayu, and each program that papayu starts to help it.
const PROGRAMS = {
  "doctor-child": () => import("./cli/inspect/doctor-child.ts"),
  "tend-child": () => import("./store/tend/tend-child.ts"),
  "door-inside": () => import("./system/sandbox/door-inside.ts"),
  "probe-inside": () => import("./system/probes/probe-inside.ts"),
} as const satisfies Readonly<Record<ProgramName, () => Promise<unknown>>>;

const [flag, name = ""] = process.argv.slice(2);
if (flag === AS_PROGRAM && isOwnProgram(name)) {
  process.argv.splice(2, 2);
  void PROGRAMS[name]();
} else {
  void import("./main.ts");
}
