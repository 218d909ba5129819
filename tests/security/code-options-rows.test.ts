import { describe, expect, test } from "bun:test";
import { CODE_OPTIONS, type CodeOptions } from "../../src/security/code-options.ts";
import { evaluateCommand } from "../../src/security/command-policy.ts";

/** What the manual of a program says of its options, as words behind its name; `|` between lines. */
interface Row {
  /** Code, or a program to run, is in each of these lines. */
  readonly code: string;
  /** What looks like it and is not: a value, or a word of the script's own. */
  readonly fine?: string;
  /** Options with their value in the same word; a file may follow. */
  readonly values?: string;
}

const ROWS: Readonly<Record<string, Row>> = {
  bash: {
    code: `-c id | -s x | -C id | --command id | -commandwithargs id | -encodedcommand aWQ= | -ec aWQ=
      | --init-file x y | --rcfile x y | --init-command id x | -o errexit -c id | -O extglob -c id`,
    fine: "build.sh -c x | -x build.sh -c x | -o errexit build.sh -c x | -O extglob build.sh -c x",
  },
  python: {
    code: "-c 1 | -mtimeit 1 | -m pdb x.py | -W ignore -c 1 | -X dev -c 1",
    fine: "app.py -c x | -B app.py -c x | -mpytest -c x.ini | -mpackaging | -m pytest -c x.ini",
    values: "-Wonce -Xpycache_prefix=x",
  },
  node: {
    code: `-e 1 | -p 1 | -r ./x.js y.js | --eval 1 | --print 1 | --require ./x.js y.js
      | --import ./x.js y.js | --loader ./x.mjs y.mjs | --experimental-loader ./x.mjs y.mjs
      | --entry-url x | inspect x.js | data:text/javascript,1`,
    fine: "app.js -e production",
  },
  bun: {
    code: `-e 1 | -p 1 | -r ./x.ts y.ts | --eval 1 | --print 1 | --require ./x.ts y.ts
      | --import ./x.ts y.ts | --preload ./x.ts y.ts | exec id | repl | https://example.com/x.ts
      | x node -e 1 | run sh -c id`,
    fine: "app.ts -e production | run build",
  },
  deno: { code: "eval 1 | repl | --eval 1 | run https://example.com/x.ts", fine: "task build" },
  perl: {
    code: "-e 1 | -E 1 | -Mstrict x.pl | -mstrict x.pl | -Fid x.pl | -d:Foo x.pl | -I lib -e 1",
    fine: "x.pl -e 1 | -w x.pl -e 1 | -I lib x.pl -e 1",
    values: "-Imodels -xdir -i.before",
  },
  ruby: {
    code: "-e 1 | -r./x y.rb | --execute=1 | --require ./x y.rb",
    fine: "test.rb -e production",
    values: "-Iserver -Cserver -Eeuc-jp -Ke -Tre -W:no-experimental -xserver -i.orig",
  },
  lua: { code: "-e 1 | -lx y.lua", fine: "x.lua -e" },
  php: {
    code: `-r 1 | -B 1 | -R 1 | -E 1 | --run 1 | --process-begin 1 | --process-code 1
      | --process-end 1 | -dauto_prepend_file=x y.php | -d auto_append_file=x y.php`,
    fine: "artisan migrate -r",
  },
  elixir: { code: "-e 1 | -r x.exs | --eval 1 | --rpc-eval node 1", fine: "x.exs -e" },
  julia: {
    code: "-e 1 | -E 1 | -L x.jl y.jl | --eval 1 | --print 1 | --load x.jl y.jl",
    fine: "x.jl -e",
  },
  rscript: { code: "-e 1", fine: "x.r" },
  raku: { code: "-e 1 | --eval 1", fine: "x.raku -e" },
  guile: { code: "-c 1 | -e main x.scm | -g 1 | -t 1", fine: "x.scm -c" },
  scala: { code: "-e 1 | -eval 1 | -expression 1 | -e=1 | -pgmF x | -F", fine: "-encoding utf8 A" },
  sbcl: { code: "--eval 1 | --load x.lisp", fine: "x.lisp --eval" },
  java: { code: "-javaagent:x.jar A | -agentlib:x A | -XX:OnError=id A", fine: "A -agentlib:x" },
  npx: {
    code: `-c id | --call id | --shell ./x y | --shell-mode id | --script-shell ./x y
      | --node-options=x y | sh -c id`,
    fine: "eslint -c eslint.config.js .",
  },
  npm: {
    code: `-c id | --call id | --shell-mode id | run build --script-shell=./x | test --node-options=x
      | exec sh -c id | x sh -c id | dlx sh -c id | node -e 1`,
    fine: "run build",
  },
  uv: { code: "run sh -c id | tool run sh -c id", fine: "sync" },
  uvx: { code: "sh -c id", fine: "ruff check" },
  bundle: { code: "exec sh -c id | x sh -c id", fine: "exec rspec" },
  docker: {
    code: "run image sh -c id | exec box sh -c id | compose run box sh -c id",
    fine: "build -t sh -c x",
  },
  nix: { code: "develop -c id | eval -E 1 | --run id | --command id | --expr 1", fine: "build" },
  go: {
    code: "test -exec id | build -toolexec id | vet -vettool=id | build -ldflags=-extld=id",
    fine: "test ./...",
  },
  cargo: { code: "build --config build.rustc=id", fine: "build" },
  gcc: {
    code: `-wrapper sh,-c,id a.c | -fplugin=./x.so a.c | -load ./x.so a.c | --specs x a.c
      | -specs=x a.c | -fpass-plugin=./x.so a.c`,
    fine: "-fPIC a.c",
  },
  make: {
    code: "-E x | --eval=x | SHELL=./x | MAKEFLAGS=x",
    fine: "CC=clang",
    values: "-CExamples -fExtra.mk -IExtra -jE -lE -oExtra -WExtra",
  },
  nodemon: { code: "-x id | --exec id | --execmap x", fine: "app.js" },
  nim: { code: "e x.nims", fine: "compile x.nim" },
  cmake: {
    code: "-E env id",
    values: "-DEXTRA=1 -SExtra -BExtra -GEclipse -UEXTRA -CExtra -PExtra -TExtra -AExtra",
  },
  swift: { code: "-e 1", values: "-Iinclude -Dfeature -Llibexec" },
  rails: { code: "runner 1 | r 1", fine: "test" },
  tox: {
    code: "-x testenv.commands=id | --override testenv.commands=id",
    values: "-ctox.ini -elinux -mlinux -nx -px",
  },
  rustc: { code: "-Clinker=id a.rs", fine: "a.rs" },
  mvn: { code: "exec:exec", fine: "test" },
  tar: {
    code: `-Iid -xf a | -Fid -xf a | --checkpoint-action=exec=id -xf a | --to-command=id -xf a
      | --use-compress-program=id -xf a | --info-script=id -xf a | --new-volume-script=id -xf a
      | --rsh-command=id -xf a | --rmt-command=id -xf a`,
    fine: "--checkpoint=100 -cf a.tar src",
    values: "-fFILE -CImages -bI -TFILES -XIGNORED -KFirst -LI -NFriday -VInitial -gInfo -HI",
  },
  cpio: { code: "--rsh-command=id -i", fine: "-i" },
  zip: { code: "-T a.zip | --unzip-command=id a.zip", fine: "-r a.zip src" },
  sort: { code: "--compress-program=id a", fine: "-u a" },
  split: { code: "--filter=id a", fine: "-l 10 a" },
  sdiff: { code: "--diff-program=id a b", fine: "a b" },
  install: { code: "--strip-program=id a b", fine: "a b" },
  patch: {
    code: "-e -i a.diff | --ed -i a.diff",
    values: `-pe -inext.diff -oedited -be -Bbefore/ -Dfeature -drelease -Fe -gne -rrejected -Vnever
      -Ybefore- -z.before`,
  },
  rsync: {
    code: "-e id a b | -Mid a b | --rsh=id a b | --rsync-path=id a b | --remote-option=id a b",
    values: "-fexclude -Ttemp -Be",
  },
  scp: { code: "-S id a b | -oProxyCommand=id a b | -Fx a b | -J x a b | -Dx a b | -b x a" },
  wget: {
    code: "-e a=b x | --execute a=b x | --use-askpass=id x",
    values: `-Ofile -ofile -afile -Preleases -Ume -te -Te -we -Qe -le -Ajpeg -Dexample.com -Ipages
      -Xtemp -Bexample.com -ifile`,
  },
  tcpdump: {
    code: "-z id | --postrotate-command=id",
    values: "-iz0 -rz -wz -cz -sz -Cz -Gz -Wz -Fz -Tz -yz -Ez -Bz -Mz",
  },
  nc: { code: "-e id host 1 | -c id host 1 | --exec id h 1 | --sh-exec id h 1 | --lua-exec x h 1" },
  fd: {
    code: "-x id | -X id | --exec id | --exec-batch id",
    values: "-etxt -Enext -tx -d1x -S+1x -ox -gx -jx -cx",
  },
  rg: { code: "--pre=id x | --hostname-bin=id x", fine: "-e x" },
  bat: { code: "--pager=id x", fine: "x" },
  fzf: { code: "--preview=id | --bind=x:execute(id)", fine: "-m" },
  pandoc: {
    code: `-Fid a.md | -Lx.lua a.md | --filter=id a.md | --lua-filter=x.lua a.md
      | --pdf-engine=id a.md`,
    values: `-fLaTeX -tLaTeX -oFILE -rLaTeX -wLaTeX -sL -VLANG=en -HFILE -MLANG=en -DLaTeX -BFILE
      -AFILE -cFILE -TFirst`,
  },
  pylint: { code: "--init-hook=1 a.py", fine: "a.py" },
  m4: {
    code: "-Dx=syscmd(id) a | --define=x=syscmd(id) a",
    values: "-IDocs -UDEBUG -LD -dD -lD -oD -tD -FD -BD -RD -WD -gD",
  },
  latex: { code: "-shell-escape a.tex | --enable-write18 a.tex", fine: "a.tex" },
  sqlite: {
    code: "-cmd x a.db | --init x a.db | a.db .shell | a.db edit(1)",
    fine: "a.db",
  },
  psql: { code: "--pager=id | -c \\!id", fine: "-f source.sql" },
  dc: { code: "-e !id", fine: "-e 1" },
  jq: { code: '-L lib .a | import"x"as$d;. | include"x";.', fine: ".a", values: "-fLib.jq" },
};

