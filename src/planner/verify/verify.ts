import type { TellCounted } from "../../core/few.ts";
import { newId } from "../../core/ids.ts";
import { keepLooks } from "../../system/run/run.ts";
import type { SandboxDoor, SandboxState } from "../../system/sandbox/sandbox.ts";
import type { ChangeSet, CheckResult, CheckStep } from "../../transaction/change.ts";
import { runChecks } from "../../transaction/check.ts";
import { keepShown } from "../../transaction/last-check.ts";
import { withModesNow } from "../../transaction/run/run.ts";
import { openView, type View } from "../../transaction/view/view.ts";
import { type GenerateCommand, resolveChecks } from "../../workspace/checks/checks.ts";
import { readFingerprint } from "../../workspace/fingerprint.ts";
import { resolvePath } from "../../workspace/path-guard/path-guard.ts";
import type { CheckCommand, Workspace } from "../../workspace/workspace.ts";
import { keepBaseline, runBaseline } from "./baseline.ts";
import { openGenerated } from "./generated.ts";
import { joinAdded, withKept } from "./keep.ts";
import { noteTimes } from "./known-checks.ts";
import { readNamed } from "./named-by-checks.ts";
import { generatorsOf, runGenerators } from "./run-generators.ts";
import { bindFingerprint } from "./stored.ts";
import { touchedChecks } from "./touched-checks.ts";
import type { FolderCheck, Verification, VerifyDeps, VerifyRequest } from "./verification.ts";

export { type Asked, askedMore, askedOf, listUnmet, type Wanted, withAsked } from "./asked.ts";
export { isExcused } from "./baseline.ts";
export {
  describeChecks,
  findUnseen,
  noteApproved,
  noteSeen,
  noteShown,
  noteTimes,
} from "./known-checks.ts";
export { type IsNamed, readNamed } from "./named-by-checks.ts";
export { skippedIn } from "./run-generators.ts";
export {
  isStoredSet,
  keepVerification,
  loadVerification,
  readStoredSet,
  toStoredSet,
} from "./stored.ts";
export { touchedChecks } from "./touched-checks.ts";
export { untilStill } from "./until-still.ts";
export type { FolderCheck, Verification, VerifyDeps, VerifyRequest } from "./verification.ts";

/**
 * Runs the checks of a folder on a change set in a view of that folder, which is not written. The
 * commands are those of the folder as it is. Undefined where there is nothing to run or nothing to
 * run it in: then the checks run after the swap, as they do with `check_when = "after"`.
 *
 * @throws AppError ERR_SANDBOX, or what the signal was aborted with
 */
export async function verifyChangeSet(
  deps: VerifyDeps,
  request: VerifyRequest,
): Promise<Verification | undefined> {
  const { workspace, signal, onProgress } = request;
  const changeSet = withModesNow(workspace, request.changeSet);
  const { checks: commands, generators } = await commandsOf(workspace, changeSet);
  const isIdle = commands.length === 0 && generators.length === 0;
  if (!mayCheckBefore(workspace) || isIdle) return undefined;
  const sandbox = await deps.sandbox();
  if (!isTight(sandbox)) return undefined;
  const named = { checks: commands, generators };
  const fingerprint = await readFolderState(workspace, named, signal, onProgress);
  const run = { workspace, signal, onProgress };
  const hosts = workspace.generateHosts ?? [];
  const { env } = deps;
  const found = await openGenerated({
    changeSet,
    generators,
    keep: workspace.keep ?? [],
    mayWrite: mayWriteIn(workspace),
    open: (whole) => openIn(deps, { ...request, changeSet: whole }, sandbox),
    hasHosts: hosts.length > 0,
    run: (view, some) =>
      runGenerators(some, { hosts, env, log: deps.log }, (generating) =>
        runIn(deps, view, sandbox, { ...run, ...generating }),
      ),
    signal,
  });
  if (found.kind === "none") return undefined;
  await using view = found.view;
  const { generation, changeSet: whole } = found;
  const check = await runIn(deps, view, sandbox, { ...run, commands });
  const effects = await view.sideEffects(signal, whole);
  signal.throwIfAborted();
  const kept = check.ok
    ? withKept(whole, effects, workspace.keep ?? [], mayWriteIn(workspace))
    : { changeSet: whole, kept: new Set<string>() };
  const added = joinAdded(found.added, "added" in kept ? kept.added : undefined);
  if (check.ok) await view.keep(kept.changeSet.id); // when it is committed
  const compared = check.ok
    ? check
    : { ...check, ...(await baselineOf(deps, request, { sandbox, commands, check, fingerprint })) };
  return {
    view: view.kind,
    check: compared,
    sideEffects: [
      ...effects.changes.map(({ path, kind }) => ({ path, kind, kept: kept.kept.has(path) })),
      ...effects.skipped.map(({ path }) => ({ path, kind: "other", kept: false }) as const),
    ],
    judges: touchedChecks(changeSet, readNamed(workspace, commands)),
    changeSet: kept.changeSet,
    ...(added && { added }),
    ...(generation && { generation }),
    fingerprint,
  };
}

/** Nobody has said yes to what a change set runs: it reaches nothing outside of its view. */
export function mayCheckBefore({ checkWhen, checkNetwork = false }: Workspace): boolean {
  return checkWhen !== "after" && !checkNetwork;
}

/** Whether checks of a folder can run before a question, as far as that is known without a try. */
export async function canCheckBefore(
  { sandbox }: Pick<VerifyDeps, "sandbox">,
  workspace: Workspace,
): Promise<boolean> {
  return mayCheckBefore(workspace) && isTight(await sandbox());
}

