import { identify } from "../workspace/identity.ts";
import type { Workspace } from "../workspace/workspace.ts";
import { findLeftovers, listUnknown } from "./journal/journal.ts";
import { closeCommand } from "./look-again.ts";

/**
 * What a person has to know about a workspace's state folder before anything is done there, one
 * sentence each: that it was moved, and that files may be half changed by something that only
 * they can decide on. What came with a folder from elsewhere is no reason to warn unasked.
 */
export function describeState(workspace: Workspace): readonly string[] {
  const { ledger, name } = workspace;
  if (!ledger) return [];
  const identity = identify(workspace, ledger);
  const moved =
    identity.kind === "moved"
      ? [`the workspace "${name}" was at "${identity.from}"; its history came along`]
      : [];
  const cutOff = listUnknown(workspace).items.filter(
    ({ why, claims }) => why === "unknown here" && claims?.outcome === undefined,
  );
  const asked = cutOff.map(
    ({ txId }) =>
      `${txId} was cut off in "${name}", and state.db knows nothing of it: files may be half changed; papayu recover --adopt ${txId} shows what would be put back, and asks`,
  );
  const elsewhere = findLeftovers(workspace).uncertain.map(
    ({ txId }) =>
      `${txId} was cut off at the path of "${name}", in what may be another folder: files may be half changed; papayu recover --adopt ${txId} shows what would be put back, and asks; to keep all as it is, ${closeCommand(workspace.root, txId)}`,
  );
  return [...moved, ...asked, ...elsewhere];
}