/** Of what only another program's words reach: by itself it is a wrapper, whatever its options. */
const INNER: Readonly<Record<string, Row>> = {
  env: { code: "-S id | --split-string=id", fine: "A=b ls" },
};

const linesOf = (text = "") =>
  text.split("|").flatMap((line) => (line.trim() === "" ? [] : [line.trim().split(/\s+/u)]));
const listOf = (text = "") => text.split(/\s+/u).filter((word) => word !== "");
const kindOf = (program: string, words: readonly string[]) =>
  evaluateCommand([program, ...words], [program]).kind;
const ALL = { ...ROWS, ...INNER };

describe.each([
  ...Object.entries(ROWS).map(([program, row]) => [program, row, []] as const),
  ...Object.entries(INNER).map(([program, row]) => [program, row, ["npx"]] as const),
])("evaluateCommand() tells code from values: %s", (name, row, before) => {
  const [program = "", ...inner] = [...before, name];
  const codes = linesOf(row.code).map((words) => [words.join(" "), [...inner, ...words]] as const);
  const fine = [...linesOf(row.fine), ...listOf(row.values).map((word) => [word, "file"])];
  test.each(codes)("denies %s", (_, words) => {
    expect(kindOf(program, words)).toBe("deny");
  });
  for (const words of fine) {
    test(`does not deny ${words.join(" ")}`, () => {
      expect(kindOf(program, [...inner, ...words])).not.toBe("deny");
    });
  }
});

