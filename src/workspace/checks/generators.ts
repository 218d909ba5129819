import { type PackageManager, packageManagerOf } from "../manifest.ts";
import { parseJson } from "./read-text.ts";

/** A command that makes lock files anew, in the view of a change set. */
export interface GenerateCommand {
  readonly argv: readonly string[];
  /** Where it runs, from the workspace's root; "": there. */
  readonly folder: string;
  /** What made it one: `package-lock.json`, `config.toml`. */
  readonly from: string;
  /** The files that its tool is known for, as globs from the workspace's root. */
  readonly locks: readonly string[];
  /**
   * Fits the paths that it needs of a change set: the rest is kept from it, since nobody has said yes
   * to that and tools run what their settings name. Undefined: it needs the sources as well.
   */
  readonly reads?: RegExp;
  /**
   * What the change set changes of what it would run: nobody has said yes to that, so that it must
   * not reach a network.
   */
  readonly programs: readonly string[];
}

/** Manifests that a change set touches, and what is around them, as it is after the change set. */
export interface ChangedManifests {
  /** Paths of what was created, changed or deleted. */
  readonly changed: readonly string[];
  /** Names of the files of a folder; "": the workspace's root. */
  readonly filesIn: (folder: string) => ReadonlySet<string>;
  /** The text of a `package.json`, `go.mod` or `pyproject.toml`; undefined: there is none. */
  readonly textOf: (path: string) => string | undefined;
}

/** One tool that keeps lock files. */
interface Manager {
  /** What it is started as. */
  readonly name: string;
  /** Fits the names of what it reads. */
  readonly manifest: RegExp;
  readonly locks: readonly string[];
  /** Whether it looks at sources, which it never runs; the others get manifests alone. */
  readonly needsSources?: boolean;
  /** The command for a folder with these files, whose manifest declares this manager. */
  readonly toArgv: (files: ReadonlySet<string>, declared: string) => readonly string[];
  /** Fits the paths of what it runs as a program. */
  readonly runs?: RegExp;
  /** Whether a manifest names a program of the folder. */
  readonly isProgram?: (manifest: string) => boolean;
}

/** What says of itself what it depends on is asked by running it. */
const RUNS_PYTHON: Pick<Manager, "runs" | "isProgram"> = {
  runs: /(?:^|\/)(?:setup\.(?:py|cfg)$|\.venv\/)/u,
  isProgram: (manifest) => manifest.includes("backend-path"),
};

/** What every manager is known by: nothing of it installs, and nothing runs what packages bring. */
const MANAGERS: readonly Manager[] = [
  {
    name: "npm",
    manifest: /^package\.json$/u,
    locks: ["package-lock.json", "npm-shrinkwrap.json"],
    toArgv: () => ["npm", "install", "--package-lock-only", "--ignore-scripts"],
  },
  {
    name: "pnpm",
    manifest: /^(?:package\.json|pnpm-workspace\.yaml)$/u,
    locks: ["pnpm-lock.yaml"],
    toArgv: () => ["pnpm", "install", "--lockfile-only", "--ignore-scripts"],
    // What the second names is fetched and run.
    runs: /(?:^|\/)(?:\.pnpmfile\.[cm]?js|pnpm-workspace\.yaml)$/u,
  },
  {
    name: "yarn",
    manifest: /^package\.json$/u,
    locks: ["yarn.lock"],
    toArgv: (files, declared) =>
      files.has(".yarnrc.yml") || /^yarn@(?!1\.)\d/u.test(declared)
        ? ["yarn", "install", "--mode=update-lockfile"]
        : ["yarn", "install", "--ignore-scripts", "--non-interactive"],
    runs: /(?:^|\/)\.(?:yarnrc(?:\.yml)?$|yarn\/|pnp\.)/u,
  },
  {
    name: "bun",
    manifest: /^package\.json$/u,
    locks: ["bun.lock", "bun.lockb"],
    toArgv: () => ["bun", "install", "--lockfile-only", "--ignore-scripts"],
  },
  {
    name: "cargo",
    manifest: /^Cargo\.toml$/u,
    locks: ["Cargo.lock"],
    // It adds what is missing; `generate-lockfile` would take the newest of everything.
    toArgv: () => ["cargo", "update", "--workspace"],
    needsSources: true,
    runs: /(?:^|\/)(?:\.cargo\/config|rust-toolchain)(?:\.toml)?$/u,
  },
  {
    name: "go",
    manifest: /^go\.mod$/u,
    locks: ["go.sum", "go.work.sum"],
    toArgv: () => ["go", "mod", "tidy"],
    needsSources: true,
  },
  {
    name: "uv",
    manifest: /^pyproject\.toml$/u,
    locks: ["uv.lock"],
    toArgv: () => ["uv", "lock"],
    ...RUNS_PYTHON,
  },
  {
    name: "poetry",
    manifest: /^pyproject\.toml$/u,
    locks: ["poetry.lock"],
    toArgv: () => ["poetry", "lock", "--no-interaction"],
    ...RUNS_PYTHON,
  },
  {
    name: "bundle",
    manifest: /^(?:Gemfile|[^/]+\.gemspec)$/u,
    locks: ["Gemfile.lock"],
    toArgv: () => ["bundle", "lock"],
    runs: /(?:^|\/)(?:Gemfile|[^/]+\.gemspec|\.bundle\/config)$/u,
  },
  {
    name: "composer",
    manifest: /^composer\.json$/u,
    locks: ["composer.lock"],
    toArgv: () =>
      "composer update --no-install --no-scripts --no-plugins --no-interaction --minimal-changes".split(
        " ",
      ),
  },
];

