import { createSandbox } from "../../src/system/sandbox/sandbox.ts";
import { needs, onceOf } from "./needs.ts";

const sandbox = createSandbox({ mode: "auto", env: process.env, hidden: [] });

/** Whether the sandbox works here; some containers forbid it. `.ci/run` installs it. */
export const hasBubblewrap = needs(
  "bubblewrap that works (apt-get install bubblewrap)",
  await onceOf(async () => (await sandbox()).kind === "bwrap"),
);
