import { lstatSync, readdirSync, type Stats } from "node:fs";
import { join } from "node:path";

/**
 * What holds secrets or version control, wherever it is: names of files and folders with `*` for
 * any letters, in lower case. The one list that the guard, other programs' globs, `/rules` and the
 * look for second names go by.
 */
const SECRETS: readonly string[] = [
  // what programs read into their environment
  "*.env .env.* .env-* env.local .envrc .dev.vars .dev.vars.* local.settings.json",
  // keys and stores of them
  "*.pem *.key *.p12 *.pfx *.ppk *.kdbx *.keystore *.jks id_rsa* id_dsa* id_ed25519* id_ecdsa*",
  ".ssh .gnupg .password-store .local/share/keyrings library/keychains",
  // passwords and tokens of package managers, version control, databases and mail
  ".npmrc .pypirc .netrc _netrc .git-credentials .htpasswd .pgpass .my.cnf .dockercfg",
  ".docker/config.json .cargo/credentials .cargo/credentials.toml .gem/credentials",
  ".m2/settings.xml .config/gh .config/hub .config/git/credentials",
  ".composer/auth.json .config/composer/auth.json",
  ".kaggle kaggle.json .huggingface .cache/huggingface/token",
  // what was typed into a shell or a database, passwords as well
  ".bash_history .zsh_history .histfile .python_history .node_repl_history .irb_history",
  ".psql_history .mysql_history .sqlite_history .rediscli_history .mongo_history",
  // clouds, clusters and what describes them
  "*.kubeconfig *firebase-adminsdk*.json",
  ".aws .azure .kube .gcloud .config/gcloud .oci .boto .s3cfg .vault-token .terraformrc",
  ".terraform.d .config/rclone .config/doctl .config/op *credentials*.json *.tfstate*",
  // profiles of browsers
  ".mozilla .config/google-chrome* .config/chromium .config/microsoft-edge* .config/vivaldi",
  ".config/bravesoftware library/application?support/google/chrome library/cookies",
].flatMap((line) => line.split(" "));

/**
 * Files alone, for a folder of that name is ordinary source; below `templates` they are what a chart
 * makes secrets of.
 */
export const SECRET_FILES: readonly string[] = [
  "kubeconfig.yaml kubeconfig.yml secrets.toml secrets.yaml secrets.yml",
  "service-account.json service_account.json service-account-key.json service_account_key.json",
].flatMap((line) => line.split(" "));

/** The same, with the copies that are usual: so many names begin like this one that no other is meant. */
const EXACT_FILES: readonly string[] =
  "kubeconfig kubeconfig~ kubeconfig.bak kubeconfig.old kubeconfig.orig .kubeconfig.swp".split(" ");

/** Programs that edit or save a file leave copies like these next to it: `.env~`, `.id_rsa.swp`. */
const COPY_BEFORE = String.raw`(?:\.|\.?#)?`;
const COPY_AFTER = String.raw`(?:[.\-_](?:bak|backup|copy|old|orig|rej|save|sav|sw[a-p]|tmp|\d+)|~|#)*`;

/** What file managers and browsers name a second one: `.env copy`, `.env (1)`, `.env - Copy`. */
const COPY_BY_HAND = String.raw`(?: (?:- )?\(?(?:another )?(?:\d*(?:st|nd|rd|th) )?(?:copy|kopie|копия|副本|\d+)(?: \(?\d+\)?)?\)?)?`;

/** Folders, and the file that may take the place of one: of these, names like theirs are ordinary. */
const SECRET_FOLDERS: readonly string[] = [".git", ".papa-yu", "secrets"];

/** Named for the public, though a name above fits them. */
const SHOWN_ON_PURPOSE = [".env.example", ".dev.vars.example"];

/** Folders of a home that hold some of them among other things. */
export const SECRET_PARENTS: readonly string[] = [
  ...new Set(
    SECRETS.filter((name) => name.includes("/")).map((name) =>
      name.slice(0, name.lastIndexOf("/")).replaceAll("?", " "),
    ),
  ),
];

const SECRET_PATH = toPattern();

/** The built-in list, for people. */
export const BUILT_IN_PROTECTED: readonly string[] = [
  ...SECRET_FOLDERS,
  ...SECRETS,
  ...SECRET_FILES,
  "kubeconfig",
].map((name) => name.replaceAll("?", " "));

/** Files that only their own tool writes, whatever tool that is; reading them is fine. */
const LOCK_FILE = new RegExp(
  `^(?:${[
    // Most are named so: Cargo.lock, bun.lockb, gradle.lockfile, packages.lock.json, pylock.toml.
    String.raw`.*\.lock(?:b|file|\.hcl|\.json|\.ya?ml)?`,
    String.raw`(?:package-lock|npm-shrinkwrap)\.json`,
    String.raw`(?:pnpm|conda)-lock(?:\..*)?\.ya?ml`,
    String.raw`pylock(?:\..*)?\.toml`,
    String.raw`go(?:\.work)?\.sum`,
    String.raw`(?:package|cartfile)\.resolved`,
  ].join("|")})$`,
  "u",
);

/** What a path is looked at for; "tool": to write what the project's own tool wrote. */
export type PathPurpose = "read" | "write" | "tool";

/**
 * Says whether a normalised path must not be read or written: secrets, keys and version control
 * at any depth, the workspace's own globs, and for writing also lock files. Upper and lower case
 * are the same, because on some disks they are. A glob without "/" holds at any depth, and one
 * that matches a folder holds for everything in it.
 */
