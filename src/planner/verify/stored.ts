import {
  type Guard,
  type Guarded,
  isAny,
  isListOf,
  isMapOf,
  isNumber,
  isObject,
  isOneOf,
  isText,
  parseJsonAs,
} from "../../core/guards.ts";
import { sha256 } from "../../core/sha256.ts";
import type { VerificationStore } from "../../store/verifications.ts";
import {
  type Change,
  type ChangeSet,
  isCheckResult,
  isGeneration,
  isSideEffects,
} from "../../transaction/change.ts";
import { buildChangeSet, contentIdOf } from "../../transaction/change-set.ts";
import { composeChangeSets } from "../../transaction/compute/compute.ts";
import type { GenerateCommand } from "../../workspace/checks/checks.ts";
import { seenOf } from "../../workspace/fingerprint.ts";
import type { CheckCommand, Workspace } from "../../workspace/workspace.ts";
import type { Verification } from "./verification.ts";

/** Binds the hash of a folder's files to what is run on them, and how. */
export function bindFingerprint(
  files: string,
  { checkTimeoutMs, checkNetwork = false, keep = [], generateHosts = [] }: Workspace,
  commands: readonly CheckCommand[],
  generators: readonly GenerateCommand[],
): string {
  const run = [commands, checkTimeoutMs, checkNetwork, keep];
  const { seen, doubt } = seenOf(files);
  const made = generators.length > 0 ? [generators, generateHosts] : [];
  return sha256(JSON.stringify([seen, ...run, ...made])) + doubt;
}

/** Keeps what the checks of a plan's change set came to, for an approval whenever it comes. */
export function keepVerification(
  verifications: VerificationStore,
  planId: string,
  base: ChangeSet,
  { changeSet, added, fingerprint, ...result }: Verification,
  createdAt: number,
): void {
  verifications.save({
    planId,
    baseId: contentIdOf(base.changes),
    changeSetId: contentIdOf(changeSet.changes),
    fingerprint,
    resultJson: JSON.stringify(result),
    addedJson: added && JSON.stringify(toStoredSet(added)),
    createdAt,
  });
}

/**
 * What is known of exactly this change set of a plan, whatever the folder has become: whoever uses
 * it compares the fingerprint. Rows that do not lead to the change set that they name are none.
 */
export function loadVerification(
  verifications: VerificationStore,
  planId: string,
  base: ChangeSet,
): Verification | undefined {
  const stored = verifications.load(planId);
  if (stored?.baseId !== contentIdOf(base.changes)) return undefined;
  const { fingerprint, changeSetId, resultJson, addedJson } = stored;
  const result = parseJsonAs(resultJson, isResult);
  const addedSet = addedJson === undefined ? undefined : parseJsonAs(addedJson, isStoredSet);
  const added = addedSet && readStoredSet(addedSet);
  if (!result || (addedJson !== undefined && !added)) return undefined;
  const changeSet = added ? compose(base, added) : base;
  if (!changeSet || contentIdOf(changeSet.changes) !== changeSetId) return undefined;
  const { asked, kept = asked, ...rest } = result;
  return { ...rest, ...(kept && { kept }), changeSet, fingerprint, ...(added && { added }) };
}

function compose(base: ChangeSet, added: ChangeSet): ChangeSet | undefined {
  try {
    const composed = composeChangeSets(base, added);
    return composed.ok ? composed.changeSet : undefined;
  } catch {
    return undefined; // a row that somebody changed
  }
}

/** A change set as JSON, with the bytes that it has. */
export function toStoredSet({ changes, contents }: ChangeSet): StoredSet {
  const bytes = [...contents].map(([hash, each]) => [hash, Buffer.from(each).toString("base64")]);
  return { changes, contents: Object.fromEntries(bytes) };
}

/** The change set that was stored; undefined where bytes are not those that they are named for. */
export function readStoredSet(stored: StoredSet): ChangeSet | undefined {
  const contents = new Map<string, Uint8Array>();
  for (const [hash, text] of Object.entries(stored.contents)) {
    const bytes = Buffer.from(text, "base64");
    if (sha256(bytes) !== hash) return undefined;
    contents.set(hash, bytes);
  }
  return buildChangeSet(stored.changes, contents);
}

const isState = isObject(
  { sha256: isText, mode: isNumber, sizeBytes: isNumber },
  { special: isNumber, unlisted: isNumber },
);

const isChange: Guard<Change> = isAny(
  isObject({ kind: isOneOf("mkdir"), path: isText, mode: isNumber }),
  isObject({ kind: isOneOf("rmdir"), path: isText, mode: isNumber }, { special: isNumber }),
  isObject({ kind: isOneOf("create"), path: isText, after: isState }),
  isObject({ kind: isOneOf("update"), path: isText, before: isState, after: isState }),
  isObject({ kind: isOneOf("delete"), path: isText, before: isState }),
);

/** Whether what was stored is a change set. */
export const isStoredSet = isObject({ changes: isListOf(isChange), contents: isMapOf(isText) });

type StoredSet = Guarded<typeof isStoredSet>;

const isResult = isObject(
  {
    view: isOneOf("overlay", "clone", "copy"),
    check: isCheckResult,
    sideEffects: isSideEffects,
    judges: isListOf(isText),
  },
  {
    generation: isGeneration,
    kept: isListOf(isText),
    reached: isListOf(isText),
    /** What `kept` was called before. */
    asked: isListOf(isText),
  },
);
