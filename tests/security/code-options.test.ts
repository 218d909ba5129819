import { describe, expect, test } from "bun:test";
import * as fc from "fast-check";
import { CODE_OPTIONS, WRAPPERS } from "../../src/security/code-options.ts";
import { evaluateCommand } from "../../src/security/command-policy.ts";
import { measureEffort } from "../support/effort.ts";
import { runs } from "../support/long.ts";

/** A line is split at single blanks; a payload with blanks inside a word is an array. */
type Payload = string | readonly string[];
const split = (payload: Payload) => (typeof payload === "string" ? payload.split(" ") : payload);
/** The owner allows the program, whatever it is. */
const evaluate = (payload: Payload) => evaluateCommand(split(payload), [split(payload)[0] ?? ""]);
const name = (payload: Payload) => [JSON.stringify(payload).slice(0, 80), payload] as const;

const DENIED: readonly Payload[] = [
  ["node", "--import=data:text/javascript,console.log(1)"],
  ["node", "--import", "data:text/javascript,1"],
  ["node", "--entry-url", "data:text/javascript,1"],
  ["node", "--test-reporter=data:text/javascript,1"],
  "node -p 1",
  "node --print=1",
  "node -r ./x.js",
  "node -r./x.js y.js",
  "node --require ./x.js y.js",
  "node --loader ./x.mjs y.mjs",
  "node --conditions x -e 1",
  "node --no-warnings --eval=1",
  "/usr/bin/node20 -e 1",
  "NODE -e 1",
  "bun -p 1",
  "bun --preload ./x.ts y.ts",
  "bun run sh -c id",
  "bun x node -e 1",
  "bun repl",
  "deno -q eval 1",
  "deno run data:text/javascript,1",
  "deno run https://example.com/x.ts",
  "gawk -e 1",
  ["gawk", "-f", "x.awk", "-e", 'BEGIN{system("id")}'],
  ["gawk", "--source=BEGIN{}", "-f", "x.awk"],
  ["awk", 'BEGIN{system("id")}', "-f", "x.awk"],
  ["awk", "-F", "-f", 'BEGIN{system("id")}'],
  ["awk", "-v", "--file", 'BEGIN{system("id")}'],
  ["original-awk", 'BEGIN{system("id")}'],
  "mawk -W exec x",
  "rbash -c id",
  "rbash",
  "bash --rcfile x -i",
  "bash --init-f x -i",
  "bash -o posix -c id",
  "bash +x -c id",
  "bash +c id",
  "sh +xc id",
  "python3 -m cProfile -m timeit pass",
  "python3 -mtrace --count -m timeit pass",
  "cmake -E env id",
  "capsh -- -c id",
  "mix run -e 1",
  "rails runner 1",
  "tox -x testenv.commands=id",
  "rustc -C linker=id a.rs",
  "mvn exec:exec -Dexec.executable=id",
  "bash-5.2 -c id",
  "fish -C id",
  "pwsh -Command id",
  "pwsh -enc aWQ=",
  "cmd.exe /c id",
  ["sed", "1e"],
  ["sed", "-n", "1e id", "a.txt"],
  ["sed", "s/a/id/e", "a.txt"],
  ["sed", "s/a/id/ge", "a.txt"],
  ["sed", "s|a|id|e", "a.txt"],
  ["sed", "sxaxidxe", "a.txt"],
  ["sed", "w out", "a.txt"],
  ["sed", "s/a/b/w out", "a.txt"],
  ["sed", "/a/ r .env", "a.txt"],
  ["sed", "-e", "p", "-e", "1e id", "a.txt"],
  ["sed", "-ne", "1e id", "a.txt"],
  ["sed", "--expr=1e id", "a.txt"],
  ["sed", "-i", "", "1e id", "a.txt"],
  ["sed", "p;e id", "a.txt"],
  ["sed", "a x\ne id", "a.txt"],
  ["sed", "{\ne id\n}", "a.txt"],
  ["sed", "s/[/]/e;e id #/", "a.txt"],
  ["gsed", "1e id"],
  "go test -exec id ./...",
  "go test --exec=id",
  "go build -toolexec id",
  "go vet -vettool=id",
  ["go", "build", "-ldflags", "-extld id"],
  "perl -Mstrict;system(id) x.pl",
  ["perl", "-M-strict;system(1)", "x.pl"],
  "perl -lane 1",
  "perl -d:Foo;id x.pl",
  "ruby -ne 1",
  "ruby -r./x y.rb",
  "php -d auto_prepend_file=data:,x y.php",
  "php -B 1",
  "python3 -Xdev -c 1",
  ["python3", "-W", "ignore", "-c", "1"],
  "python3 -m timeit 1",
  "python3 -mtimeit 1",
  "python3 -Im timeit 1",
  "npm exec -c id",
  "npm exec -- sh -c id",
  "npm x -- node -e 1",
  "npx node -e 1",
  "npx -y node@20 -c id",
  "npx --shell-mode id",
  ["npx", "env", "-S", "sh -c id"],
  "pnpm dlx node -e 1",
  "pnpm exec python3 -c 1",
  "yarn node -e 1",
  "yarn exec sh",
  "uv run python -c 1",
  "uv run --with x python3 -c 1",
  "poetry run bash -c id",
  "bundle exec ruby -e 1",
  "docker run -v x:y image sh -c id",
  "make --ev=x",
  "make -E x",
  "make -kE x",
  "make SHELL=./x",
  "make MAKEFLAGS=--eval=x",
  "make .SHELLFLAGS=-x",
  "tar --us=id -xf a",
  "tar --to-c id -xf a",
  "tar -xIid -f a",
  "tar cFf id a b",
  "rsync --rsh=id a b",
  "rsync -avze id a b",
  "rsync --rsync-path id a b",
  "scp -oProxyCommand=id a b",
  "sftp -S id host",
  "wget -e use_proxy=on x",
  "split --filter=id a",
  "fd -x id",
  "fd -IX id",
  "rg --pre=id x",
  "rg --pre id x",
  "tcpdump -z id",
  "nc -e id host 1",
  "sqlite3 a.db .shell\u0020id",
  ["sqlite3", "a.db", ".sh id"],
  ["sqlite3", "a.db", "select 1;\n.system id"],
  ["sqlite3", "a.db", "select load_extension('./x')"],
  ["sqlite3", "-cmd", ".sh id", "a.db"],
  ["psql", "-c", "\\! id"],
  ["psql", "-c", "copy t to program 'id'"],
  ["mysql", "-e", "system id"],
  ["dc", "-e", "!id"],
  ["jq", 'import "x" as $d; $d', "a.json"],
  ["pandoc", "-Fid", "a.md"],
  ["pylint", "--init-hook=import os", "a.py"],
  ["pdflatex", "-shell-escape", "a.tex"],
  ["m4", "-Dx=syscmd(id)", "a"],
  ["java", "-XX:OnError=id", "A"],
  ["java", "-javaagent:x.jar", "A"],
  ["gcc", "-wrapper", "sh,-c,id", "a.c"],
  ["gcc", "-fplugin=./x.so", "a.c"],
  ["cargo", "build", "--config", "build.rustc='id'"],
  ["nix-shell", "--run", "id"],
  ["clojure", "-e", "1"],
  ["R", "-e", "1"],
  ["socat", "-", "EXEC:id"],
  "bash -eo pipefail -c id",
  "xonsh -c id",
  "tar -f -- --to-command=id -x",
  "make -f -- --eval=x",
  "sort -o -- --compress-program=id a",
  "python3 -W -- -c 1",
  "bash -o -- -c id",
  ["mysql", "-esystem id"],
  ["mysql", "--execute=select 1; system id"],
  ["docker", "run", ..."x".repeat(300).split("")],
  "nu -c id",
  "jython -c 1",
  "node inspect -e 1",
  "electron -e 1",
  "rake --execute=1",
  "runghc -e 1",
  "chronic ls",
  "busybox.static sh",
  ["sed", "s/[a/]b/c/e;x/"],
  ["sed", "-e", "i\\\nx", "-e", "e"],
];

