import { describe, expect, test } from "bun:test";
import { evaluateCommand } from "../../src/security/command-policy.ts";

/**
 * What the manuals say of options: with each of these alone a command does what stands above it.
 * `=` shows a value, which follows in the same word or the next.
 */
const OPTIONS: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  read: {
    ls: `-a -A -b -B -c -C -d -f -F -g -G -h -i -k -l -m -n -N -o -p -q -Q -r -R -s -S -t -u -U -v -x -X
      -1 -Z -I= -T= -w= --all --almost-all --author --escape --directory --classify --classify=x
      --human-readable --inode --recursive --reverse --size --numeric-uid-gid
      --group-directories-first --full-time --no-group --si --color --color=x --sort= --time=
      --format= --time-style= --ignore= --hide= --indicator-style= --block-size=`,
    cat: `-A -b -e -E -n -s -t -T -u -v --show-all --number-nonblank --show-ends --number
      --squeeze-blank --show-tabs --show-nonprinting`,
    head: "-q -v -z -n= -c= -5 -20 --lines= --bytes= --quiet --silent --verbose",
    tail: "-q -v -z -n= -c= -5 -20 --lines= --bytes= --quiet --silent --verbose",
    wc: "-c -l -m -L -w --bytes --chars --lines --max-line-length --words",
    pwd: "-L -P --logical --physical",
    echo: "-n -e -E",
    "grep x": `-E -F -G -P -i -v -w -x -c -L -l -n -H -h -o -q -s -a -b -z -r -Z -T -U -m= -A= -B= -C=
      -e= -f= -5 -20 --extended-regexp --fixed-strings --basic-regexp --perl-regexp --ignore-case
      --no-ignore-case --invert-match --word-regexp --line-regexp --count --files-without-match
      --files-with-matches --line-number --with-filename --no-filename --only-matching --quiet
      --silent --no-messages --text --byte-offset --null-data --recursive --null --initial-tab
      --regexp= --file= --max-count= --after-context= --before-context= --context= --include=
      --exclude= --exclude-dir= --binary-files= --color --color=x --colour`,
    "git status": `-s -b -z -u -uno --short --branch --porcelain --porcelain=v2 --long
      --untracked-files --untracked-files=no --ignored --no-renames --renames --column`,
    "git diff": `-p -s -w -b -W -R -U= -M -M90 --cached --staged --merge-base --quiet --patch --no-patch
      --stat --stat=80 --numstat --shortstat --summary --name-only --name-status --unified=
      --word-diff --color --ignore-space-change --ignore-all-space --ignore-blank-lines
      --find-renames --diff-filter= --check --raw --exit-code --function-context --relative
      --no-prefix --histogram --patience --minimal`,
    "git log": `-p -s -u -w -b -W -i -n= -U= -S= -G= -M -M90 -5 -20 --oneline --graph --all --branches
      --branches=x --tags --remotes --decorate --no-decorate --max-count= --skip= --since= --after=
      --until= --before= --author= --committer= --grep= --all-match --invert-grep --format= --pretty
      --pretty=x --abbrev-commit --date= --merges --no-merges --first-parent --follow --reverse
      --topo-order --date-order --left-right --cherry-pick --stat --patch --name-only --unified=`,
    "git branch": `-a -r -v -l --all --remotes --verbose --list --show-current --contains
      --contains=x --no-contains --merged --no-merged --points-at= --sort=subject --format=
      --color --column --abbrev --ignore-case`,
  },
  change: {
    "git add x": `-A -u -n -v -N --all --update --dry-run --verbose --intent-to-add --ignore-errors
      --no-all`,
    "git commit -m x": `-q -s -m= --message= --no-edit --quiet --signoff --allow-empty --dry-run --only
      --include --short`,
    "git branch x": `-d -m -c -q -t -u= --delete --move --copy --quiet --track --track=direct --no-track
      --set-upstream-to= --unset-upstream`,
    "git checkout x":
      "-q -t -d -l -b= --quiet --track --track=direct --no-track --detach --guess --no-guess",
  },
  ask: { "git commit -m x": "--amend" },
};

/** What makes more of a command than its name says, and why it is refused, not just unknown. */
const ACTING: Readonly<Record<string, readonly [options: string, reason: string]>> = {
  git: ["-c -C --exec-path --git-dir --work-tree --paginate -p", "before the subcommand"],
  "find x": [
    "-exec -execdir -ok -okdir -delete -fprint -fprint0 -fprintf -fls -files0-from",
    "runs, writes or deletes",
  ],
  find: ["-L -H -follow", "follows links"],
};

/** They write, run a program, follow a link or read a list: the same commands refuse them. */
const REFUSED: Readonly<Record<string, string>> = {
  ls: "-H -L --dereference --hyperlink",
  cat: "-x --output",
  head: "-f --follow",
  tail: "-f -F --follow --pid=1 --retry",
  wc: "--files0-from=x --total",
  echo: "-x",
  "grep x": "-R --dereference-recursive --devices=read -y",
  "git status": "-c --show-stash",
  "git diff": "--no-index --ext-diff --textconv --output=x -o -O",
  "git log": "--ext-diff --textconv --output=x --show-signature -L1:x --remerge-diff",
  "git branch x": "-f -D -M -C --force --edit-description",
  "git add x": "-f -i -p -e --force --interactive --patch --edit --chmod=+x --pathspec-from-file=x",
  "git commit -m x": "-a -C -c -F -e -p -S -n --all --file=x --no-verify --gpg-sign --template=x",
  "git checkout x": "-f -B -m -p --force --merge --patch --orphan=x --ours --theirs",
  "find x": "-mount1 -context -daystart1 -D -O3",
};

