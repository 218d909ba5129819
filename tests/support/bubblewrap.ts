import { createSandbox } from "../../src/system/sandbox/sandbox.ts";

const state = await createSandbox({ mode: "auto", env: process.env, hidden: [] })();

/** Whether the sandbox works here; some containers forbid it. `.ci/run` installs it. */
export const hasBubblewrap = state.kind === "bwrap";