export function isProtectedPath(
  path: string,
  extraGlobs: readonly string[],
  purpose: PathPurpose,
): boolean {
  const folded = fold(path);
  if (SECRET_PATH.test(folded)) return true;
  const segments = folded.split("/");
  if (purpose === "write" && LOCK_FILE.test(segments.at(-1) ?? "")) return true;
  return extraGlobs.some((glob) => matches(fold(glob), segments));
}

/** Fits a path of which any part, or several in a row, is one of the names or a copy of it. */
function toPattern(): RegExp {
  const choice = (names: readonly string[]) =>
    names
      .map((name) => RegExp.escape(name).replaceAll("\\*", "[^/]*").replaceAll("\\?", "[^/]"))
      .join("|");
  const copied = `${COPY_BEFORE}(?:${choice(SECRETS)})${COPY_AFTER}${COPY_BY_HAND}`;
  const shown = `(?!(?:${choice(SHOWN_ON_PURPOSE)})(?:/|$))`;
  const files = `${COPY_BEFORE}(?:${choice(SECRET_FILES)})${COPY_AFTER}${COPY_BY_HAND}`;
  const whole = `(?<!(?:^|/)templates/(?:.*/)?)(?:${files}|${choice(EXACT_FILES)})$`;
  return new RegExp(
    `(?:^|/)(?:${shown}(?:${choice(SECRET_FOLDERS)}|${copied})(?:/|$)|${whole})`,
    "u",
  );
}

function matches(pattern: string, segments: readonly string[]): boolean {
  const glob = new Bun.Glob(pattern.replace(/^\.?\//, "").replace(/\/(\*\*)?$/, ""));
  if (/^[^/]+\/?$/.test(pattern)) return segments.some((segment) => glob.match(segment));
  return segments.some((_, index) => glob.match(segments.slice(0, index + 1).join("/")));
}

/**
 * What must not be read as globs from the workspace's root, for programs that look into folders
 * themselves and tell no upper from lower case. They hold a little more than
 * {@link isProtectedPath}: `.env.example`, `app.env.ts`.
 */
export function protectedGlobs(extraGlobs: readonly string[]): readonly string[] {
  const copied = SECRETS.flatMap((name) => {
    if (name.startsWith("*")) return [name, `${name}[.~# _-]*`];
    const folders = name.slice(0, name.lastIndexOf("/") + 1);
    return [`${folders}*${name.slice(folders.length)}*`.replaceAll(/\*+/g, "*")];
  });
  // Every glob costs a comparison with every path: those that another one holds are left out.
  const few = copied.filter((glob) => !copied.some((one) => one !== glob && isWithin(glob, one)));
  const anywhere = [...SECRET_FOLDERS, ...new Set(few)].map((name) => `**/${name}`);
  const extra = extraGlobs.flatMap(spellOut).map((glob) => {
    const path = glob.replace(/^\.?\//, "").replace(/\/(\*\*)?$/, "");
    return /^[^/]+\/?$/.test(glob) ? `**/${path}` : path;
  });
  const files = [
    ...EXACT_FILES,
    ...SECRET_FILES.flatMap((name) => [name, `[.#]${name}*`, `.#${name}*`, `${name}[.~# _-]*`]),
  ].map((name) => `**/${name}`);
  return [...files, ...[...anywhere, ...extra].flatMap((glob) => [glob, `${glob}/**`])];
}

/** Whether all that fits `glob` fits `wider` as well. */
function isWithin(glob: string, wider: string): boolean {
  return new Bun.Glob(wider).match(glob.replaceAll("*", "x"));
}

/** Every one is a word of a command line; with the built-in ones there is room for some thousand. */
const MOST_SPELLINGS = 64;

/**
 * A glob without braces, for programs that know none. One that means more than can be listed
 * becomes all that lies where its braces begin: what is left out is never less.
 */
function spellOut(glob: string): readonly string[] {
  let globs: readonly string[] = [glob];
  while (globs.some((each) => BRACES.test(each))) {
    globs = globs.flatMap(expandFirst);
    if (globs.length > MOST_SPELLINGS) return [`${glob.replace(/[^/]*\{.*$/su, "")}**`];
  }
  return globs;
}

const BRACES = /\{([^{}]*)\}/u;

function expandFirst(glob: string): readonly string[] {
  const [whole, inner = ""] = BRACES.exec(glob) ?? [];
  if (whole === undefined) return [glob];
  return inner.split(",").map((part) => glob.replace(whole, () => part));
}

/**
 * The name of the entry that `name`, which is in NFC, is taken for: by the eye, where the disk
 * tells Unicode forms apart and has another one; or by a disk that does not tell upper from lower
 * case. Undefined when the disk has `name` itself, or nothing of the kind.
 *
 * @param stat what the disk says of `name`
 */
export function findTwin(dir: string, name: string, stat: Stats | undefined): string | undefined {
  if (stat === undefined) {
    if (name === name.normalize("NFD")) return undefined; // it has one form only
    return readdirSync(dir).find((other) => other.normalize("NFC") === name);
  }
  if (!foldsCase(dir, name, stat)) return undefined;
  const names = readdirSync(dir).map((other) => other.normalize("NFC"));
  return names.includes(name) ? undefined : names.find((other) => fold(other) === fold(name));
}

/** Asks the disk for the same name in the other case. */
function foldsCase(dir: string, name: string, { ino, dev }: Stats): boolean {
  const other = name === name.toUpperCase() ? name.toLowerCase() : name.toUpperCase();
  const twin = lstatSync(join(dir, other), { throwIfNoEntry: false });
  return other !== name && twin?.ino === ino && twin.dev === dev;
}

/** One spelling of what a disk that folds case takes for the same: "ſ" is an "s" there. */
export function fold(name: string): string {
  return name.normalize("NFC").toUpperCase().toLowerCase();
}