const listOf = (text: string) => text.trim().split(/\s+/u);
const evaluate = (line: string) => {
  const argv = line.split(" ");
  return evaluateCommand(argv, [argv[0] ?? ""]);
};
const lines = (table: Readonly<Record<string, string>>) =>
  Object.entries(table).flatMap(([command, options]) =>
    listOf(options).flatMap((option) => {
      if (!option.endsWith("=")) return [`${command} ${option}`];
      const bare = option.slice(0, -1);
      const joined = bare.startsWith("--") ? option : bare;
      return [`${command} ${joined}5`, `${command} ${bare} 5`];
    }),
  );

describe.each(Object.entries(OPTIONS))("evaluateCommand() lets %s", (kind, table) => {
  test.each(lines(table))("%s", (line) => {
    expect<string>(evaluate(line).kind).toBe(kind);
  });
});

describe("evaluateCommand() refuses", () => {
  test.each(lines(REFUSED))("%s, and says why", (line) => {
    const verdict = evaluate(line);
    const option = line.split(" ").at(-1) ?? "";
    expect(verdict).toEqual({ kind: "deny", reason: expect.stringContaining(`"${option}`) });
  });

  describe.each(Object.entries(ACTING))("%s", (command, [options, reason]) => {
    test.each(listOf(options))("%s", (option) => {
      const verdict = evaluate(`${command} ${option}`);
      expect(verdict).toEqual({ kind: "deny", reason: expect.stringContaining(reason) });
    });
  });

  test.each(["ls", "grep x", "git log", "git branch"])("%s, naming what is allowed", (command) => {
    const verdict = evaluate(`${command} --no-such-option`);
    const [options] = [OPTIONS["read"]?.[command] ?? ""];
    const reason = verdict.kind === "deny" ? verdict.reason : "";
    for (const option of listOf(options)) {
      const name = /^--[^=]+|^-./u.exec(option)?.[0] ?? "";
      if (!/^-\d/u.test(name)) expect(`${reason} `).toMatch(new RegExp(`${name}[ =]`, "u"));
    }
  });
});

test("evaluateCommand() names the files that grep reads its patterns from", () => {
  const paths = (line: string) => {
    const verdict = evaluate(line);
    return verdict.kind === "deny" ? verdict.reason : verdict.paths;
  };
  expect(paths("grep x a.txt")).toEqual(["a.txt"]);
  expect(paths("grep -f list a.txt")).toEqual(["a.txt", "list"]);
  expect(paths("grep --file=list a.txt")).toEqual(["a.txt", "list"]);
  expect(paths("grep -e x a.txt")).toEqual(["a.txt"]);
  expect(paths("grep --regexp=x a.txt")).toEqual(["a.txt"]);
  expect(paths("echo a.txt")).toEqual([]);
});

test.each([
  ["grep -r x", ["-r"], ["x"], ["."]],
  ["grep -rn x src docs", ["-rn"], ["x"], ["src", "docs"]],
  ["grep --recursive -e x src", ["--recursive", "-e", "x"], [], ["src"]],
])(
  "evaluateCommand() takes a search through folders apart: %s",
  (line, options, pattern, folders) => {
    const head = ["grep", "-H", ...options, "--", ...pattern];
    expect(evaluate(line)).toMatchObject({ kind: "read", search: { head, folders } });
  },
);

test("evaluateCommand() refuses more words than a person reads", () => {
  const verdict = (length: number) =>
    evaluateCommand(["echo", "x".repeat(length - "echo ".length)], ["echo"]).kind;
  expect([verdict(8000), verdict(8001)]).toEqual(["read", "deny"]);
});

test("evaluateCommand() refuses a runner of more words than anybody looks through", () => {
  const verdict = (words: number) =>
    evaluateCommand(["npx", ...Array.from({ length: words }, () => "x")], ["npx"]);
  expect(verdict(200).kind).not.toBe("deny");
  expect(verdict(201)).toMatchObject({ kind: "deny", reason: expect.stringContaining('"npx"') });
});

/** With a file that holds its program, and any option that holds none. */
test.each([
  ..."bcknNPrsSt".split("").map((letter) => `-${letter}`),
  ..."-F: -va=b --field-separator=: --assign=a=b --csv --posix --traditional --re-interval --sandbox".split(
    " ",
  ),
])("evaluateCommand() takes no option of awk for its program: %s", (option) => {
  for (const file of ["-f x.awk", "--file=x.awk"]) {
    expect(evaluate(`gawk ${option} ${file} a.txt`).kind).not.toBe("deny");
  }
  expect(evaluate(`gawk ${option} 1 a.txt`).kind).toBe("deny");
});
