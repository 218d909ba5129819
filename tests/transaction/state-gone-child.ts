import { runTransaction } from "../../src/transaction/run/run.ts";
import { ledgerAt } from "../support/ledger.ts";
import { requestFor, workspaceAt } from "./scene.ts";
import { changesOf, isKind } from "./state-gone-scene.ts";

/** Makes one kind of change and ends by a kill at one of its steps. */
const [root = "", home = "", kind = "", stopAt = ""] = process.argv.slice(2);
if (!isKind(kind)) throw new Error(`unknown kind ${kind}`);
const workspace = { ...workspaceAt(root), ledger: ledgerAt(home) };

await runTransaction(
  requestFor(workspace, changesOf(workspace, kind), {
    onStep(step) {
      if (step === stopAt) process.kill(process.pid, "SIGKILL");
    },
  }),
);
