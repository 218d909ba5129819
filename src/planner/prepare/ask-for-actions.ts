import type { ErrorCode } from "../../core/error-codes.ts";
import { normalisePath } from "../../core/relative-path.ts";
import { fallbackVersion, MOST_APPLY_REQUESTS } from "../../protocol/fallback.ts";
import type { ModelResponse } from "../../protocol/response.ts";
import { type ProtocolVersion, versionName } from "../../protocol/version.ts";
import type { ChatMessage } from "../../providers/provider.ts";
import type { ChangeSet } from "../../transaction/change.ts";
import {
  type AnswerDeps,
  answerWithRepair,
  type CallRecord,
  type Rejection,
  type Verdict,
} from "../answer.ts";
import { type Block, filesSeenWhole, readFileBlock, renderBlocks } from "../context/context.ts";
import { type ApplyContext, evaluateApply } from "../evaluate/evaluate.ts";
import { fallbackNote } from "../prompts/prompts.ts";

/** What is to become actions. */
interface Wanted {
  readonly goal: string;
  /** The request for them; `note` says what an answer under a higher version ran into. */
  readonly toMessages: (version: ProtocolVersion, note?: string) => readonly ChatMessage[];
}

/** An answer that may be shown and run, and the change set it gives. */
export interface Answered {
  readonly response: ModelResponse;
  readonly changeSet: ChangeSet;
  /** Files that were shown whole under lower versions. */
  readonly wholeFiles: readonly string[];
}

/**
 * Asks for the actions that are wanted: under the version of the context, repaired once, and where patches or
 * edits do not fit, under the next lower version, down to whole files. Every request of it counts
 * against one bound.
 */
export async function askForActions(
  deps: AnswerDeps,
  { goal, toMessages }: Wanted,
  context: ApplyContext,
  record: CallRecord,
  signal: AbortSignal,
): Promise<Verdict<Answered>> {
  const { workspace } = context;
  let attempt = context;
  let note: string | undefined;
  let wholeFiles: readonly string[] = [];
  for (;;) {
    const { version } = attempt;
    const messages = toMessages(version, note);
    const request = {
      mode: "apply",
      goal,
      version,
      workspace,
      messages,
      signal,
    } as const;
    const evaluate = evaluateUnder(attempt);
    const verdict = await answerWithRepair(deps, request, evaluate, record);
    if (verdict.ok) return { ok: true, value: { ...verdict.value, wholeFiles } };
    const cause = findCause(verdict, version, record);
    const next = cause && fallbackVersion(cause, version);
    if (!deps.fallback || !cause || !next || record.requests >= MOST_APPLY_REQUESTS) return verdict;
    const files = await readFiles(verdict, record, context);
    stepDown(deps, { ...verdict, code: cause }, version, next, record);
    wholeFiles = filesSeenWhole(files);
    attempt = { ...context, version: next, whole: context.whole.concat(wholeFiles) };
    note = fallbackNote(verdict.message, renderBlocks(files, deps));
  }
}

/**
 * The fault that a lower version may get around: the one that is named, one beside it, or the one
 * that the repair was for, whatever became of that. None where no answer of this kind would do.
 */
function findCause(
  { code, problems = [], instruction }: Rejection,
  version: ProtocolVersion,
  { repair }: CallRecord,
): ErrorCode | undefined {
  const beside =
    instruction === undefined ? [] : [...problems.map((each) => each.code), repair.now];
  return [code, ...beside].find((each) => each && fallbackVersion(each, version) !== undefined);
}

function evaluateUnder(context: ApplyContext) {
  return (text: string) => evaluateApply(text, context);
}

function stepDown(
  { log }: AnswerDeps,
  { code, stage = "preview" }: Rejection,
  from: ProtocolVersion,
  to: ProtocolVersion,
  record: CallRecord,
): void {
  log("PROTOCOL_FALLBACK", { from: versionName(from), to: versionName(to), reason: code });
  record.fallback ??= { reason: code, stage };
  record.attempts.push(to);
  record.repair.now = undefined;
  record.repair.paths = [];
}

/** The files that the faults are about, whole: those that the plan has shown, and as it has. */
async function readFiles(
  { problems = [] }: Rejection,
  { repair }: CallRecord,
  { workspace, seen }: ApplyContext,
): Promise<readonly Block[]> {
  const named = [...problems.map(({ path }) => path), ...repair.paths];
  const paths = new Set(named.flatMap((path) => toShown(path, seen)));
  const blocks = await Promise.all([...paths].map((path) => readFileBlock(workspace, path, 0)));
  return blocks.filter(({ path = "", sha256, body }) => {
    return sha256 !== undefined && sha256 === seen[path] && body.length <= MOST_FILE_CHARS;
  });
}

/** Models write `./a.ts` for what was shown as `a.ts`. */
function toShown(path: string, seen: ApplyContext["seen"]): readonly string[] {
  const normal = normalisePath(path);
  return normal.ok && Object.hasOwn(seen, normal.path) ? [normal.path] : [];
}

/** A longer file cannot be written out whole by an answer of usual length. */
const MOST_FILE_CHARS = 60_000;
