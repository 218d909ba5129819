import {
  describeUnknown,
  type OptionRules,
  type ReadArguments,
  readOptions,
} from "./read-options.ts";

/** A call of git taken apart, so that it can be put together with options of our own. */
export interface GitCall {
  readonly subcommand: GitSubcommand;
  readonly options: readonly string[];
  /** What came before "--": revisions, names, or paths. */
  readonly operands: readonly string[];
  /** What came after "--". */
  readonly tail: readonly string[] | undefined;
  /** It shows, stages or writes contents of whatever files there are: protected ones must be left out. */
  readonly spareProtected: boolean;
}

/** The subcommands that may be called at all. */
export type GitSubcommand = keyof typeof RULES;

/** See CommandVerdict; `paths` are operands that must be paths of the workspace if they are any. */
export type GitVerdict =
  | {
      readonly kind: "read" | "change" | "ask";
      readonly paths: readonly string[];
      readonly git: GitCall;
    }
  | { readonly kind: "deny"; readonly reason: string };

const DIFF_LONGS = `patch no-patch stat=? numstat shortstat summary name-only name-status unified=
  word-diff=? color=? ignore-space-change ignore-all-space ignore-blank-lines find-renames=?
  diff-filter= check raw exit-code function-context relative no-prefix histogram patience minimal`;

const RULES = {
  status: {
    flags: "sbz",
    attached: "u",
    longs: "short branch porcelain=? long untracked-files=? ignored=? no-renames renames column=?",
  },
  diff: {
    flags: "pswbWR",
    valued: "U",
    attached: "M",
    longs: `cached staged merge-base quiet ${DIFF_LONGS}`,
  },
  log: {
    flags: "psuwbWi",
    valued: "nUSG",
    attached: "M",
    longs: `oneline graph all branches=? tags=? remotes=? decorate=? no-decorate max-count= skip= since=
      after= until= before= author= committer= grep= all-match invert-grep format= pretty=?
      abbrev-commit date= merges no-merges first-parent follow reverse topo-order date-order
      left-right cherry-pick ${DIFF_LONGS}`,
    numeric: true,
  },
  add: { flags: "AunvN", longs: "all update dry-run verbose intent-to-add ignore-errors no-all" },
  commit: {
    flags: "qs",
    valued: "m",
    longs: "message= amend no-edit quiet signoff allow-empty dry-run only include short",
  },
  branch: {
    flags: "arvldmcqt",
    valued: "u",
    longs: `all remotes verbose list delete move copy quiet track=? no-track show-current
      set-upstream-to= unset-upstream contains=? no-contains=? merged=? no-merged=? points-at= sort=
      format= color=? column=? abbrev=? ignore-case`,
  },
  checkout: { flags: "qtdl", valued: "b", longs: "quiet track=? no-track detach guess no-guess" },
} as const satisfies Readonly<Record<string, OptionRules>>;

/** Options of `branch` that change nothing. */
const LISTING: ReadonlySet<string> = new Set(
  `a r v l i all remotes verbose list show-current contains no-contains merged no-merged points-at
  sort format color column abbrev ignore-case`.split(/\s+/u),
);
/** With these a name filters the list; else it would make a branch. */
const FILTERS = ["l", "list", "contains", "no-contains", "merged", "no-merged", "points-at"];
/** Options of `log` with which contents are shown or told from. */
const SHOWING = "p u U S G W patch unified word-diff function-context check raw".split(" ");
/** What a format or an order of `branch` may name; others print objects whole, or run a program. */
const ATOM =
  /^[-*]*(?:v(?:ersion)?:)?(?:refname|objectname|objecttype|objectsize|upstream|push|symref|HEAD|subject|author|committer|creator|tree|parent|numparent|worktreepath|ahead-behind|align|color|if|then|else|end)(?:name|email|date)?(?::.*)?$/su;
