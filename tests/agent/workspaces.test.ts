import { expect, test } from "bun:test";
import { mkdirSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import { createWorkspaces } from "../../src/agent/workspaces.ts";
import { tempDir } from "../support/temp.ts";
import { applyActions, workspaceAt } from "../transaction/scene.ts";

test("withTransaction() finds a change next to a workspace whose journals cannot be read", async () => {
  using dir = tempDir();
  mkdirSync(join(dir.path, "linked/.papa-yu"), { recursive: true });
  symlinkSync(dir.path, join(dir.path, "linked/.papa-yu/tx"));
  mkdirSync(join(dir.path, "good"));
  const resolve = (name = "") => workspaceAt(join(dir.path, name));
  const applied = await applyActions(resolve("good"), [{ kind: "CREATE_DIR", path: "new" }]);
  const workspaces = createWorkspaces(["linked", "good"], resolve);
  const txId = applied.ok ? applied.txId : "";
  expect(workspaces.withTransaction(txId)?.root).toBe(resolve("good").root);
  expect(workspaces.withTransaction("tx_0")).toBeUndefined();
});
