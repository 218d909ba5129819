import type { OneAtATime } from "../../core/one-at-a-time.ts";
import { MOST_APPLY_REQUESTS } from "../../protocol/fallback.ts";
import type { Autonomy } from "../../security/policy.ts";
import { Refusal } from "../../texts/texts.ts";
import type { CheckResult, CheckStep, Generation } from "../../transaction/change.ts";
import { describeFailedCheck } from "../../transaction/last-check.ts";
import { findStale } from "../../transaction/run/run.ts";
import type { CheckedView } from "../../transaction/views.ts";
import { type ChangeDeps, isByPerson } from "../prepare/prepare.ts";
import {
  type Asked,
  askedMore,
  askedOf,
  checksOf,
  commandsOf,
  findUnseen,
  isExcused,
  keepVerification,
  loadVerification,
  mayCheckBefore,
  readFolderState,
  readNamed,
  type Verification,
  type VerifyDeps,
  verifyChangeSet,
  type Wanted,
  withAsked,
} from "../verify/verify.ts";
import type { AskedCorrection } from "./ask-for-correction.ts";
import { type Candidate, keepCandidate, loadCandidate, type Ready } from "./candidate.ts";
import { takeCorrection } from "./take-correction.ts";

export { beyondGoal, type Candidate, keepAdded, loadCandidate, type Ready } from "./candidate.ts";

/** What change sets are checked and made with. */
export interface TransactionDeps extends VerifyDeps {
  readonly autonomy: Autonomy;
}

/** What it takes to check a plan's change set, and to have it corrected. */
export interface CorrectDeps {
  readonly transactions: TransactionDeps;
  readonly changes: ChangeDeps;
  /** `agent.max_fix_rounds`; 0: what fails is not corrected. */
  readonly maxFixRounds: number;
  /** Checks and corrections of one plan wait for each other. */
  readonly oneAtATime: OneAtATime;
}

/** How the checks of a plan are waited for. */
export interface Waiting {
  readonly signal: AbortSignal;
  readonly onProgress?: (step: CheckStep) => void;
  /** What a person wants for this change set beyond the configuration. */
  readonly wanted?: Wanted;
}

/** What the checks came to of a change set, and what was corrected of it until then. */
export type Verified = Verification & Pick<CheckedView, "fixRounds" | "fixNotes">;

/** A candidate as far as it was corrected, and what its checks came to where they ran. */
export interface VerifiedCandidate {
  readonly candidate: Candidate;
  readonly verified?: Verified;
}

/** How the checks of a candidate are asked for. */
export interface Asking {
  /** Nobody has said yes to it: what fails is corrected. */
  readonly isOpen: boolean;
  /** What is known to have failed runs again: somebody wants it applied. */
  readonly isAgain: boolean;
}

/** What was found of exactly this change set before, whatever the folder has become. */
export function loadKnown(
  { verifications }: Pick<VerifyDeps, "verifications">,
  candidate: Candidate,
): Verified | undefined {
  const { plan, workspace, changeSet } = candidate;
  if (!mayCheckBefore(workspace)) return undefined;
  const known = loadVerification(verifications, plan.planId, changeSet);
  return known && withFixes(known, candidate);
}

/** The fingerprint of the folder as it is now, as the checks of a candidate would count for it. */
export async function readStateFor(
  { workspace, changeSet }: Candidate,
  known: Asked,
  signal: AbortSignal,
): Promise<string> {
  const commands = await commandsOf(workspace, changeSet);
  return readFolderState(withAsked(workspace, known), commands, signal);
}

/**
 * What the checks of a plan's change set come to, as it is known of exactly these files or from a new
 * run. With `isOpen` what fails and does not without the change is corrected by its author and checked again, a bounded number of times; nothing of the folder is
 * written. Every step is stored whole, so that whoever goes on later asks for none of them again.
 *
 * @throws AppError ERR_CHANGE_SET_STALE when files change in between; ERR_SANDBOX, or what the
 * signal was aborted with
 */
export function verifyCandidate(
  deps: CorrectDeps,
  ready: Ready,
  waiting: Waiting,
  { isOpen, isAgain }: Asking,
): Promise<VerifiedCandidate> {
  const { transactions, oneAtATime } = deps;
  const { verifications, autonomy } = transactions;
  return oneAtATime(ready.plan.planId, waiting.signal, async () => {
    let candidate = await loadCandidate(verifications, ready);
    if (autonomy === "readonly" || candidate.changeSet.changes.length === 0) return { candidate };
    let verified = await checkCandidate(transactions, candidate, waiting, { isAgain });
    const most = isOpen ? deps.maxFixRounds : 0;
    while (verified && wantsCorrection(candidate, verified, most)) {
      const corrected = await correct(deps, candidate, verified, waiting);
      const isAnother = corrected.changeSet.id !== candidate.changeSet.id;
      candidate = corrected;
      if (!isAnother) continue;
      verified = await checkCandidate(transactions, candidate, waiting, { before: verified });
    }
    return { candidate, ...(verified && { verified: withFixes(verified, candidate) }) };
  });
}

/** Whether something was found in the folder to check it with that its owner has not seen. */
export async function isUnseen(
  { verifications }: Pick<VerifyDeps, "verifications">,
  { workspace, changeSet }: Candidate,
): Promise<boolean> {
  return (await findUnseen(verifications.known, workspace, changeSet)).length > 0;
}

