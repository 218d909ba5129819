import { existsSync } from "node:fs";
import { join, relative, resolve } from "node:path";
import { systemErrorCode } from "../../core/app-error.ts";
import type { GitCall, GitSubcommand } from "../../security/check-git.ts";
import { findSecondNames, protectedGlobs } from "../../workspace/path-guard/path-guard.ts";
import { readSmallText } from "../../workspace/skills/skills.ts";
import { failure, type ToolFailure } from "../tool.ts";
import { type GitScene, openRepository, type Repository } from "./open-repository.ts";

const WITHOUT_PROGRAMS = ["--no-ext-diff", "--no-textconv", "--ignore-submodules=dirty"];
const OPTIONS: Readonly<Record<GitSubcommand, readonly string[]>> = {
  status: ["--ignore-submodules=dirty"],
  diff: WITHOUT_PROGRAMS,
  log: [...WITHOUT_PROGRAMS, "--no-notes"],
  add: [],
  commit: [],
  branch: [],
  checkout: ["--no-recurse-submodules"],
};

/** A call of git as it is to be run. */
export interface PreparedGit extends Repository {
  readonly argv: readonly string[];
}

/** Puts a checked call together so that nothing but git runs and no protected file is shown. */
export async function prepareGit(
  scene: GitScene,
  call: GitCall,
): Promise<PreparedGit | ToolFailure> {
  const repository = await openRepository(scene);
  if (!repository.ok) return repository;
  const writesContent = ["add", "commit", "checkout"].includes(call.subcommand);
  if (writesContent && usesFilters(repository.top)) {
    const reason = "this repository converts files by programs (filter= in .gitattributes)";
    return failure("denied", `Cannot run git ${call.subcommand}: ${reason}; the user has to do it`);
  }
  const argv = toArgv(scene, call, repository.top);
  if (!call.spareProtected) return { ...repository, argv };
  const names = findSecondNames(scene.workspace, repository.top);
  const spared = [...argv, ...(names ?? []).map((path) => `:(exclude,top,literal)${path}`)];
  const sizeBytes = Buffer.byteLength(spared.join(" "));
  if (names && sizeBytes <= MOST_BYTES) return { ...repository, argv: spared };
  const reason = names
    ? `the protected paths and their second names (hard links) to leave out make ${sizeBytes} bytes of command line, more than ${MOST_BYTES}; protect folders instead of files`
    : "there are too many files to tell which are second names (hard links) of protected ones";
  return failure("denied", `Cannot run git ${call.subcommand}: ${reason}; the user has to do it`);
}

/** Linux takes 131,072 in one word, macOS a million in all of them. */
const MOST_BYTES = 100_000;

function usesFilters(top: string): boolean {
  return [".gitattributes", ".git/info/attributes"].some((name) => {
    try {
      return /^[^#\n]*\sfilter=/mu.test(readSmallText(join(top, name)));
    } catch (error) {
      return systemErrorCode(error) !== "ENOENT";
    }
  });
}

function toArgv({ workspace, cwd }: GitScene, call: GitCall, top: string): readonly string[] {
  const { subcommand, options, operands, tail, spareProtected } = call;
  const words = ["git", subcommand, ...OPTIONS[subcommand], ...options];
  if (subcommand === "branch") return [...words, ...operands, ...(tail ?? [])];
  const isPath = (operand: string) => isPathOf(subcommand, cwd, operand);
  const isSwitch = subcommand === "checkout" && tail === undefined;
  const names = operands.filter((operand) => !isPath(operand));
  const spared = spareProtected
    ? protectedGlobs(workspace.protectedPaths)
        .flatMap((glob) => toGlobBelow(relative(workspace.root, top), glob))
        .map((glob) => `:(exclude,top,icase,glob)${glob}`)
    : [];
  return [
    ...words,
    ...(isSwitch ? names : names.map(toCommits)),
    "--",
    ...operands.filter(isPath),
    ...(tail ?? []),
    ...spared,
  ];
}

/** A glob of the workspace as one of a folder in it; none when it holds for nothing there. */
function toGlobBelow(folder: string, glob: string): readonly string[] {
  let rest = glob;
  for (const segment of folder === "" ? [] : folder.split("/")) {
    const [first = "", ...more] = rest.split("/");
    if (first === "**") return [rest];
    if (more.length === 0 || !new Bun.Glob(first.toLowerCase()).match(segment.toLowerCase())) {
      return [];
    }
    rest = more.join("/");
  }
  return [rest];
}

/** A tree or a blob has no path by which it could be spared. */
function toCommits(revision: string): string {
  const parts = revision.split(/(\.{2,3})/u);
  return parts.map((part) => (/^\.*$/u.test(part) ? part : `${part}^{commit}`)).join("");
}

/** What is there is intended as a path, but a switch goes to a branch and nowhere else. */
function isPathOf(subcommand: GitSubcommand, cwd: string, operand: string): boolean {
  switch (subcommand) {
    case "status":
    case "add":
    case "commit":
      return true;
    case "diff":
    case "log":
      return existsSync(resolve(cwd, operand));
    case "checkout":
    case "branch":
      return false;
    default:
      return subcommand satisfies never;
  }
}
