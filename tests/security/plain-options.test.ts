import { expect, test } from "bun:test";
import { evaluateCommand } from "../../src/security/command-policy.ts";
import { PLAIN } from "../../src/security/plain-options.ts";

/** Of each kind of program a command with one of each kind of option that is plain for it. */
const LINES = `
  bun test -t a --bail
  bun run -s --silent build:prod
  npm test -s --silent
  npm ci --ignore-scripts
  node -c --check
  deno test -q --filter=a
  deno task build:all
  tsc --noEmit
  eslint --max-warnings=a
  prettier -c --check
  biome check --write
  oxlint -D a --fix
  jest -i -t a --bail
  vitest -u -t a --bail=a
  mocha -b -g a --bail
  python -B a.py --x=1
  pytest -v -k a --maxfail=a a.py::test_x[1]
  python -m unittest -v --verbose
  ruff check -q --fix
  mypy --strict
  black -q -l a --check
  go test -v
  go build -v
  cargo test -q -p a --release a::b -- --x y
  cargo build -q -p a --release
  cargo fmt --check
  rustc -O --edition=a
  gcc -o a -Wall
  make -k -j2 --keep-going
  ninja -n -j a
  cmake --build -v -j a --parallel=a
  cmake -S a -DCMAKE_BUILD_TYPE=Release
  ctest -V -j a --output-on-failure
  gradle -q -x a --info :app:test
  mvn -DskipTests test
  dotnet build -c a --nologo
  swift build -v -c a --configuration=a
  mix test --trace
  rspec -e a --fail-fast
  phpunit --filter=a
  tar -c -f a --create
  zip -r --recurse-paths
  unzip -l
  mkdir -p --parents
  cp -r --recursive
  mv -n --no-clobber
  rm -r --recursive
  touch -a
  diff -r --unified
  sort -n -k a
  uniq -c
  cut -d a
  tr -d
  sed -n -e a s/a=b/c/
  awk -f a
  jq -r --raw-output .a[]==1
  rg -n -A a a=b
  du -s
`;

const COMMANDS = LINES.trim()
  .split("\n")
  .map((line) => line.trim());

/** The longest name of the table that a command begins with. */
function entryOf(line: string): string {
  const fitting = [...PLAIN.keys()].filter((key) => `${line} `.startsWith(`${key} `));
  return fitting.toSorted((a, b) => b.length - a.length)[0] ?? "none";
}

test.each(COMMANDS)("evaluateCommand() runs as the owner allowed it: %s", (line) => {
  expect(evaluateCommand(line.split(" "), [entryOf(line)]).kind).toBe("change");
});

test.each([
  ["pip", "pip list"],
  ["go", "go fmt ./..."],
  ["composer", "composer validate"],
  ["ruby", "ruby tool.rb --count=3"],
  ["npm", "npm test -s"],
  ["rg", "rg a=b"],
])("evaluateCommand() runs as the owner allowed %s: %s", (entry, line) => {
  expect(evaluateCommand(line.split(" "), [entry]).kind).toBe("change");
});

test.each([
  "npm test x",
  "pnpm ls x",
  "npm ci x",
  "bun create x",
  "pip install x",
  "cargo install x",
  "go get x",
  "gem install x",
  "composer require x",
])("evaluateCommand() asks before a name is taken from elsewhere: %s", (line) => {
  const entry = line.slice(0, line.lastIndexOf(" "));
  expect(evaluateCommand(line.split(" "), [entry]).kind).toBe("ask");
});

test("every program whose options are known has a command here", () => {
  const tried = new Set(COMMANDS.map((line) => PLAIN.get(entryOf(line))));
  const left = [...PLAIN].filter(([, words]) => !tried.has(words));
  const known = left.filter(([, { flags, valued, longs }]) => flags ?? valued ?? longs);
  expect(known.map(([key]) => key)).toEqual([]);
});
