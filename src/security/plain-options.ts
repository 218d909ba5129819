import type { OptionRules } from "./read-options.ts";

/** What of one command's words does nothing but what the command is for. */
export interface PlainWords extends OptionRules {
  /** Names may follow one dash: `-race`. */
  readonly isSingle?: true;
  /** Further words that are plain as a whole. */
  readonly words?: RegExp;
  /** Operands beyond plain paths and names; /(?!)/: none at all. */
  readonly operands?: RegExp;
  /** The values of options must be plain paths or names, too. */
  readonly hasPlainValues?: true;
  /** What follows the first operand, or "--", belongs to a program of the workspace. */
  readonly hands?: "script" | "tail";
  /** Only where the owner's entry itself names the subcommand. */
  readonly isNamed?: true;
}

/** Nothing but itself: what it would be given is fetched, and then runs. */
const ALONE = { operands: /(?!)/u, isNamed: true } as const;
/** A script of package.json, or a task. */
const SCRIPT_NAME = /^[\w.][\w./-]*(?::[\w.-]+)*$/u;
/** A path, perhaps with a part of the file: `tests/a.py::test_x[1]`. */
const TEST_PLACE = /^[\w./-]+(?:::[\w[\]-]+)*$/u;
const INTERPRETER = { hands: "script" } as const;
const CARGO = `release quiet verbose all-targets lib bins tests examples all-features
  no-default-features features= workspace package= bin= test= example= no-run no-fail-fast jobs=
  locked offline frozen keep-going`;

/**
 * By the first words of a command, without a version. What is not here is not plain: forgetting
 * an option makes a question, never a hole. Left out is whatever loads code, plugins or other
 * configurations, runs a program, fetches, or writes to a place of its own.
 */