test("every row of the table is told from what it would be without any part of it", () => {
  const told = new Map<CodeOptions | undefined, Row>(
    Object.entries(ALL).map(([program, row]) => [CODE_OPTIONS.get(program), row]),
  );
  const missing = [...CODE_OPTIONS].flatMap(([program, options]) => {
    const row = told.get(options);
    return row === undefined
      ? [`${program}: all`]
      : findMissing(options, row).map((part) => `${program}: ${part}`);
  });
  expect(missing).toEqual([]);
});

/** The parts of a row of the table that no line here is about. */
function findMissing(options: CodeOptions, row: Row): string[] {
  const { letters = "", valued = "", next = "", longs, commands, runs, script = "" } = options;
  const words = linesOf(row.code).flat();
  const fine = linesOf(row.fine);
  const values = listOf(row.values);
  const looksLikeCode = new RegExp(`[${letters}${script}]`, "u");
  const lacks = (list: readonly string[], has: (part: string) => boolean) =>
    list.filter((part) => !has(part));
  return [
    ...lacks(letters.split(""), (letter) => words.some((word) => word.startsWith(`-${letter}`))),
    ...lacks(valued.split(""), (letter) =>
      values.some((word) => word[1] === letter && looksLikeCode.test(word.slice(2))),
    ),
    ...lacks(next.split(""), (letter) => words.includes(`-${letter}`)),
    ...lacks(listOf(longs), (long) =>
      words.some((word) => /^--?([^=]+)/u.exec(word)?.[1] === long),
    ),
    ...lacks([...listOf(commands), ...listOf(runs)], (command) => words.includes(command)),
    // Behind a script an option is its own.
    ...(options.leads && !fine.some((line) => line.length > 1) ? ["leads"] : []),
  ];
}
