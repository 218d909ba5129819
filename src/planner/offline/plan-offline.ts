import type { Language } from "../../core/language.ts";
import type { Action } from "../../protocol/response.ts";
import { textsIn } from "../../texts/texts.ts";
import { resolveChecks } from "../../workspace/checks/checks.ts";
import type { LeftOut } from "../../workspace/part.ts";
import type { ProjectProfile } from "../../workspace/profile.ts";
import type { CheckCommand, Workspace } from "../../workspace/workspace.ts";
import { oneLine } from "./one-line.ts";
import { openProject, type ProjectView } from "./project-view.ts";
import type { Finding } from "./rule.ts";
import { type ReadGoal, readGoal } from "./rules/rules.ts";

/** What to look at, what for, and in which language to say it. */
export interface OfflineInput {
  readonly workspace: Workspace;
  readonly goal: string;
  readonly profile: ProjectProfile;
  /** Of the summary; what is written into files is English. */
  readonly language?: Language;
  /** Year for a licence. */
  readonly year?: number;
  readonly signal?: AbortSignal;
}

/** A proposal in the protocol's terms. */
export interface OfflineAnswer {
  /** Diagnosis, numbered plan, how to check; says so when nothing is missing. */
  readonly summary: string;
  /** Existing files that the patches are made for. */
  readonly reads: readonly string[];
  /** Empty when nothing is missing. */
  readonly actions: readonly Action[];
}

/**
 * Plans without a model: built-in rules look for what a newcomer would miss and for one kind of
 * bug. The same project and goal give the same answer; existing files are only ever patched.
 */
export async function planOffline(input: OfflineInput): Promise<OfflineAnswer> {
  const { workspace, goal, profile, language = "en" } = input;
  const project = await openProject(workspace, profile, input);
  const findings: Finding[] = [];
  const unseen: LeftOut[] = [...project.leftOut];
  const read = readGoal(goal);
  for (const rule of read.rules) {
    const { items, leftOut } = await rule(project);
    findings.push(...items);
    unseen.push(...leftOut);
  }
  const kept = findings.slice(0, workspace.maxActions || profile.maxActions);
  const missing = { later: findings.length - kept.length, unseen, read };
  const actions = kept.map((finding) => finding.action);
  return {
    summary: renderSummary(project, { kept, ...missing }, await resolveChecks(workspace), language),
    reads: actions.filter(({ kind }) => kind === "PATCH_FILE").map(({ path }) => path),
    actions,
  };
}

/** What the rules found, for what, and what is missing from it. */
interface Proposed {
  readonly read: ReadGoal;
  readonly kept: readonly Finding[];
  /** Findings that are more than one transaction takes. */
  readonly later: number;
  /** What no rule looked at. */
  readonly unseen: readonly LeftOut[];
}

/** Diagnosis, numbered plan, how to check. */
function renderSummary(
  project: ProjectView,
  { kept: findings, later, unseen, read }: Proposed,
  checks: readonly CheckCommand[],
  language: Language,
): string {
  const words = textsIn(language).offline;
  const { name, kind, packageManager } = project.profile;
  const known = kind === "plain" ? undefined : KINDS[kind];
  const label = packageManager === "bun" ? "Bun" : known;
  const { length: count } = findings;
  const found = count === 0 ? words.nothing : words.proposed(count);
  const files = project.paths.length + countOf(project.leftOut);
  const missing = [
    ...describeReading(read, language),
    ...(later > 0 ? [words.later(later)] : []),
    ...(unseen.length > 0 ? [words.unseen(countOf(unseen))] : []),
  ];
  const diagnosis = [words.diagnosis(oneLine(name), label, files, found), ...missing].join(" ");
  if (count === 0) return diagnosis;
  const steps = findings.map(({ action, reason }, index) => {
    const verb = action.kind === "PATCH_FILE" ? words.patch : words.create;
    return `${index + 1}. ${verb} ${action.path}: ${reason(words.reasons)}`;
  });
  const commands = checks.map(({ argv }) => `- ${argv.join(" ")}`);
  const howToCheck = commands.length > 0 ? commands : [`- ${words.byReading}`];
  return [diagnosis, "", `${words.plan}:`, ...steps, "", `${words.check}:`, ...howToCheck].join(
    "\n",
  );
}

/** A goal stands above its plan: what of it no rule can follow is said, or the plan would claim it. */
function describeReading({ known, isGeneral }: ReadGoal, language: Language): readonly string[] {
  const words = textsIn(language).offline;
  if (known.length > 0) return [words.knownWords(known.map(oneLine))];
  return isGeneral ? [] : [words.unknownGoal];
}

/** 0 where nobody counted. */
function countOf(leftOut: readonly LeftOut[]): number {
  return leftOut.reduce((sum, { what, count = 0 }) => (what === "files" ? sum + count : sum), 0);
}

const KINDS = { node: "Node", rust: "Rust", python: "Python", go: "Go" } as const;