/**
 * What makes the lock files of a change set's manifests: for each manifest the tool whose lock file
 * lies next to it or in the nearest folder above it. A project without a lock file gets none.
 */
export function detectGenerators(manifests: ChangedManifests): readonly GenerateCommand[] {
  const found = new Map<string, GenerateCommand>();
  for (const path of manifests.changed) {
    for (const manager of MANAGERS) {
      if (!manager.manifest.test(nameOf(path))) continue;
      const folder = folderWithLock(manifests, manager, folderOf(path));
      const command = folder === undefined ? undefined : toCommand(manifests, manager, folder);
      if (command) found.set(`${manager.name} ${folder}`, command);
    }
  }
  return [...found.values()];
}

/** Commands of the owner's, for a change set that touches a manifest; none for any other. */
export function configuredGenerators(
  commands: readonly (readonly string[])[],
  manifests: ChangedManifests,
): readonly GenerateCommand[] {
  const { changed } = manifests;
  const touched = MANAGERS.filter(({ manifest }) =>
    changed.some((path) => manifest.test(nameOf(path))),
  );
  if (touched.length === 0) return [];
  return commands.map((argv) => {
    // A tool writes its own lock files; what is none of them may write those of what was touched.
    const own = MANAGERS.filter(({ name }) => name === nameOf(argv[0] ?? ""));
    const managers = own.length > 0 ? own : touched;
    return {
      argv,
      folder: "",
      from: "config.toml",
      locks: managers.flatMap(({ locks }) => locks.map((name) => `**/${name}`)),
      ...readsOf(own.filter((each) => isUsual(argv, each))),
      programs: changed.filter(
        (path) =>
          isRun(manifests, own, path) ||
          (!own.some((each) => isUsual(argv, each)) && mayBeRun(manifests, path)),
      ),
    };
  });
}

/** What runs other programs by their names, and what says which. */
const OF_TASKS =
  /(?:^|\/)(?:GNUmakefile|[Mm]akefile|\.?[Jj]ustfile|Taskfile\.ya?ml|Rakefile|package\.json|composer\.json|pyproject\.toml)$/u;

/** Whether a command of the owner's makes a tool do what it would be told to do here. */
function isUsual(argv: readonly string[], { name, toArgv }: Manager): boolean {
  const isSame = toArgv(new Set(), "")[1] === argv[1];
  return isSame && (!NODE_MANAGERS.has(name) || argv.includes("--ignore-scripts"));
}

/**
 * What any other command runs of a folder nobody knows: it may start any tool, so that only manifests
 * which no tool runs, and without tasks, are none.
 */