const FINE: readonly Payload[] = [
  "grep -e x a.txt",
  "grep -c x a.txt",
  "node --version",
  "node --test",
  "node app.js -e production",
  "node ./app.js --eval -p -r",
  "node --test-reporter=spec --test",
  "node fetch.js https://example.com/a.js",
  "tsx app.ts -p 80",
  "bun test",
  "bun test -t name",
  "bun run build",
  "bun install",
  "bun run watch",
  "deno task build",
  "deno test -A",
  "python3 app.py -c config.toml",
  "python3 -W ignore app.py -c x",
  "python3 -m pytest -c pytest.ini",
  "python3 -m venv env",
  "python3 -mpip install x",
  "bash build.sh -c Release",
  "sh -x build.sh",
  "bash -eu build.sh -s",
  "perl -Ilib t/x.t",
  "perl -w x.pl -e 1",
  "ruby test.rb -e prod",
  "php -d memory_limit=1G x.php",
  "php artisan migrate -r",
  "lua x.lua -e",
  "java -jar app.jar -e",
  "tar -xf a.tar",
  "tar -xzf FILE.tar.gz",
  "tar xf a.tar FILE",
  "tar -czfINFO.tgz src",
  "tar --exclude=x -cf a.tar src",
  "tar --checkpoint=100 -cf a.tar src",
  "git log --oneline",
  "git status",
  "npx eslint -c eslint.config.js .",
  "npx tsc -p .",
  "npx prettier --check src",
  "npm run build",
  "npm test -- -c x",
  "npm ci",
  "npm run exec",
  "yarn build",
  "pnpm install",
  "uv run pytest -c x",
  "poetry run pytest",
  "cargo build --release",
  "cargo test -- --nocapture",
  "go test ./...",
  "go build -o x -trimpath",
  "go test -run TestExec -v",
  "make -j4 test",
  "make -C sub",
  "make -fExtra.mk",
  "make CC=clang",
  "make --silent",
  "gcc -O2 -Wall -o a a.c -lm",
  "sort -c a.txt",
  "sort -u -k2 a.txt",
  "rsync -av --exclude=e src out",
  "zip -r a.zip src",
  "sed -n 1,5p a.txt",
  ["sed", "-i", "s/a/b/g", "a.txt"],
  ["sed", "-i.bak", "-E", "s|(a+)/b|\\1|;/x/d", "a.txt"],
  ["sed", "/^# e/!{s/e/w/;p}", "a.txt"],
  ["sed", ":a;N;$!ba;s/\\n/ /g", "a.txt"],
  ["sed", "$!a the end", "a.txt"],
  "awk -f x.awk a.txt",
  "psql -f source.sql",
  ["mysql", "-e", "select program from system_tables"],
  "cargo test --release -- --nocapture",
  ["awk", "-F,", "-f", "x.awk", "-v", "a=1", "a.txt"],
  "jq .a.b a.json",
  ["jq", "-r", ".[] | select(.x)", "a.json"],
  ["sqlite3", "a.db", "select 1"],
  "sqlite3 ./a.db .",
  "rg -e x --pre-glob *.pdf src",
  "fd -e ts",
  "patch -p1 -i a.diff",
  "docker compose up -d",
  "docker build -t x .",
  "wget -q https://example.com/a",
  "split -l 10 a.txt",
  "ghc -threaded -O2 A.hs",
  "scala -encoding utf8 A",
  "java -version",
  "julia x.jl -e",
  "rustc --edition 2024 a.rs",
];

