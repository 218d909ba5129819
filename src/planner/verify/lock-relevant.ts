import { decodeUtf8 } from "../../core/decode-utf8.ts";
import type { Change, ChangeSet } from "../../transaction/change.ts";

/** Parts of a package.json that no lock file tells of, and that no tool resolves packages by. */
const BESIDE: ReadonlySet<string> = new Set(
  `author ava babel browser browserslist bugs c8 commitlint contributors description directories
  eslintConfig exports files homepage husky imports jest keywords lint-staged main man mocha module
  nodemon nyc prettier private publishConfig repository sideEffects standard stylelint type types
  typings unpkg vitest xo`.split(/\s+/),
);

/** Scripts that run with an install, which lock files note. */
const OF_INSTALL: ReadonlySet<string> = new Set([
  "preinstall",
  "install",
  "postinstall",
  "prepublish",
  "preprepare",
  "prepare",
  "postprepare",
]);

/**
 * Whether a change may make a lock file wrong. Of a package.json only some parts do; a script or a
 * description more is no reason to ask a registry, and none to ask a person when there is none.
 */
export function concernsLocks({ contents }: ChangeSet, change: Change): boolean {
  if (change.kind !== "update" || !/(?:^|\/)package\.json$/u.test(change.path)) return true;
  const [before, after] = [change.before, change.after].map(({ sha256 }) => {
    return readParts(contents.get(sha256));
  });
  return before === undefined || after === undefined || before !== after;
}

/** What matters of a manifest, as a text that is the same for the same; undefined: it is none. */
function readParts(bytes: Uint8Array | undefined): string | undefined {
  try {
    const manifest: unknown = JSON.parse((bytes && decodeUtf8(bytes)) ?? "");
    if (typeof manifest !== "object" || manifest === null || Array.isArray(manifest))
      return undefined;
    const parts = Object.entries(manifest).flatMap(([key, value]) => {
      if (BESIDE.has(key)) return [];
      return [[key, key === "scripts" ? ofInstall(value) : value] as const];
    });
    return JSON.stringify(parts.filter(([, value]) => value !== undefined).toSorted(byKey));
  } catch {
    return undefined;
  }
}

/** Undefined: none of the scripts matters. */
function ofInstall(scripts: unknown): unknown {
  if (typeof scripts !== "object" || scripts === null) return scripts;
  const kept = Object.entries(scripts).filter(([name]) => OF_INSTALL.has(name));
  return kept.length > 0 ? kept.toSorted(byKey) : undefined;
}

function byKey([a]: readonly [string, unknown], [b]: readonly [string, unknown]): number {
  return a < b ? -1 : 1;
}