async function checkCandidate(
  deps: TransactionDeps,
  candidate: Candidate,
  waiting: Waiting,
  { isAgain = false, before = {} }: { readonly isAgain?: boolean; readonly before?: Asked },
): Promise<Verification | undefined> {
  const { plan, workspace, changeSet } = candidate;
  const known = loadKnown(deps, candidate);
  const { wanted, ...inTime } = waiting;
  const more = askedMore(known ?? askedOf(before), wanted);
  if (known !== undefined && (known.check.ok || !isAgain) && !more) {
    const now = await readStateFor(candidate, known, waiting.signal);
    if (now === known.fingerprint) return known;
  }
  const asked = more ?? askedOf(known ?? before);
  const found = (await isUnseen(deps, candidate))
    ? undefined
    : await verifyChangeSet(deps, { workspace: withAsked(workspace, asked), changeSet, ...inTime });
  const verification = found && { ...found, ...asked };
  const { verifications, clock } = deps;
  if (!verification) verifications.drop(plan.planId);
  else keepVerification(verifications, plan.planId, changeSet, verification, clock.now());
  return verification;
}

function withFixes(verification: Verification, { rounds, end, carried }: Candidate): Verified {
  const refused = rounds.flatMap((round) => (round.refused ? [round.refused] : []));
  const fixNotes = [...refused, ...(end ? [end] : [])];
  const fixRounds = rounds.length - refused.length;
  const generation = joinGeneration(carried?.generation, verification.generation);
  return { ...verification, ...(generation && { generation }), fixRounds, fixNotes };
}

/** What a series' commands made before parts of it were, and what those of its rest do. */
function joinGeneration(before?: Generation, now?: Generation): Generation | undefined {
  if (before?.kind !== "made" || now?.kind !== "made") return now ?? before;
  const paths = [...new Set([...before.paths, ...now.paths])].toSorted();
  return { ...now, paths };
}

function wantsCorrection(
  { plan, rounds, end }: Candidate,
  { check, generation }: Verification,
  mostRounds: number,
): boolean {
  if (isByPerson(plan)) return false; // no author made it
  if (generation?.kind === "failed") return false; // what is missing no author can write
  return !check.ok && !isExcused(check) && !end && rounds.length < mostRounds;
}

/** One correction: asked for, checked, stored, told in its trace. */
async function correct(
  deps: CorrectDeps,
  candidate: Candidate,
  { check }: Verification,
  { signal }: Waiting,
): Promise<Candidate> {
  const { transactions, changes } = deps;
  const { workspace, changeSet } = candidate;
  const isNamed = readNamed(workspace, await checksOf(workspace, changeSet));
  const { askForCorrection } = await import("./ask-for-correction.ts"); // most never need it
  const shown = maskCommands(check, transactions.redact); // the output is masked already
  const asked = await askForCorrection(changes, candidate, shown, signal);
  const { verdict, context } = asked;
  const next: Candidate = verdict.ok
    ? takeCorrection(candidate, verdict.value.changeSet, { isNamed, ...context })
    : { ...candidate, end: { why: "failed", code: verdict.code } };
  trace(deps, asked, candidate, next, describeFailedCheck(check));
  signal.throwIfAborted(); // as if it had never been asked
  const kept = await keepCandidate(transactions.verifications, next);
  assertFits(kept);
  return kept;
}

function maskCommands(check: CheckResult, redact: (text: string) => string): CheckResult {
  const stages = check.stages.map((stage) => {
    return { ...stage, name: redact(stage.name), command: stage.command.map(redact) };
  });
  return { ...check, stages };
}

function trace(
  { changes: { records }, maxFixRounds, transactions: { log } }: CorrectDeps,
  { verdict, context, ...call }: AskedCorrection,
  before: Candidate,
  after: Candidate,
  failedCheck: string,
): void {
  const { plan, workspace, changeSet } = before;
  const { seen, whole } = context;
  const isTaken = after.changeSet.id !== changeSet.id;
  const note = isTaken ? undefined : (after.end ?? after.rounds.at(-1)?.refused);
  const fix = {
    round: before.rounds.length + 1,
    most_rounds: maxFixRounds,
    requests: call.record.requests,
    most_requests: MOST_APPLY_REQUESTS,
    failed_check: failedCheck,
    failed_change_set_id: changeSet.id,
    ...(isTaken && { change_set_id: after.changeSet.id }),
    ...(note && { not_taken: note.why }),
  };
  const answer = verdict.ok ? { ok: true as const, value: verdict.value.response } : verdict;
  const { contextStats } = plan;
  records.trace(workspace, {
    ...call,
    verdict: answer,
    contextStats,
    shown: { mode: "apply", seen, whole, fix },
  });
  const { round, requests } = fix;
  const fields = { plan_id: plan.planId, round, requests, change_set_id: after.changeSet.id };
  log("CHANGE_SET_CORRECTED", { ...fields, not_taken: note?.why });
}

/** Nothing is checked of which a part was made for other files. */
function assertFits({ workspace, changeSet }: Candidate): void {
  const [path] = findStale(workspace, changeSet);
  if (path === undefined) return;
  throw new Refusal("ERR_CHANGE_SET_STALE", ({ fixOutdated }) => fixOutdated(path));
}