export const PLAIN: ReadonlyMap<string, PlainWords> = new Map(
  Object.entries({
    // JavaScript
    "bun test": {
      valued: "t",
      longs: `bail=? timeout= coverage only todo rerun-each= test-name-pattern= randomize seed=
        concurrent max-concurrency= dots only-failures pass-with-no-tests`,
    },
    "bun run,npm run,npm run-script,pnpm run,yarn run": {
      flags: "s",
      longs: "silent if-present",
      operands: SCRIPT_NAME,
    },
    "npm test,npm t,pnpm test,yarn test,bun pm ls,npm ls,pnpm ls,npm list": {
      flags: "s",
      longs: "silent if-present all long json depth=",
      operands: /(?!)/u,
    },
    "npm ci,npm install,npm i,pnpm install,yarn install,bun install": {
      ...ALONE,
      longs: "ignore-scripts frozen-lockfile immutable no-audit no-fund offline prefer-offline",
    },
    "npm add,pnpm add,yarn add,bun add,bun create,npm create,npm init,pip install,cargo add": ALONE,
    "cargo install,go get,go install,gem install,uv add,poetry add,composer require": ALONE,
    "node,nodejs,tsx,ts-node": {
      ...INTERPRETER,
      flags: "cv",
      longs: `check version test test-only test-name-pattern= test-concurrency= enable-source-maps
        no-warnings trace-warnings stack-trace-limit= max-old-space-size= experimental-strip-types`,
    },
    bun: INTERPRETER,
    "deno test,deno lint,deno fmt,deno check": {
      flags: "q",
      longs: "filter= fail-fast quiet check",
    },
    "deno task": { operands: SCRIPT_NAME },
    tsc: { longs: "noEmit pretty strict skipLibCheck listFiles explainFiles version" },
    eslint: { longs: "max-warnings= quiet fix fix-dry-run cache color no-color ext=" },
    prettier: {
      flags: "cwl",
      longs: "check write list-different ignore-unknown log-level= no-color",
    },
    "biome check,biome lint,biome format,biome ci": {
      longs: "write fix unsafe staged changed since= max-diagnostics= diagnostic-level= colors=",
    },
    oxlint: { valued: "DAW", longs: "fix quiet deny-warnings max-warnings= type-aware threads=" },
    jest: {
      flags: "iou",
      valued: "tw",
      longs: `bail=? coverage ci verbose silent runInBand testNamePattern= onlyChanged maxWorkers=
        updateSnapshot passWithNoTests testPathPattern= listTests json forceExit detectOpenHandles`,
    },
    "vitest,vitest run": {
      flags: "u",
      valued: "t",
      longs: "bail= silent testNamePattern= passWithNoTests update no-color",
    },
    mocha: {
      flags: "b",
      valued: "gftj",
      longs: `bail grep= fgrep= recursive timeout= exit forbid-only parallel jobs= check-leaks
        dry-run color no-color`,
    },
    // Python
    "python,pypy": { ...INTERPRETER, flags: "BOuvVEsSIbq" },
    "pytest,py.test,python -m pytest": {
      flags: "vqxsl",
      valued: "kmn",
      longs: `maxfail= tb= lf ff sw verbose quiet exitfirst last-failed failed-first stepwise
        collect-only co durations= no-header no-summary color= showlocals strict-markers`,
      operands: TEST_PLACE,
    },
    "python -m unittest": { flags: "vfbq", longs: "verbose failfast buffer quiet" },
    "ruff check,ruff format": {
      flags: "q",
      longs: "fix diff select= ignore= no-cache quiet check statistics unsafe-fixes",
    },
    mypy: { longs: "strict ignore-missing-imports show-error-codes pretty no-color-output" },
    black: { flags: "qv", valued: "l", longs: "check diff quiet verbose fast safe line-length=" },
    "pip list,pip show,pip freeze,pip check": {},
    // others with a tool of their own
    "go test": {
      isSingle: true,
      longs: `v race n x count= run= short timeout= bench= benchmem cover failfast parallel= json
        list= skip= shuffle= tags=`,
    },
    "go build,go vet": { isSingle: true, longs: "v race n x tags=" },
    "go fmt,go version": {},
    "cargo test,cargo run": {
      flags: "qv",
      valued: "pjF",
      longs: CARGO,
      operands: /^[\w:]+$/u,
      hands: "tail",
    },
    "cargo build,cargo check,cargo clippy,cargo doc,cargo tree": {
      flags: "qv",
      valued: "pjF",
      longs: CARGO,
    },
    "cargo fmt": { longs: "check all" },
    rustc: { flags: "Og", longs: "edition= version test" },
    "gcc,g++,cc,c++,clang,clang++": {
      words:
        /^-(?:[cSEgwv]|O[0-3sgz]?|std=[\w+]+|Wall|Wextra|Werror|Wpedantic|pedantic|pthread|pipe|D\w+(?:=\w+)?|I[\w./-]+|fPIC|fsanitize=[\w,]+|m(?:32|64))$/u,
      valued: "o",
    },
    "make,gmake": {
      flags: "knBisSwq",
      attached: "jl",
      longs: "keep-going dry-run just-print silent quiet always-make question no-print-directory",
    },
    ninja: { flags: "nv", valued: "jkl" },
    "cmake --build": {
      flags: "v",
      valued: "jt",
      longs: "parallel= target= config= clean-first verbose",
    },
    cmake: { valued: "SB", words: /^-DCMAKE_BUILD_TYPE=\w+$/u },
    ctest: { flags: "VN", valued: "jRE", longs: "output-on-failure verbose" },
    "gradle,gradlew": {
      flags: "qsm",
      valued: "x",
      longs: `info debug quiet stacktrace offline continue dry-run no-daemon parallel build-cache
        no-build-cache rerun-tasks console= warning-mode= tests=`,
      operands: /^:?[\w-]+(?::[\w-]+)*$/u,
    },
    "mvn,mvnw": {
      words: /^-(?:[qBoeX]|ntp|fae|ff|fn|am|DskipTests|Dtest=[\w.#*,-]+)$/u,
      operands: /^(?:clean|validate|compile|test-compile|test|package|verify)$/u,
    },
    "dotnet build,dotnet test": {
      valued: "cvf",
      longs: "nologo no-restore no-build configuration= verbosity= filter= framework=",
    },
    "swift build,swift test": {
      flags: "v",
      valued: "c",
      longs: "configuration= verbose filter= parallel",
    },
    "mix test,mix format,mix compile": {
      longs: "trace stale failed max-failures= only= exclude= check-formatted warnings-as-errors",
    },
    rake: { operands: SCRIPT_NAME },
    rspec: {
      valued: "e",
      longs: "fail-fast=? seed= order= only-failures next-failure example= tag=",
    },
    phpunit: { longs: "filter= stop-on-failure testdox no-coverage colors=?" },
    "composer validate,composer show": {},
    "ruby,perl,php,lua,luajit,bash,sh,zsh,dash,rscript,julia,elixir,groovy,osascript": INTERPRETER,
    // files and texts
    "tar,bsdtar,gtar": {
      flags: "cxtzjJvk",
      valued: "f",
      longs: "create extract list gzip bzip2 xz verbose file= keep-old-files",
      // "host:file" would be fetched by ssh
      hasPlainValues: true,
    },
    zip: { flags: "rq9", longs: "recurse-paths quiet" },
    unzip: { flags: "lqn" },
    mkdir: { flags: "pv", longs: "parents verbose" },
    cp: { flags: "rRpnfv", longs: "recursive no-clobber force verbose" },
    mv: { flags: "nfv", longs: "no-clobber force verbose" },
    "rm,rmdir": { flags: "rRfvp", longs: "recursive force verbose" },
    touch: { flags: "acm" },
    diff: { flags: "ruqNbwBaiyc", longs: "unified=? recursive brief color=? side-by-side" },
    sort: { flags: "nrubfVhd", valued: "kt" },
    uniq: { flags: "cdui" },
    cut: { valued: "dfcb" },
    tr: { flags: "dcs" },
    // its scripts are looked at before
    sed: { flags: "nEruszi", valued: "e", operands: /^/u },
    "awk,gawk,mawk": { valued: "fF" },
    jq: {
      flags: "rcesnSCMaj",
      longs: "raw-output compact-output exit-status null-input slurp sort-keys tab indent=",
      operands: /^/u,
    },
    rg: { flags: "niwlcvFSoUP", valued: "ABCmgte", operands: /^/u },
    du: { flags: "shac" },
  } satisfies Record<string, PlainWords>).flatMap(([names, words]) =>
    names.split(",").map((name): [string, PlainWords] => [name, words]),
  ),
);

/** Programs that are many: which one it is says the next word. */
export const COLLECTIONS: ReadonlySet<string> = new Set(
  `npm pnpm yarn bun deno pip uv poetry pipenv pdm hatch rye conda mamba gem bundle composer cargo go
  rustup dotnet swift zig mix stack cabal opam brew apt apt-get dnf yum pacman apk snap nix systemctl
  docker podman kubectl helm terraform tofu pulumi aws gcloud az gh glab git-lfs ansible biome ruff
  meson hg svn`.split(/\s+/u),
);

/** Words that are followed by the program that runs; the owner's entry has to name it. */
export const RUNNERS: readonly string[] = [
  "npx",
  "bunx",
  "bun x",
  "npm exec",
  "npm x",
  "pnpm exec",
  "pnpm dlx",
  "yarn exec",
  "yarn dlx",
  "uvx",
  "uv run",
  "pipx run",
  "poetry run",
  "pipenv run",
  "pdm run",
  "hatch run",
  "bundle exec",
  "mise exec",
  "mise x",
  "python -m",
];
