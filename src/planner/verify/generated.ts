import { shorten } from "../../core/cut-text.ts";
import { firstOf } from "../../core/few.ts";
import { describeExcess } from "../../system/limits.ts";
import {
  type Change,
  type ChangeSet,
  type CheckResult,
  type Generation,
  limitOf,
} from "../../transaction/change.ts";
import { buildChangeSet } from "../../transaction/change-set.ts";
import type { View } from "../../transaction/view/view.ts";
import type { GenerateCommand } from "../../workspace/checks/checks.ts";
import { joinAdded, withKept } from "./keep.ts";

/** Why there is no view. */
interface NoView {
  readonly kind: "none";
  readonly reason: string;
}

/** What lock files are made for, and how. */
export interface GenerateRequest {
  readonly changeSet: ChangeSet;
  readonly generators: readonly GenerateCommand[];
  /** Globs of what else they may write as part of it. */
  readonly keep: readonly string[];
  readonly mayWrite: (path: string) => boolean;
  /** Whether the owner lets them reach anything. */
  readonly hasHosts: boolean;
  readonly open: (changeSet: ChangeSet) => Promise<View | NoView>;
  /** Runs them in the view, one after another, up to the first that fails. */
  readonly run: (view: View, generators: readonly GenerateCommand[]) => Promise<Ran>;
  readonly signal: AbortSignal;
}

/** What running them came to. */
export interface Ran {
  readonly check: CheckResult;
  /** Hosts that the one that failed asked for and was not let through to. */
  readonly refused?: readonly string[];
  /** Those of them that nobody can open. */
  readonly closed?: readonly string[];
}

/** A change set with its lock files, and a view in which there is nothing else. */
export interface Generated {
  readonly kind: "open";
  readonly view: View;
  readonly changeSet: ChangeSet;
  /** What the commands added to it; undefined: nothing. */
  readonly added?: ChangeSet;
  /** Undefined: there was no command to run. */
  readonly generation?: Generation;
}

/**
 * Opens a view of a change set in which its lock files are made, for checks to go on in. What the
 * commands did besides is told and not part of it: then the view is another one, without that.
 */
export async function openGenerated(request: GenerateRequest): Promise<Generated | NoView> {
  const count = request.generators.length;
  if (count > MOST_COMMANDS) {
    const view = await request.open(request.changeSet);
    const reason = `this change needs ${count} such commands and ${MOST_COMMANDS} at most are run, so none was: generate in the configuration says which`;
    return view.kind === "none"
      ? view
      : { kind: "open", view, ...withoutLocks(request, reason).result };
  }
  const narrow = request.generators.filter(({ reads }) => reads !== undefined);
  const broad = request.generators.filter(({ reads }) => reads === undefined);
  const first = narrow.length > 0 ? narrow : broad;
  const made = await openMade({ ...request, generators: first });
  const isDone = narrow.length === 0 || broad.length === 0;
  if (isDone || made.kind === "none" || made.generation?.kind !== "made") return made;
  await made.view[Symbol.asyncDispose]();
  const more = await openMade({ ...request, changeSet: made.changeSet, generators: broad });
  if (more.kind === "none") return more;
  if (more.generation?.kind === "made") return joinMade(made, more);
  await more.view[Symbol.asyncDispose]();
  const view = await request.open(request.changeSet); // of commands of which one failed nothing is taken
  return view.kind === "none" ? view : { ...more, view, changeSet: request.changeSet };
}

/** As many as the configuration can name: of more, lock files would be made for a part of a change. */
const MOST_COMMANDS = 20;

/** What two kinds of commands made, one after the other, in the view of the second. */
function joinMade(one: Generated, other: Generated): Generated {
  const added = joinAdded(one.added, other.added);
  const { generation, ...rest } = other;
  if (one.generation?.kind !== "made" || generation?.kind !== "made") return other;
  return {
    ...rest,
    ...(added && { added }),
    generation: {
      kind: "made",
      commands: [...one.generation.commands, ...generation.commands],
      paths: [...new Set([...one.generation.paths, ...generation.paths])].toSorted(),
      leftOut: [...one.generation.leftOut, ...generation.leftOut],
    },
  };
}

/** The same of commands that all read manifests alone, or all need the sources. */
async function openMade(request: GenerateRequest): Promise<Generated | NoView> {
  const { changeSet, generators, open } = request;
  const shown = whatTheyNeed(changeSet, generators);
  const view = await open(shown);
  if (view.kind === "none") return view;
  if (generators.length === 0) return { kind: "open", view, changeSet };
  const made = await orClose(view, () => generateIn(view, request));
  const isWhole = shown === changeSet;
  if (made.isClean && isWhole) return { kind: "open", view, ...made.result };
  await view[Symbol.asyncDispose]();
  const fresh = await open(made.result.changeSet);
  return fresh.kind === "none" ? fresh : { kind: "open", view: fresh, ...made.result };
}

/**
 * The part of a change set that commands may see before anybody has said yes to it. Where all of them
 * read manifests alone it is those: whatever else a tool runs by its settings is as it was.
 */
