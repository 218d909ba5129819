import { askGit, type GitScene, openRepository } from "./open-repository.ts";
import { type ChangedFile, compareSnapshots, takeSnapshot } from "./snapshot.ts";

const MAX_SHOWN = 50;

/** Starts to watch a workspace; the function it gives tells what has changed since. */
export async function watchChanges(scene: GitScene): Promise<() => Promise<string>> {
  const { root } = scene.workspace;
  const atRoot = { ...scene, cwd: root };
  const before = await takeSnapshot(root);
  const images = before.truncated ? undefined : await findImages(atRoot);
  return async () => {
    const after = await takeSnapshot(root);
    if (before.truncated || after.truncated) {
      return "There are too many files here to say which ones it changed.";
    }
    const changed = compareSnapshots(before, after);
    if (changed.length === 0) {
      return "No file changed; what git ignores and generated folders were not looked at.";
    }
    // A cancelled command is told of too, so its signal does not count here.
    const still = { ...atRoot, signal: AbortSignal.timeout(500) };
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
    const wanted = changed.filter(({ kind }) => kind !== "created").slice(0, MAX_SHOWN);
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
  const shown = changed.slice(0, MAX_SHOWN);
  const left = changed.length - shown.length;
  const created = shown.filter(({ kind }) => kind === "created");
  const others = shown.filter(({ kind }) => kind !== "created");
  const kept = others.filter(({ path }) => images?.paths.has(path));
  const lost = others.filter(({ path }) => !images?.paths.has(path));
  return [
    `Changed while it ran (${changed.length}):`,
    ...shown.map(({ kind, path }) => `  ${kind} ${JSON.stringify(path)}`),
    ...(left > 0 ? [`  … and ${left} more`] : []),
    ...(kept.length > 0 ? [`Undo: git checkout ${images?.commit} -- ${names(kept)}`] : []),
    ...(created.length > 0 ? [`Undo: delete ${names(created)}`] : []),
    ...(lost.length > 0 ? [`Cannot undo, no before-image is known: ${names(lost)}`] : []),
  ].join("\n");
}

function names(files: readonly ChangedFile[]): string {
  return files.map(({ path }) => JSON.stringify(path)).join(" ");
}