function isTight(sandbox: SandboxState): boolean {
  return sandbox.kind === "bwrap" && sandbox.gaps.every((gap) => BEARABLE_GAPS.has(gap));
}

/** Gaps of a sandbox that give a command no way out of it. */
const BEARABLE_GAPS: ReadonlySet<string> = new Set([
  "system calls are not filtered",
  "private folders are bounded only by a watcher: bubblewrap is too old",
]);

/** Runs all checks of a folder as it is, in a view, and keeps what they came to. */
export async function checkFolder(
  deps: VerifyDeps,
  { workspace, signal, onProgress }: Omit<VerifyRequest, "changeSet">,
): Promise<FolderCheck> {
  const commands = await resolveChecks(workspace);
  const sandbox = await deps.sandbox();
  const fingerprint = await readFolderState(workspace, { checks: commands }, signal, onProgress);
  const found = await openIn(deps, { workspace, signal }, sandbox);
  if (found.kind === "none") return found;
  await using view = found;
  const check = await runIn(deps, view, sandbox, { workspace, commands, signal, onProgress });
  const ran = commands.slice(0, check.stages.length);
  if (ran.length > 0) keepBaseline(deps, { workspace, commands: ran, fingerprint }, check);
  await view.keep(); // nothing of a change set is in it
  keepShown(deps, workspace, { check });
  return { kind: view.kind, check };
}

/** The checks of a change set, as the folder says before it: those of what it changes come first. */
export function checksOf(
  workspace: Workspace,
  { changes }: ChangeSet,
): Promise<readonly CheckCommand[]> {
  const changed = changes.filter(({ kind }) => kind === "create" || kind === "update");
  return resolveChecks(workspace, { changed: changed.map(({ path }) => path) });
}

/** What runs for a change set before anybody is asked. */
export interface Commands {
  readonly checks: readonly CheckCommand[];
  /** What makes its lock files. */
  readonly generators?: readonly GenerateCommand[];
}

/** All that runs for a change set; the generators are those of its manifests. */
export async function commandsOf(
  workspace: Workspace,
  changeSet: ChangeSet,
): Promise<Required<Commands>> {
  const checks = await checksOf(workspace, changeSet);
  return { checks, generators: await generatorsOf(workspace, changeSet) };
}

/** The files of a folder that are not ignored, and what is run on them, as one hash. */
export async function readFolderState(
  workspace: Workspace,
  { checks, generators = [] }: Commands,
  signal: AbortSignal,
  tell?: TellCounted,
): Promise<string> {
  const files = await readFingerprint(workspace.root, signal, undefined, true, { tell });
  return bindFingerprint(files, workspace, checks, generators);
}

function openIn(
  { viewsDir, env }: VerifyDeps,
  {
    workspace,
    changeSet,
    signal,
  }: Partial<Pick<VerifyRequest, "changeSet">> & Pick<VerifyRequest, "workspace" | "signal">,
  sandbox: SandboxState,
) {
  return openView({ workspace, viewsDir, sandbox, env, signal, ...(changeSet && { changeSet }) });
}

interface ChecksToRun {
  readonly workspace: Workspace;
  readonly commands: readonly CheckCommand[];
  readonly signal: AbortSignal;
  readonly onProgress: ((step: CheckStep) => void) | undefined;
  /** What is laid over the environment of the commands, given where tools may keep things. */
  readonly variables?: (cache: string) => Readonly<Record<string, string>>;
  readonly door?: SandboxDoor;
}

async function runIn(
  { env, redact, verifications }: VerifyDeps,
  view: View,
  sandbox: SandboxState,
  { workspace, commands, signal, onProgress, variables, door }: ChecksToRun,
): Promise<CheckResult> {
  const check = await runChecks(workspace, commands, {
    timeoutMs: workspace.checkTimeoutMs,
    signal,
    env,
    sandbox,
    view,
    mark: newId("view"),
    ...(onProgress && { onProgress }),
    ...(variables && { variables }),
    ...(door && { door }),
  });
  signal.throwIfAborted();
  noteTimes(verifications.known, workspace, check);
  const stages = check.stages.map((stage) => {
    const output = redact(stage.output);
    const { looks } = stage;
    return { ...stage, output, ...(looks && { looks: keepLooks(looks, stage.output, output) }) };
  });
  return { ...check, stages };
}

/** How the checks up to the one that failed end on the folder without the change. */
function baselineOf(
  deps: VerifyDeps,
  { workspace, signal, onProgress }: VerifyRequest,
  failed: {
    readonly sandbox: SandboxState;
    readonly commands: readonly CheckCommand[];
    readonly check: CheckResult;
    readonly fingerprint: string;
  },
) {
  const { sandbox, check, fingerprint } = failed;
  const commands = failed.commands.slice(0, check.stages.length);
  return runBaseline(deps, { workspace, commands, check, fingerprint }, async () => {
    const found = await openIn(deps, { workspace, signal }, sandbox);
    if (found.kind === "none") return undefined;
    await using view = found;
    const result = await runIn(deps, view, sandbox, { workspace, commands, signal, onProgress });
    await view.keep();
    return result;
  });
}

/** Lock files and the like are their tools' own: in `keep` they may be written. */
function mayWriteIn(workspace: Workspace): (path: string) => boolean {
  return (path) => resolvePath(workspace, path, "tool").ok;
}
