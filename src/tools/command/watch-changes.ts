import { firstOf } from "../../core/few.ts";
import { toVisibleText } from "../../core/visible-text.ts";
import { askGit, type GitScene, openRepository } from "./open-repository.ts";
import { type ChangedFile, compareSnapshots, passDiskTick, takeSnapshot } from "./snapshot.ts";

const MAX_SHOWN = 50;

/** Starts to watch a workspace; the function it gives tells what has changed since. */
export async function watchChanges(scene: GitScene): Promise<() => Promise<string>> {
  const { root } = scene.workspace;
  const atRoot = { ...scene, cwd: root };
  const before = await takeSnapshot(scene.workspace);
  const images = before.isWhole ? await findImages(atRoot) : undefined;
  const startedAt = await passDiskTick(scene.workspace);
  return async () => {
    const after = await takeSnapshot(scene.workspace);
    if (!before.isWhole || !after.isWhole) {
      return "There are too many files here to say which ones it changed.";
    }
    const changed = await compareSnapshots(root, before, after, startedAt);
    if (changed.length === 0) {
      return "No file changed; links, what git ignores and generated folders were not looked at.";
    }
    // A cancelled command is reported too, within the moment that a cancelled tool has.
    const still = scene.signal.aborted ? { ...atRoot, signal: AbortSignal.timeout(500) } : atRoot;
    return describe(changed, await images?.(still, changed));
  };
}

/** Which of these files can be had back, and from which commit. */
type Images = (
  scene: GitScene,
  changed: readonly ChangedFile[],
) => Promise<{ readonly commit: string; readonly paths: ReadonlySet<string> } | undefined>;

/** Before-images are in git, for files that were as committed when the command began. */
async function findImages(scene: GitScene): Promise<Images | undefined> {
  const repository = await openRepository(scene);
  if (!repository.ok) return undefined;
  const { variables } = repository;
  const head = await askGit(scene, variables, ["rev-parse", "--verify", "HEAD"]);
  const status = ["status", "--porcelain", "-z", "--no-renames", "--untracked-files=no"];
  const edited = await askGit(scene, variables, status);
  if (head === undefined || edited === undefined) return undefined;
  const commit = head.trim();
  const unclean = new Set(edited.split("\0").map((entry) => entry.slice(3)));
  return async (later, changed) => {
    const wanted = changed.filter(isOther).slice(0, MAX_SHOWN);
    const list = ["--literal-pathspecs", "ls-tree", "-r", "-z", "--name-only", commit, "--"];
    const paths = wanted.map(({ path }) => path).filter((path) => !unclean.has(path));
    if (paths.length === 0) return undefined;
    const tracked = await askGit(later, variables, [...list, ...paths]);
    return tracked === undefined ? undefined : { commit, paths: new Set(tracked.split("\0")) };
  };
}

function describe(
  changed: readonly ChangedFile[],
  images: Awaited<ReturnType<Images>> | undefined,
): string {
  const more: string[] = [];
  const shown = firstOf(changed, MAX_SHOWN).take((left) => {
    more.push(`  … and ${left} more, of which nothing else is said`);
  });
  const created = shown.filter(({ kind }) => kind === "created");
  const others = shown.filter(isOther);
  const kept = others.filter(({ path }) => images?.paths.has(path));
  const lost = others.filter(({ path }) => !images?.paths.has(path));
  return [
    `Changed while it ran (${changed.length}):`,
    ...shown.map(describeChange),
    ...more,
    ...shown.flatMap(describeUndo),
    ...(kept.length > 0 ? [`Undo: git checkout ${images?.commit} -- ${names(kept)}`] : []),
    ...(created.length > 0 ? [`Undo: delete ${names(created)}`] : []),
    ...(lost.length > 0 ? [`Cannot undo, no before-image is known: ${names(lost)}`] : []),
  ].join("\n");
}

/** What only a copy of its contents can bring back. */
function isOther({ kind }: ChangedFile): boolean {
  return kind === "modified" || kind === "deleted";
}

function describeChange(change: ChangedFile): string {
  const { kind, path } = change;
  const line = `  ${kind} ${quote(path)}`;
  return kind === "renamed" ? `${line}, which was ${quote(change.from)}` : line;
}

function describeUndo(change: ChangedFile): readonly string[] {
  const path = quote(change.path);
  if (change.kind === "renamed") return [`Undo: move ${path} to ${quote(change.from)}`];
  if (change.kind === "mode of") return [`Undo: chmod ${change.oldMode.toString(8)} ${path}`];
  return [];
}

function names(files: readonly ChangedFile[]): string {
  return files.map(({ path }) => quote(path)).join(" ");
}

/** People paste it into a shell, and the author of the file chose its name. */
function quote(path: string): string {
  const shown = toVisibleText(path).replaceAll("\n", "\\n");
  const isPlain = !/["$`\\!]/u.test(shown);
  return isPlain ? `"${shown}"` : `'${shown.replaceAll("'", "'\\''")}'`;
}
