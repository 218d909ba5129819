import { decodeUtf8 } from "../../core/decode-utf8.ts";
import type { Change, ChangeSet } from "../../transaction/change.ts";
import { contentOf } from "../../transaction/change-set.ts";
import type { CheckCommand } from "../../workspace/workspace.ts";

/** Folders and files that hold tests, whatever the language. */
const OF_TESTS =
  /(?:^|\/)(?:tests?|__tests__|specs?|testdata|fixtures|__snapshots__)\/|(?:[._-](?:test|spec)s?\.\w+|_test\.\w+|(?:^|\/)test_[^/]*\.py|(?:^|\/)conftest\.py|Tests?\.(?:java|kt|cs|swift))$/u;

/** What tells a runner, a compiler or a linter of the checks what to look at. */
const OF_RUNNERS =
  /(?:^|\/)(?:jest|vitest|vite|playwright|karma|ava|babel|eslint|biome|webpack|rollup)[^/]*\.(?:[cm]?[jt]s|json|jsonc|ya?ml|toml)$|(?:^|\/)(?:tsconfig[^/]*\.json|\.babelrc[^/]*|\.swcrc|\.nycrc[^/]*|bunfig\.toml|deno\.jsonc?|\.mocharc[^/]*|\.eslintrc[^/]*|\.oxlintrc[^/]*|pytest\.ini|tox\.ini|setup\.(?:cfg|py)|pyproject\.toml|noxfile\.py|\.coveragerc|ruff\.toml|mypy\.ini|build\.rs|Cargo\.toml|clippy\.toml|\.cargo\/[^/]+|go\.mod|[Mm]akefile|GNUmakefile|[Jj]ustfile|Taskfile\.ya?ml|Rakefile|\.rspec|phpunit[^/]*\.xml[^/]*|pom\.xml|build\.gradle[^/]*|composer\.json|mix\.exs|CMakeLists\.txt|\.pre-commit-config\.yaml)$/u;

/** Parts of package.json that decide what a check does. */
const SCRIPT_KEYS = ["scripts", "jest", "vitest", "mocha", "ava", "type", "packageManager", "bun"];

/**
 * The paths of a change set that decide what its own checks look at: a change that passes because
 * it changed its own checks has to be shown as such. Renamed ones are found by what commands name.
 */
export function touchedChecks(
  changeSet: ChangeSet,
  commands: readonly CheckCommand[],
): readonly string[] {
  const named = new Set(
    commands.flatMap(({ argv }) => argv.map((word) => word.replace(/^\.\//u, ""))),
  );
  const files = changeSet.changes.filter(({ kind }) => kind !== "mkdir" && kind !== "rmdir");
  return files
    .filter((change) => {
      const { path } = change;
      if (/(?:^|\/)package\.json$/u.test(path)) return changesScripts(changeSet, change);
      return OF_TESTS.test(path) || OF_RUNNERS.test(path) || named.has(path);
    })
    .map(({ path }) => path)
    .toSorted();
}

function changesScripts(changeSet: ChangeSet, change: Change): boolean {
  const before = "before" in change ? readScripts(contentOf(changeSet, change.before)) : undefined;
  const after = "after" in change ? readScripts(contentOf(changeSet, change.after)) : undefined;
  return before === undefined || after === undefined || before !== after;
}

/** Undefined for what is no manifest: then nobody knows. */
function readScripts(bytes: Uint8Array): string | undefined {
  try {
    const manifest: unknown = JSON.parse(decodeUtf8(bytes) ?? "");
    if (typeof manifest !== "object" || manifest === null) return undefined;
    return JSON.stringify(SCRIPT_KEYS.map((key) => Reflect.get(manifest, key) ?? null));
  } catch {
    return undefined;
  }
}
