import { fold } from "./twin-names.ts";

/** Folders and files that no segment of a path may name, in lower case. */
const SECRET_NAMES: ReadonlySet<string> = new Set([
  "secrets",
  ".git",
  ".ssh",
  ".gnupg",
  ".aws",
  ".papa-yu",
  ".env",
  ".envrc",
]);
const SECRET_PATTERN = /^\.env\.|\.(pem|key|p12|pfx)$|^id_(rsa|ed25519|ecdsa)/;
/** The same for programs that take globs. */
const SECRET_GLOBS = ".env.* *.pem *.key *.p12 *.pfx id_rsa* id_ed25519* id_ecdsa*".split(" ");
const SHOWN_ON_PURPOSE: ReadonlySet<string> = new Set([".env.example"]);

/** The built-in list, for people. */
export const BUILT_IN_PROTECTED: readonly string[] = [
  ...SECRET_NAMES,
  ...".env.* *.pem *.key *.p12 *.pfx id_rsa* id_ed25519* id_ecdsa*".split(" "),
];

/** Files that only their own tool writes; reading them is fine. */
const LOCK_FILES: ReadonlySet<string> = new Set([
  "bun.lock",
  "bun.lockb",
  "package-lock.json",
  "npm-shrinkwrap.json",
  "yarn.lock",
  "pnpm-lock.yaml",
  "deno.lock",
  "cargo.lock",
  "poetry.lock",
  "uv.lock",
  "pdm.lock",
  "pipfile.lock",
  "pixi.lock",
  "go.sum",
  "gemfile.lock",
  "composer.lock",
  "mix.lock",
  "pubspec.lock",
  "podfile.lock",
  "package.resolved",
  "packages.lock.json",
  "gradle.lockfile",
  "flake.lock",
  ".terraform.lock.hcl",
]);

/**
 * Says whether a normalised path must not be read or written: secrets, keys and version control
 * at any depth, the workspace's own globs, and for writing also lock files. Upper and lower case
 * are the same, because on some disks they are. A glob without "/" holds at any depth, and one
 * that matches a folder holds for everything in it.
 */
export function isProtectedPath(
  path: string,
  extraGlobs: readonly string[],
  purpose: "read" | "write",
): boolean {
  const segments = fold(path).split("/");
  if (segments.some(isSecret)) return true;
  if (purpose === "write" && LOCK_FILES.has(segments.at(-1) ?? "")) return true;
  return extraGlobs.some((glob) => matches(fold(glob), segments));
}

function isSecret(segment: string): boolean {
  if (SHOWN_ON_PURPOSE.has(segment)) return false;
  return SECRET_NAMES.has(segment) || SECRET_PATTERN.test(segment);
}

function matches(pattern: string, segments: readonly string[]): boolean {
  const glob = new Bun.Glob(pattern.replace(/^\.?\//, "").replace(/\/(\*\*)?$/, ""));
  if (/^[^/]+\/?$/.test(pattern)) return segments.some((segment) => glob.match(segment));
  return segments.some((_, index) => glob.match(segments.slice(0, index + 1).join("/")));
}

/**
 * What must not be read as globs from the workspace's root, for programs that look into folders
 * themselves and tell no upper from lower case. They hold a little more than
 * {@link isProtectedPath}: `.env.example` too.
 */
export function protectedGlobs(extraGlobs: readonly string[]): readonly string[] {
  const anywhere = [...SECRET_NAMES, ...SECRET_GLOBS].map((name) => `**/${name}`);
  const extra = extraGlobs.flatMap(expandBraces).map((glob) => {
    const path = glob.replace(/^\.?\//, "").replace(/\/(\*\*)?$/, "");
    return /^[^/]+\/?$/.test(glob) ? `**/${path}` : path;
  });
  return [...anywhere, ...extra].flatMap((glob) => [glob, `${glob}/**`]);
}

function expandBraces(glob: string): readonly string[] {
  const [whole, before = "", inner = "", after = ""] = /^(.*?)\{([^{}]*)\}(.*)$/su.exec(glob) ?? [];
  if (whole === undefined) return [glob];
  return inner.split(",").flatMap((part) => expandBraces(before + part + after));
}
