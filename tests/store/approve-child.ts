import { createApprovalStore } from "../../src/store/approvals.ts";
import { openStore } from "../../src/store/open/open-database.ts";

/** Runs a call and never finishes it. */
const [, , path = ""] = process.argv;
createApprovalStore(openStore(path)).allow({
  approvalId: "call_1",
  sessionId: "s",
  userId: "u",
  tool: "run",
  argsJson: "{}",
  turnId: "t",
  createdAt: 1,
});
console.log("runs");
await Bun.stdin.text();
