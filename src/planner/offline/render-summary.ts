import type { Language } from "../../core/language.ts";
import { textsIn } from "../../texts/texts.ts";
import type { LeftOut } from "../../workspace/part.ts";
import type { CheckCommand } from "../../workspace/workspace.ts";
import { oneLine } from "./one-line.ts";
import type { ProjectView } from "./project-view.ts";
import type { Finding } from "./rule.ts";

/** What the rules found, and what is missing from it. */
interface Proposed {
  readonly kept: readonly Finding[];
  /** Findings that are more than one transaction takes. */
  readonly later: number;
  /** What no rule looked at. */
  readonly unseen: readonly LeftOut[];
}

/** Diagnosis, numbered plan, how to check. */
export function renderSummary(
  project: ProjectView,
  { kept: findings, later, unseen }: Proposed,
  checks: readonly CheckCommand[],
  language: Language,
): string {
  const words = textsIn(language).offline;
  const { name, kind, packageManager } = project.profile;
  const known = kind === "plain" ? words.plainKind : KINDS[kind];
  const label = packageManager === "bun" ? "Bun" : known;
  const { length: count } = findings;
  const found = count === 0 ? words.nothing : words.proposed(count);
  const files = project.paths.length + countOf(project.leftOut);
  const missing = [
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

/** 0 where nobody counted. */
function countOf(leftOut: readonly LeftOut[]): number {
  return leftOut.reduce((sum, { what, count = 0 }) => (what === "files" ? sum + count : sum), 0);
}

const KINDS = { node: "Node", rust: "Rust", python: "Python", go: "Go" } as const;
