import { decodeUtf8 } from "../../core/decode-utf8.ts";
import type { Change, ChangeSet } from "../../transaction/change.ts";
import { contentOf } from "../../transaction/change-set.ts";
import type { IsNamed } from "./named-by-checks.ts";

/** Whether a path is one of these, each a pattern of a whole name or of the end of a path. */
const anyOf = (...ends: readonly RegExp[]): RegExp =>
  new RegExp(`(?:^|/)(?:${ends.map(({ source }) => source).join("|")})$`, "u");

/** Folders and files that hold tests, whatever the language. */
const OF_TESTS: readonly RegExp[] = [
  /(?:^|\/)(?:[Tt]ests?|__tests__|[Ss]pecs?|testdata|fixtures|__snapshots__|__mocks__|e2e|cypress|goldens?|__golden__)\/|^features\//u,
  anyOf(
    /[^/]*[._-](?:test|spec|cy|e2e)s?\.\w+/u,
    /[^/]*_test\.\w+/u,
    /(?:test|spec)s?\.\w+/u,
    /(?:test|spec)[_-][^/]*\.(?!md$|txt$|rst$|adoc$)\w+/u,
    /conftest\.py/u,
    /[^/]*(?:Tests?|Specs?|IT|Suite)\.(?:java|kts?|cs|fs|vb|swift|php|groovy|scala|hs|jl)/u,
    /[^/]*\.(?:snap|feature|golden|approved\.\w+)/u,
  ),
];

/** What tells a runner, a compiler or a linter of the checks what to look at, or runs with it. */
const OF_RUNNERS: readonly RegExp[] = [
  /(?:^|\/)(?:\.husky|\.cargo|\.config|\.github\/(?:workflows|actions)|\.gitlab|\.circleci|\.yarn)\//u,
  anyOf(
    /(?:jest|vitest|vite|playwright|karma|ava|babel|eslint|biome|webpack|rollup|cypress|wdio|nightwatch|stryker|c8|nyc|tsup|esbuild|oxlint|stylelint|prettier|lint-staged|commitlint|lerna|nx|turbo|rush)(?:[A-Z._-][^/]*)?\.(?:[cm]?[jt]s|json|json[c5]|ya?ml|toml)/u,
    /(?:tsconfig|jsconfig)[^/]*\.json|bunfig\.toml|deno\.jsonc?|lerna\.json|\.pnp\.[^/]+/u,
    /\.(?:babelrc|swcrc|nycrc|c8rc|mocharc|taprc|eslintrc|eslintignore|oxlintrc|stylelintrc|prettierrc|prettierignore|lintstagedrc|npmrc|yarnrc|huskyrc)[^/]*/u,
    /pnpm-workspace\.yaml|\.pnpmfile\.[cm]?js/u,
    /pytest\.ini|\.pytest\.ini|tox\.ini|setup\.(?:cfg|py)|pyproject\.toml|noxfile\.py|\.coveragerc|\.?ruff\.toml|\.?mypy\.ini|\.flake8|\.?pylintrc|pyrightconfig\.json|manage\.py|[^/]+\.pth/u,
    /(?:sitecustomize|usercustomize|unittest|pytest|nose2?|doctest)\.py|(?:unittest|pytest)\/.+\.py/u,
    /build\.rs|Cargo\.toml|\.?(?:clippy|rustfmt)\.toml|rust-toolchain(?:\.toml)?|nextest\.toml/u,
    /go\.(?:mod|work)|\.golangci\.(?:ya?ml|toml|json)/u,
    /(?:GNU)?[Mm]akefile|[^/]+\.(?:mk|mak|cmake)|CMakeLists\.txt|CMakePresets\.json|meson\.build|meson_options\.txt/u,
    /\.?[Jj]ustfile|[^/]+\.just|[Tt]askfile(?:\.dist)?\.ya?ml|Rakefile|[^/]+\.rake|\.rspec|\.rubocop\.yml/u,
    /phpunit[^/]*\.xml[^/]*|phpstan[^/]*\.neon[^/]*|psalm[^/]*\.xml[^/]*|composer\.json/u,
    /pom\.xml|(?:build|settings)\.gradle[^/]*|[^/]+\.gradle(?:\.kts)?|gradle\.properties|gradlew(?:\.bat)?|gradle\/.+|mvnw(?:\.cmd)?|\.mvn\/.+|build\.sbt|project\/[^/]+\.(?:sbt|properties)/u,
    /[^/]+\.(?:csproj|fsproj|vbproj|sln|slnx|runsettings)|Directory\.[^/]+\.(?:props|targets)|global\.json/u,
    /Package\.swift|build\.zig(?:\.zon)?|mix\.exs|\.formatter\.exs|\.credo\.exs|dune(?:-project)?|BUILD(?:\.bazel)?|WORKSPACE|MODULE\.bazel|\.bazelrc/u,
    /\.pre-commit-config\.yaml|lefthook\.ya?ml|\.gitlab-ci\.yml|Jenkinsfile|\.travis\.yml|azure-pipelines\.yml/u,
    /\.editorconfig|\.tool-versions|\.nvmrc|\.node-version|\.python-version|\.mise\.toml|mise\.toml|\.env\.test/u,
  ),
];

/** Parts of package.json that decide what a check does. */
const SCRIPT_KEYS = ["scripts", "jest", "vitest", "mocha", "ava", "type", "packageManager", "bun"];

/**
 * The paths of a change set that decide what its own checks look at: a change that passes because
 * it changed its own checks has to be shown as such. `isNamed` knows those that the commands name;
 * no list of the others is whole.
 */
export function touchedChecks(changeSet: ChangeSet, isNamed: IsNamed): readonly string[] {
  const files = changeSet.changes.filter(({ kind }) => kind !== "mkdir" && kind !== "rmdir");
  return files
    .filter((change) => {
      const { path } = change;
      if (isNamed(path) || [...OF_TESTS, ...OF_RUNNERS].some((each) => each.test(path)))
        return true;
      return /(?:^|\/)package\.json$/u.test(path) && changesScripts(changeSet, change);
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
