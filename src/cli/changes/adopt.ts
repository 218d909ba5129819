import type { AgentCore } from "../../agent/deps.ts";
import { AppError } from "../../core/app-error.ts";
import { shorten } from "../../core/cut-text.ts";
import { toVisibleText } from "../../core/visible-text.ts";
import type { Change } from "../../transaction/change.ts";
import type { ForeignReason } from "../../transaction/journal/journal.ts";
import { renderDiff, viewChanges } from "../../transaction/preview.ts";
import { type Adoption, type AdoptResult, adopt } from "../../transaction/undo/adopt.ts";
import type { Workspace } from "../../workspace/workspace.ts";
import { confirm } from "../ask-yes-no.ts";
import type { CliContext } from "../context.ts";

/** Most characters of a diff that are shown; the files and their counts are shown all the same. */
const MOST_DIFF_CHARS = 20_000;

/** What each is, for the person who decides. */
export const FOREIGN_REASONS: Readonly<Record<ForeignReason, string>> = {
  "unknown here": "this home made it, but its state.db knows nothing of it",
  "other key": "another home made it, or this one with a key that is lost",
  "older version": "made by an earlier papa-yu, or put there by anybody",
  "other folder": "this home began it at this path, in a folder that this one may not be",
  damaged: "what is there is no whole journal",
};

/**
 * `papayu recover --adopt TX`: shows what a transaction from elsewhere leads to, and makes it
 * this home's own after a yes; undefined after a no.
 *
 * @throws AppError ERR_ADOPT, CONFIRM_REQUIRED, denied under readonly
 */
export async function adoptTransaction(
  { security, clock, log }: AgentCore,
  workspace: Workspace,
  txId: string,
  isYes: boolean,
  context: CliContext,
): Promise<AdoptResult | undefined> {
  if (security.autonomy === "readonly") {
    const message = "Cannot adopt: security.autonomy is readonly; set it to supervised to allow it";
    throw new AppError("denied", message);
  }
  const request = { workspace, txId, clock, log, signal: context.signal };
  const asked = await adopt(request);
  if (asked.kind !== "asked") return asked;
  const question = "Adopt this transaction?";
  const what = { action: `adopt "${txId}"`, question, text: renderAdoption(asked.adoption) };
  if (!(await confirm(what, isYes, context))) return undefined;
  const done = await adopt({ ...request, approved: asked.adoption.id });
  if (done.kind !== "asked") return done;
  const message = `Cannot adopt "${txId}": files changed since it was shown; look at it again`;
  throw new AppError("ERR_CHANGE_SET_STALE", message);
}

/** Files, modes, counts and the diff of what going back would do. */
function renderAdoption({ txId, why, claims, changeSet, conflicts }: Adoption): string {
  const { header, outcome } = claims;
  const state = outcome === undefined ? "cut off in the middle" : outcome.status;
  const effect =
    outcome === undefined
      ? "Adopting it puts back, now:"
      : "Adopting it makes it history; an undo of it would do this:";
  const counts = new Map(viewChanges(changeSet).map((view) => [view.path, view]));
  const files = changeSet.changes.map((change) => {
    const { added = 0, removed = 0 } = counts.get(change.path) ?? {};
    return `  ${change.kind} ${change.path}  +${added} -${removed}  ${describeMode(change)}`;
  });
  const left = conflicts.map(({ path, reason }) => `  leaves ${path}: ${reason}`);
  const diff = renderDiff(changeSet);
  const cut = diff.length > MOST_DIFF_CHARS ? "\nthe diff goes on" : "";
  const lines = [
    `${txId}: ${FOREIGN_REASONS[why]}`,
    `It says: ${header.kind} of "${header.summary}", ${new Date(header.at).toISOString()}, ${state}`,
    effect,
    ...(files.length + left.length === 0 ? ["  nothing"] : [...files, ...left]),
    "",
    shorten(diff, MOST_DIFF_CHARS) + cut,
  ];
  return toVisibleText(lines.join("\n"));
}

function describeMode(change: Change): string {
  if (change.kind === "mkdir" || change.kind === "rmdir") return `mode ${octal(change.mode)}`;
  const from = "before" in change ? octal(change.before.mode) : "none";
  const to = "after" in change ? octal(change.after.mode) : "none";
  return from === to ? `mode ${to}` : `mode ${from} → ${to}`;
}

function octal(mode: number): string {
  return mode.toString(8).padStart(4, "0");
}