const REVISION = /^[\w./@^~{}+\-#%,]+$/u;

/** Checks what follows `git`, option by option. */
export function checkGit([subcommand = "", ...args]: readonly string[]): GitVerdict {
  if (subcommand.startsWith("-")) {
    return deny(
      `"${subcommand}" before the subcommand of git; begin with the subcommand, and use cwd for a folder`,
    );
  }
  if (!isSubcommand(subcommand)) {
    return deny(
      `git ${subcommand}; there are ${Object.keys(RULES).join(", ")}, the rest is for the user to do`,
    );
  }
  const given = readOptions(args, RULES[subcommand]);
  if ("unknown" in given) {
    return deny(describeUnknown(`git ${subcommand}`, given.unknown, RULES[subcommand]));
  }
  // For git a checkout with nothing behind "--" is a switch; with paths of ours it would not be.
  const isBare = subcommand === "checkout" && given.tail?.length === 0;
  const read = isBare ? { ...given, tail: undefined } : given;
  const fault = findFault(subcommand, read);
  if (fault !== undefined) return deny(fault);
  const { words: options, operands, tail } = read;
  const git: GitCall = {
    subcommand,
    options,
    operands,
    tail,
    spareProtected: isSparing(subcommand, read),
  };
  const names = subcommand === "branch" ? [] : operands;
  return { kind: evaluateKind(subcommand, read), paths: [...names, ...(tail ?? [])], git };
}

function isSubcommand(name: string): name is GitSubcommand {
  return Object.hasOwn(RULES, name);
}

function findFault(subcommand: GitSubcommand, read: ReadArguments): string | undefined {
  const { operands, tail, given } = read;
  const odd = operands.find((operand) => !REVISION.test(operand) && subcommand !== "add");
  if (odd !== undefined) {
    return `"${odd}" is neither a plain revision nor a plain path; put paths after "--"`;
  }
  const magic = [...operands, ...(tail ?? [])].find((path) => path.startsWith(":"));
  if (magic !== undefined) return `"${magic}" has pathspec magic; name the path`;
  if (given.some(({ value }) => value?.includes("%G"))) return "%G checks signatures by a program";
  switch (subcommand) {
    case "add":
      return operands.length + (tail?.length ?? 0) > 0 || has(read, "A", "u", "all", "update")
        ? undefined
        : "git add names no path; name one, or give -A";
    case "commit":
      return has(read, "m", "message", "no-edit")
        ? undefined
        : "git commit without a message would open an editor; give -m";
    case "log":
      return has(read, "follow") && has(read, ...SHOWING)
        ? "git log --follow with contents could show a protected file by an older name; leave --follow out"
        : undefined;
    case "branch": {
      const atom = atomsOf(read).find((each) => !ATOM.test(each));
      return atom === undefined ? undefined : `"${atom}" of git branch could print a whole object`;
    }
    case "status":
    case "diff":
    case "checkout":
      return undefined;
    default:
      return subcommand satisfies never;
  }
}

/** What a list of branches is written and ordered by. */
function atomsOf({ given }: ReadArguments): readonly string[] {
  return given.flatMap(({ name, value = "" }) => {
    if (name === "sort") return [value];
    return name === "format"
      ? [...value.matchAll(/%\(([^)]*)/gu)].map(([, atom = ""]) => atom)
      : [];
  });
}

function isSparing(subcommand: GitSubcommand, read: ReadArguments): boolean {
  switch (subcommand) {
    case "diff":
    case "add":
      return true;
    case "log": // paths hide commits, so only where it must be
      return has(read, ...SHOWING);
    case "checkout":
      return read.tail !== undefined;
    case "commit":
      return read.operands.length + (read.tail?.length ?? 0) > 0;
    case "status":
    case "branch":
      return false;
    default:
      return subcommand satisfies never;
  }
}

/** What throws away work that is nowhere else is always a question. */
function evaluateKind(subcommand: GitSubcommand, read: ReadArguments): "read" | "change" | "ask" {
  const { operands, tail, given } = read;
  switch (subcommand) {
    case "status":
    case "diff":
    case "log":
      return "read";
    case "branch": {
      const isListing = given.every(({ name }) => LISTING.has(name));
      return isListing && (operands.length === 0 || has(read, ...FILTERS)) ? "read" : "change";
    }
    case "add":
      return "change";
    case "commit":
      return has(read, "amend") ? "ask" : "change";
    case "checkout": {
      const isSwitch = tail === undefined && (operands.length < 2 || has(read, "b"));
      return isSwitch ? "change" : "ask";
    }
    default:
      return subcommand satisfies never;
  }
}

function has({ given }: ReadArguments, ...names: readonly string[]): boolean {
  return given.some(({ name }) => names.includes(name));
}

function deny(reason: string): GitVerdict {
  return { kind: "deny", reason };
}
