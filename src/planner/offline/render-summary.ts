import type { Language } from "../../core/language.ts";
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
  const words = WORDS[language];
  const { name, kind, packageManager } = project.profile;
  const label = packageManager === "bun" ? "Bun" : words.kinds[kind];
  const diagnosis = words.diagnosis(oneLine(name), label, project.paths.length, findings.length);
  if (findings.length === 0) return diagnosis;
  const steps = findings.map(({ action, reason }, index) => {
    const verb = action.kind === "PATCH_FILE" ? words.patch : words.create;
    return `${index + 1}. ${verb} ${action.path}: ${reason[language]}`;
  });
  const commands = checks.map(({ argv }) => `- ${argv.join(" ")}`);
  const howToCheck = commands.length > 0 ? commands : [`- ${words.byReading}`];
  return [diagnosis, "", `${words.plan}:`, ...steps, "", `${words.check}:`, ...howToCheck].join(
    "\n",
  );
}

interface Words {
  readonly kinds: Readonly<Record<ProjectView["profile"]["kind"], string>>;
  readonly diagnosis: (name: string, kind: string, files: number, findings: number) => string;
  readonly plan: string;
  readonly create: string;
  readonly patch: string;
  readonly check: string;
  readonly byReading: string;
}

const WORDS: Readonly<Record<Language, Words>> = {
  en: {
    kinds: { node: "Node", rust: "Rust", python: "Python", go: "Go", plain: "plain" },
    diagnosis: (name, kind, files, findings) =>
      `"${name}" is a ${kind} project of ${count(files, "file")}. ${
        findings === 0
          ? "The built-in rules find nothing to add or mend"
          : `The built-in rules (no model was asked) propose ${count(findings, "change")}`
      }.`,
    plan: "Plan",
    create: "Create",
    patch: "Patch",
    check: "How to check",
    byReading: "read the new files; the project has no checks to run",
  },
  ru: {
    kinds: { node: "Node", rust: "Rust", python: "Python", go: "Go", plain: "без манифеста" },
    diagnosis: (name, kind, files, findings) =>
      `Проект «${name}» (${kind}), файлов: ${files}. ${
        findings === 0
          ? "Встроенные правила не нашли, что добавить или исправить"
          : `Встроенные правила (без модели) предлагают изменений: ${findings}`
      }.`,
    plan: "План",
    create: "Создать",
    patch: "Исправить",
    check: "Как проверить",
    byReading: "прочитать новые файлы; проверок в проекте нет",
  },
  zh: {
    kinds: { node: "Node", rust: "Rust", python: "Python", go: "Go", plain: "普通" },
    diagnosis: (name, kind, files, findings) =>
      `“${name}”是${kind}项目，共 ${files} 个文件。${
        findings === 0
          ? "内置规则没有发现需要补充或修复的内容"
          : `内置规则（未使用模型）建议 ${findings} 项更改`
      }。`,
    plan: "计划",
    create: "创建",
    patch: "修改",
    check: "如何检查",
    byReading: "阅读新文件；该项目没有可运行的检查",
  },
};

function count(number: number, noun: string): string {
  return `${number} ${noun}${number === 1 ? "" : "s"}`;
}
