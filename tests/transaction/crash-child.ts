import { systemClock } from "../../src/core/clock.ts";
import { recover } from "../../src/transaction/recover/recover.ts";
import { runTransaction } from "../../src/transaction/run/run.ts";
import { undo } from "../../src/transaction/undo/undo.ts";
import { silentLog } from "../support/silent-log.ts";
import { crashChangeSet } from "./crash-scene.ts";
import { bunCheck, requestFor, workspaceAt } from "./scene.ts";

/** Does one thing to a workspace and writes how it ended as JSON. */
const [root = "", task = ""] = process.argv.slice(2);
const workspace = workspaceAt(root);

async function work(): Promise<unknown> {
  switch (task) {
    case "apply":
      return runTransaction(requestFor(workspace, crashChangeSet(workspace)));
    case "apply and fail": {
      const checks = [bunCheck("process.exit(1)")];
      return runTransaction(requestFor(workspace, crashChangeSet(workspace), { checks }));
    }
    case "undo": {
      const { signal } = new AbortController();
      return undo({ workspace, clock: systemClock, log: silentLog, signal });
    }
    case "recover":
      return recover(workspace, { log: silentLog });
    default:
      throw new Error(`unknown task ${task}`);
  }
}

process.stdout.write(JSON.stringify(await work()));
