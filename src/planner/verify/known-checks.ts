import { statSync } from "node:fs";
import type { CheckedFolder, KnownCheck, KnownCheckStore } from "../../store/known-checks.ts";
import type { ChangeSet, CheckResult } from "../../transaction/change.ts";
import type { PlannedCheck } from "../../transaction/views.ts";
import { resolveChecks } from "../../workspace/checks/checks.ts";
import type { CheckCommand, Workspace } from "../../workspace/workspace.ts";
import { generatorsOf, toCheck } from "./run-generators.ts";

/**
 * What was found in a folder was written by whoever wrote the folder: nothing of it runs before its
 * owner has seen the commands once. What is in the configuration is the owner's own word. A command
 * that comes to a list later, by a change or by `git pull`, is one that nobody has seen.
 */

/**
 * What was found in a folder to check a change set with, and to make its lock files with, when the
 * owner has not seen all of it; else nothing. What runs first because of a change (`cargo test -p
 * NAME`) follows from the list.
 */
export async function findUnseen(
  known: KnownCheckStore,
  workspace: Workspace,
  changeSet?: ChangeSet,
): Promise<readonly CheckCommand[]> {
  const { check, generate = "detect" } = workspace;
  const checks = check === "detect" ? await resolveChecks(workspace) : [];
  const generators =
    changeSet && generate === "detect" ? await generatorsOf(workspace, changeSet) : [];
  const found = [...checks, ...generators.map(toCheck)];
  if (found.length === 0) return [];
  const seen = known.load(folderOf(workspace));
  return found.every(({ argv }) => seen.get(toKey(argv))?.isSeen === true) ? [] : found;
}

/** The owner sees these commands of a folder now. */
export function noteSeen(
  known: KnownCheckStore,
  workspace: Workspace,
  commands: readonly CheckCommand[],
): void {
  if (workspace.check === "detect") known.see(folderOf(workspace), toKeys(commands));
}

/** The commands are shown with a plan, whose approval says that they were seen. */
export function noteShown(
  known: KnownCheckStore,
  workspace: Workspace,
  planId: string,
  commands: readonly CheckCommand[],
): void {
  known.show(planId, folderOf(workspace), toKeys(commands));
}

/** Somebody said yes to what was shown with a plan. */
export function noteApproved(known: KnownCheckStore, workspace: Workspace, planId: string): void {
  known.seeShown(planId, folderOf(workspace));
}

/** Keeps how long checks took that came to an end of their own. */
export function noteTimes(
  known: KnownCheckStore,
  workspace: Workspace,
  { stages }: Pick<CheckResult, "stages">,
): void {
  const ended = stages.filter(({ exitCode, timedOut, excess }) => {
    return exitCode !== null && !timedOut && !excess;
  });
  const times = ended.map(({ command, durationMs }) => [toKey(command), durationMs] as const);
  if (times.length > 0) known.took(folderOf(workspace), new Map(times));
}

/** Commands as they are shown: where each comes from, and how long it took the last time. */
export function describeChecks(
  known: KnownCheckStore,
  workspace: Workspace,
  commands: readonly CheckCommand[],
): readonly PlannedCheck[] {
  const seen: ReadonlyMap<string, KnownCheck> =
    commands.length === 0 ? new Map() : known.load(folderOf(workspace));
  return commands.map(({ argv, from }) => {
    const tookMs = seen.get(toKey(argv))?.tookMs;
    return {
      command: argv.join(" "),
      ...(from !== undefined && { from }),
      ...(tookMs !== undefined && { tookMs }),
    };
  });
}

/**
 * By its disk, inode and time of birth as well, for what is deleted and made anew at a path, or
 * mounted there, is not what was seen there: disks give an inode anew at once, each root has the
 * same one, and a device number goes to the next disk. Where no birth is known (old network disks)
 * the time that its entries last changed stands for it: the list is shown too often then, and
 * nothing runs unseen.
 */
function folderOf({ root }: Workspace): CheckedFolder {
  const found = statSync(root, { bigint: true, throwIfNoEntry: false });
  if (!found) return { root, id: "" };
  const { dev, ino, birthtimeNs, ctimeNs } = found;
  return { root, id: [dev, ino, birthtimeNs > 0n ? birthtimeNs : `changed ${ctimeNs}`].join(":") };
}

function toKeys(commands: readonly CheckCommand[]): readonly string[] {
  return commands.map(({ argv }) => toKey(argv));
}

function toKey(argv: readonly string[]): string {
  return JSON.stringify(argv);
}