function whatTheyNeed(changeSet: ChangeSet, generators: readonly GenerateCommand[]): ChangeSet {
  const reads = generators.map((command) => command.reads);
  if (reads.length === 0 || reads.some((each) => each === undefined)) return changeSet;
  const isFile = ({ kind }: Change) => kind !== "mkdir" && kind !== "rmdir";
  const files = changeSet.changes.filter(
    (change) => isFile(change) && reads.some((each) => each?.test(change.path)),
  );
  const folders = changeSet.changes.filter(
    ({ kind, path }) => kind === "mkdir" && files.some((file) => file.path.startsWith(`${path}/`)),
  );
  const part = [...folders, ...files];
  return part.length === changeSet.changes.length
    ? changeSet
    : buildChangeSet(part, changeSet.contents);
}

async function orClose<T>(view: View, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    await view[Symbol.asyncDispose]();
    throw error;
  }
}

/** What came of the commands; `isClean`: the view holds exactly that. */
interface Made {
  readonly result: Pick<Generated, "changeSet" | "added" | "generation">;
  readonly isClean: boolean;
}

async function generateIn(view: View, request: GenerateRequest): Promise<Made> {
  const { changeSet, generators, signal } = request;
  const ran = await request.run(view, generators);
  if (!ran.check.ok) return withoutLocks(request, reasonOf(ran.check), ran);
  const effects = await view.sideEffects(signal);
  signal.throwIfAborted();
  const locks = generators.flatMap((command) => command.locks);
  const globs = [...locks, ...request.keep];
  const kept = withKept(changeSet, effects, globs, request.mayWrite);
  const patterns = locks.map((glob) => new Bun.Glob(glob));
  const isLock = ({ path }: Pick<Change, "path">) => patterns.some((each) => each.match(path));
  const lost = [...effects.changes, ...effects.skipped].filter(isLock);
  const missing = lost.find(({ path }) => !kept.kept.has(path))?.path;
  if (effects.isCut) return withoutLocks(request, "it changed more than can be looked at");
  if (missing !== undefined) {
    return withoutLocks(request, `what it made of ${missing} fits in no change set`);
  }
  const deleted = effects.changes.find((change) => change.kind === "delete" && isLock(change));
  if (deleted && !effects.changes.some((each) => each.kind === "create" && isLock(each))) {
    return withoutLocks(request, `it deleted ${deleted.path}`);
  }
  const leftOut = [...effects.changes, ...effects.skipped.map(toOther)].filter(
    ({ path }) => !kept.kept.has(path),
  );
  const files = new Set(
    effects.changes.flatMap(({ kind, path }) => (kind === "mkdir" ? [] : [path])),
  );
  return {
    isClean: leftOut.length === 0,
    result: {
      changeSet: kept.changeSet,
      ...(kept.added && { added: kept.added }),
      generation: {
        kind: "made",
        commands: generators.map(({ argv }) => argv.join(" ")),
        paths: [...kept.kept].filter((path) => files.has(path)).toSorted(),
        leftOut: leftOut.map(({ path, kind }) => ({ path, kind, kept: false })),
      },
    },
  };
}

function toOther({ path }: { readonly path: string }) {
  return { path, kind: "other" } as const;
}

/** The change set as its author made it: of commands of which one failed nothing is taken. */
function withoutLocks(
  { changeSet, generators, hasHosts }: GenerateRequest,
  reason: string,
  ran?: Ran,
): Made {
  const failed = generators[(ran?.check.stages.length ?? generators.length) - 1];
  const programs = hasHosts && ran ? (failed?.programs ?? []) : [];
  return {
    isClean: false,
    result: {
      changeSet,
      generation: {
        kind: "failed",
        command: failed?.argv.join(" ") ?? "",
        reason,
        ...toHosts(ran),
        programs,
      },
    },
  };
}

/** A person opens what they were shown, and that is no long list. */
const MOST_HOSTS = 10;

function toHosts({ refused = [], closed = [] }: Partial<Ran> = {}) {
  let moreHosts = 0;
  const hosts = firstOf(refused, MOST_HOSTS).take((left) => {
    moreHosts = left;
  });
  return {
    hosts,
    ...(moreHosts > 0 && { moreHosts }),
    ...(closed.length > 0 && { closedHosts: closed }),
  };
}

/** Lines in which programs say what went wrong; what they say later is mostly where to read more. */
const SAYS_WHY = /\b(?:err(?:or)?|fail(?:ed|ure)?|cannot|could not|unable|denied|not found)\b/iu;
const MOST_LINES = 2;
const MOST_CHARS = 300;

function reasonOf({ stages }: CheckResult): string {
  const stage = stages.at(-1);
  if (!stage) return "nothing ran";
  if (stage.excess) return describeExcess(stage.excess);
  if (stage.timedOut) return `it timed out after ${limitOf(stage)} s (check_timeout_s)`;
  const lines = stage.output.split("\n").map((line) => line.trim());
  const said = lines.filter((line) => SAYS_WHY.test(line)).slice(0, MOST_LINES);
  const last = lines.findLast((line) => line !== "");
  const text = said.length > 0 ? said.join("; ") : (last ?? `exit ${stage.exitCode ?? "?"}`);
  return shorten(text, MOST_CHARS);
}