describe("evaluateCommand() denies code in options though the program is allowed", () => {
  test.each(DENIED.map(name))("%s", (_, payload) => {
    expect(evaluate(payload)).toMatchObject({ kind: "deny" });
  });
});

describe("evaluateCommand() does not take for code", () => {
  test.each(FINE.map(name))("%s", (_, payload) => {
    expect(evaluate(payload)).not.toMatchObject({ kind: "deny", reason: expect.any(String) });
  });
});

const PROGRAMS = [...CODE_OPTIONS].map(([program, options]) => ({ program, options }));
const listOf = (names = "") => names.split(/\s+/u).filter((each) => each !== "");
const folder = fc.constantFrom("", "/usr/bin/", "/opt/x/bin/");
const version = fc.constantFrom("", "3", "3.11", "-5.2");
const value = fc.constantFrom("x", "./x", "a b", "1");

test("evaluateCommand() denies an option of the table in every spelling", () => {
  const spelled = PROGRAMS.flatMap(({ program, options }) => {
    const { letters = "", valued = "", longs, plain } = options;
    const bundle = "qvtn".split("").find((each) => !(letters + valued).includes(each)) ?? "";
    const shorts = letters
      .split("")
      .flatMap((letter) => [
        [`-${letter}`, "VALUE"],
        [`-${letter}VALUE`],
        [`-${letter}=VALUE`],
        [`-${bundle}${letter}`, "VALUE"],
        [`-${bundle}${letter}VALUE`],
      ]);
    const long = listOf(longs).flatMap((each) => {
      const abbreviated = Array.from({ length: each.length }, (_, i) => each.slice(0, i + 1));
      const doubled = abbreviated.filter((given) => given !== plain).map((given) => `--${given}`);
      return [...doubled, `-${each}`].flatMap((given) => [[given, "VALUE"], [`${given}=VALUE`]]);
    });
    const commands = listOf(options.commands).map((each) => [each, "VALUE"]);
    return [...shorts, ...long, ...commands].map((words) => ({ program, words }));
  });
  expect(spelled.length).toBeGreaterThan(1000);
  const before = fc.constantFrom([], ["--flag"], ["--name=value"], ["--name", "value"]);
  for (const { program, words } of spelled) {
    const of = fc.record({ folder, version, value, before });
    fc.assert(
      fc.property(of, (given) => {
        const args = words.map((word) => word.replace("VALUE", given.value));
        const argv = [
          given.folder + program + (/\d$/u.test(program) ? "" : given.version),
          ...given.before,
          ...args,
        ];
        expect(
          `${argv.join(" ")}: ${evaluateCommand(argv, [program, argv[0] ?? ""]).kind}`,
        ).toEndWith(": deny");
      }),
      { numRuns: 4 },
    );
  }
});

