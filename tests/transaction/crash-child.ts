import { systemClock } from "../../src/core/clock.ts";
import { silentLog } from "../../src/core/log.ts";
import { recover } from "../../src/transaction/recover.ts";
import { undo } from "../../src/transaction/undo.ts";
import { CRASH_ACTIONS } from "./crash-scene.ts";
import { applyActions, bunCheck, workspaceAt } from "./scene.ts";

/** Does one thing to a workspace and kills itself right after step `killAt`, from 1. */
const [root = "", task = "", killAt] = process.argv.slice(2);
const workspace = workspaceAt(root);
let steps = 0;
const onStep = (): void => {
  steps++;
  if (steps === Number(killAt)) process.kill(process.pid, "SIGKILL");
};

switch (task) {
  case "apply":
    await applyActions(workspace, CRASH_ACTIONS, { onStep });
    break;
  case "apply and fail":
    await applyActions(workspace, CRASH_ACTIONS, { onStep, checks: [bunCheck("process.exit(1)")] });
    break;
  case "undo": {
    const { signal } = new AbortController();
    await undo({ workspace, clock: systemClock, log: silentLog, signal, onStep });
    break;
  }
  case "recover":
    recover(workspace, { log: silentLog, onStep });
    break;
  default:
    throw new Error(`unknown task ${task}`);
}
