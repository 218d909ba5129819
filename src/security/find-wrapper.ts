/** Programs that run what their arguments say, hide it from the eye, or give it more rights. */
const WRAPPERS: ReadonlySet<string> = new Set(
  `env xargs sudo doas su pkexec runuser nohup setsid timeout time nice ionice chrt taskset setarch
  linux32 linux64 chroot unshare nsenter bwrap proot fakeroot firejail systemd-run script stdbuf
  unbuffer watch parallel entr exec eval command builtin source . busybox toybox strace ltrace gdb
  ssh flock at batch crontab screen tmux expect start-stop-daemon dbus-run-session ld.so ld-linux.so.2
  vi vim nvim view ex ed emacs nano less more man`.split(/\s+/u),
);

interface InlineRule {
  readonly letters: string;
  readonly longs?: string;
}

/** By program: letters and long names of options that take code, or a program to run. */
const INLINE: ReadonlyMap<string, InlineRule> = new Map([
  ...each("sh bash dash ash zsh ksh mksh fish csh tcsh pwsh powershell cmd", { letters: "cs" }),
  ...each("python python2 python3 pypy pypy3", { letters: "c" }),
  ...each("node nodejs bun tsx ts-node", { letters: "ep", longs: "eval print" }),
  ...each("perl", { letters: "eE" }),
  ...each("ruby lua luajit Rscript osascript elixir julia", { letters: "eE", longs: "eval print" }),
  ...each("php", { letters: "rBREF", longs: "run" }),
  ...each("npx npm pnpm yarn bunx", {
    letters: "c",
    longs: "call shell-mode script-shell node-options",
  }),
  ...each("tar bsdtar gtar", {
    letters: "IF",
    longs:
      "checkpoint-action to-command use-compress-program info-script new-volume-script rsh-command rmt-command",
  }),
  ...each("make gmake", { letters: "", longs: "eval" }),
  ...each("sort", { letters: "", longs: "compress-program" }),
  ...each("rsync scp sftp", { letters: "eSo", longs: "rsh rsync-path" }),
  ...each("zip", { letters: "T", longs: "unzip-command" }),
  ...each("cargo", { letters: "", longs: "config" }),
  ...each("gcc g++ cc clang", { letters: "", longs: "wrapper" }),
]);

/** Interpreters that wait for a program on their standard input when none is named. */
const SHELLS = /^(?:ba|da|a|z|k|mk|fi|c|tc)?sh$/u;
const AWK = /^[gmn]?awk$/u;
const CODE_COMMANDS: ReadonlySet<string> = new Set(["deno eval", "bun exec"]);
/** For them such words are patterns or messages, and their own rules look at the rest. */
const OWN_MEANING: ReadonlySet<string> = new Set(["grep", "find", "git"]);
/** Words that only a shell would read: operators and redirections. */
const OPERATOR = /^(?:\|\|?|\|&|&&?|;;?|\d*(?:>>?|<<?<?)[&|]?.*|&>>?.*)$/su;

/**
 * Why an argument vector is no plain command: it needs a shell, or it is there to run another
 * one that nobody would see for what it is. Undefined when it is plain.
 */
export function findWrapper([program = "", ...args]: readonly string[]): string | undefined {
  if (/^\w+\+?=/u.test(program)) {
    return `"${program}" sets a variable; variables cannot be set, leave it out`;
  }
  const name = program.split("/").at(-1) ?? "";
  if (WRAPPERS.has(name) || name.startsWith("ld-linux")) {
    return `"${name}" runs or hides another program; give that one as the argv itself`;
  }
  return findOperator(name, args) ?? findInlineCode(name, args);
}

function findOperator(name: string, args: readonly string[]): string | undefined {
  if (OWN_MEANING.has(name)) return undefined;
  const operator = args.find((word) => OPERATOR.test(word));
  if (operator === undefined) return undefined;
  return `"${operator}" is for a shell and no shell reads this; run one command at a time, its whole output is returned`;
}

function findInlineCode(name: string, args: readonly string[]): string | undefined {
  if (CODE_COMMANDS.has(`${name} ${args[0]}`)) return inline(name);
  const bare = name.replace(/[\d.]+$/u, "");
  if (AWK.test(name) && !args.some((word) => /^-f|^--file/u.test(word))) return inline(name);
  if (SHELLS.test(name) && !args.some((word) => !/^[-+]/u.test(word))) {
    return `"${name}" without a script reads commands; name a script of the workspace`;
  }
  const rules = INLINE.get(name) ?? INLINE.get(bare);
  if (!rules) return undefined;
  const options = args.slice(0, args.includes("--") ? args.indexOf("--") : undefined);
  return options.some((word) => isInline(word, rules)) || isOldTar(name, args[0], rules.letters)
    ? inline(name)
    : undefined;
}

function inline(name: string): string {
  return `code or a program to run inside the options of "${name}"; put the code into a file with propose_changes and run that file`;
}

/** An abbreviated long option counts too. */
function isInline(word: string, { letters, longs = "" }: InlineRule): boolean {
  if (/^--?\w[\w-]{2,}/u.test(word)) {
    const [given = ""] = word.replace(/^--?/u, "").split("=");
    if (longs.split(" ").some((long) => long !== "" && long.startsWith(given))) return true;
  }
  return /^-[^-]/u.test(word) && letters.split("").some((letter) => word.slice(1).includes(letter));
}

/** `tar xIf program archive`: letters without a dash. */
function isOldTar(name: string, first: string | undefined, letters: string): boolean {
  if (!name.endsWith("tar") || first === undefined || first.startsWith("-")) return false;
  return letters.split("").some((letter) => first.includes(letter));
}

function each(names: string, rule: InlineRule): readonly (readonly [string, InlineRule])[] {
  return names.split(" ").map((name) => [name, rule]);
}
