import type { Language } from "../../core/language.ts";
import { textsIn } from "../../texts/texts.ts";
import type { CheckCommand } from "../../workspace/workspace.ts";
import { oneLine } from "./one-line.ts";
import type { ProjectView } from "./project-view.ts";
import type { Finding } from "./rule.ts";

/** Diagnosis, numbered plan, how to check. */
export function renderSummary(
  project: ProjectView,
  findings: readonly Finding[],
  checks: readonly CheckCommand[],
  language: Language,
): string {
  const words = textsIn(language).offline;
  const { name, kind, packageManager } = project.profile;
  const known = kind === "plain" ? words.plainKind : KINDS[kind];
  const label = packageManager === "bun" ? "Bun" : known;
  const { length: count } = findings;
  const found = count === 0 ? words.nothing : words.proposed(count);
  const diagnosis = words.diagnosis(oneLine(name), label, project.paths.length, found);
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

const KINDS = { node: "Node", rust: "Rust", python: "Python", go: "Go" } as const;