test("evaluateCommand() denies code behind everything that runs a command", () => {
  const runners = PROGRAMS.filter(({ options }) => options.runs !== undefined);
  for (const { program, options } of runners) {
    for (const command of listOf(options.runs).length === 0 ? [""] : listOf(options.runs)) {
      for (const inner of ["sh -c id", "/bin/bash -c id", "node -e 1", "awk 1", "sed 1e", "sh"]) {
        for (const more of ["", "-x ", "--name value ", "-- "]) {
          const line = `${program} ${command} ${more}${inner}`.replaceAll("  ", " ");
          expect(`${line}: ${evaluate(line).kind}`).toEndWith(": deny");
        }
      }
    }
  }
});

test("evaluateCommand() denies every wrapper in any folder", () => {
  for (const wrapper of WRAPPERS) {
    for (const program of [wrapper, `/usr/bin/${wrapper}`, wrapper.toUpperCase()]) {
      expect(evaluate([program, "x"])).toMatchObject({ kind: "deny" });
    }
  }
});

test("evaluateCommand() is fast on commands within commands", () => {
  const effort = measureEffort();
  for (const words of ["docker run ", "npx tar ", "uv run env -x ", "npm exec -- "]) {
    evaluate(words.repeat(2000).slice(0, 7900).trim());
    evaluate(words.repeat(60).trim());
  }
  expect(effort()).toBeLessThan(4000);
});

test("evaluateCommand() evaluates any script of sed in no time", () => {
  const signs = "sy/|a1,;{}[]\\!$~ ebwpdgn\n:=q^".split("");
  const hostile = fc
    .array(fc.constantFrom(...signs, "s/a/b/", "[]a]", "[[:x:]]", "1,", "a\n"), { maxLength: 12 })
    .map((parts) => `${parts.join("").repeat(60)}\0`.slice(0, 7000).replace("\0", "e id"));
  const effort = measureEffort();
  fc.assert(
    fc.property(hostile, (script) => void evaluate(["sed", script])),
    { numRuns: runs(100, 500) },
  );
  expect(effort()).toBeLessThan(6000);
});