function mayBeRun({ textOf }: ChangedManifests, path: string): boolean {
  if (OF_TASKS.test(path)) return true;
  const managers = MANAGERS.filter(({ manifest }) => manifest.test(nameOf(path)));
  const isProgram = managers.some(
    (each) => each.runs?.test(path) || each.isProgram?.(textOf(path) ?? ""),
  );
  return managers.length === 0 || isProgram;
}

function readsOf(managers: readonly Manager[]): Pick<GenerateCommand, "reads"> {
  if (managers.length === 0 || managers.some((each) => each.needsSources)) return {};
  const names = managers.map(({ manifest }) => manifest.source.replace(/^\^/u, ""));
  return { reads: new RegExp(`(?:^|/)(?:${names.join("|")})`, "u") };
}

/** Whether one of these tools runs a file that a change set touches. */
function isRun({ textOf }: ChangedManifests, managers: readonly Manager[], path: string): boolean {
  return managers.some(({ manifest, runs, isProgram }) => {
    const isRead = manifest.test(nameOf(path));
    return runs?.test(path) || (isRead && isProgram?.(textOf(path) ?? ""));
  });
}

function toCommand(
  manifests: ChangedManifests,
  manager: Manager,
  folder: string,
): GenerateCommand | undefined {
  const { filesIn, textOf } = manifests;
  const files = filesIn(folder);
  if (![...files].some((name) => manager.manifest.test(name))) return undefined; // it is deleted
  const declared = declaredIn(textOf(within(folder, "package.json")));
  return {
    argv: manager.toArgv(files, declared),
    folder,
    from: within(
      folder,
      manager.locks.find((name) => files.has(name)) ?? nameOf(manager.locks[0] ?? ""),
    ),
    locks: manager.locks.map((name) => toGlob(within(folder, name))),
    ...readsOf([manager]),
    programs: manifests.changed.filter((path) => isRun(manifests, [manager], path)),
  };
}

/** The folder that a manager works in for a manifest in `start`; undefined: in none. */
function folderWithLock(
  manifests: ChangedManifests,
  manager: Manager,
  start: string,
): string | undefined {
  const { filesIn, textOf } = manifests;
  if (manager.name === "go") return needsSums(manifests, start) ? start : undefined;
  for (let folder = start; ; folder = folderOf(folder)) {
    const files = filesIn(folder);
    const isNode = NODE_LOCKS.some((name) => files.has(name)) && NODE_MANAGERS.has(manager.name);
    if (isNode) {
      const declared = declaredIn(textOf(within(folder, "package.json")));
      const isIts = packageManagerOf(declared, files) === manager.name;
      return isIts && manager.locks.some((name) => files.has(name)) ? folder : undefined;
    }
    if (manager.locks.some((name) => files.has(name))) return folder;
    if (folder === "") return undefined;
  }
}

/** Go has no lock file before there is something to lock. */
function needsSums({ filesIn, textOf }: ChangedManifests, folder: string): boolean {
  const files = filesIn(folder);
  if (!files.has("go.mod")) return false;
  return files.has("go.sum") || /^require\b/mu.test(textOf(within(folder, "go.mod")) ?? "");
}

const NODE_MANAGERS: ReadonlySet<string> = new Set<PackageManager>(["npm", "pnpm", "yarn", "bun"]);
const NODE_LOCKS = MANAGERS.filter(({ name }) => NODE_MANAGERS.has(name)).flatMap(
  ({ locks }) => locks,
);

function declaredIn(manifest: string | undefined): string {
  const { packageManager } = parseJson(manifest);
  return typeof packageManager === "string" ? packageManager : "";
}

function nameOf(path: string): string {
  return path.slice(path.lastIndexOf("/") + 1);
}

function folderOf(path: string): string {
  return path.includes("/") ? path.slice(0, path.lastIndexOf("/")) : "";
}

function within(folder: string, name: string): string {
  return folder === "" ? name : `${folder}/${name}`;
}

/** A glob that only this path fits. */
function toGlob(path: string): string {
  return path.replaceAll(/[*?[\]{}!\\]/gu, "\\$&");
}
