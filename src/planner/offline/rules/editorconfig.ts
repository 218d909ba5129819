import type { Part } from "../../../workspace/part.ts";
import type { ProjectView } from "../project-view.ts";
import { createFile, type Finding, NOTHING } from "../rule.ts";

const SOURCE =
  /\.(?:[cm]?[jt]sx?|vue|svelte|css|scss|html|py|rs|go|java|kt|swift|rb|php|cs|c|h|cc|cpp|hpp|sh|lua)$/;
const MAX_FILES = 200;

/** An .editorconfig that says how the sources really are; none when they do not say. */
export async function editorconfigRule(project: ProjectView): Promise<Part<Finding>> {
  if (!project.isFree(".editorconfig")) return NOTHING;
  const texts: string[] = [];
  for (const path of project.paths.filter((each) => SOURCE.test(each)).slice(0, MAX_FILES)) {
    const file = await project.readText(path);
    if (file !== undefined && file.text !== "") texts.push(file.text);
  }
  const indentation = mostCommon(texts.map(indentationOf));
  if (indentation === undefined) return NOTHING;
  const content = [
    "root = true",
    "",
    "[*]",
    "charset = utf-8",
    ...lineEnding(texts),
    ...(texts.every((text) => text.endsWith("\n")) ? ["insert_final_newline = true"] : []),
    ...(indentation === "tab"
      ? ["indent_style = tab"]
      : ["indent_style = space", `indent_size = ${indentation}`]),
    "",
  ].join("\n");
  return createFile(project, ".editorconfig", content, ({ editorconfig }) => editorconfig);
}

/** "tab", or how many blanks one step is; undefined when the text has no indentation. */
function indentationOf(text: string): string | undefined {
  const steps: string[] = [];
  let before = 0;
  for (const line of text.split("\n")) {
    const indent = /^[ \t]*(?=[^\s*])/.exec(line)?.[0];
    if (indent === undefined) continue; // blank, or the inside of a block comment
    if (indent.startsWith("\t")) steps.push("tab");
    else if (indent.length > before && indent.length - before <= 8)
      steps.push(String(indent.length - before));
    before = indent.length;
  }
  return mostCommon(steps.filter((step) => step !== "1"));
}

function lineEnding(texts: readonly string[]): readonly string[] {
  const broken = texts.filter((text) => text.includes("\n"));
  const windows = broken.filter((text) => text.includes("\r\n")).length;
  if (windows === 0) return ["end_of_line = lf"];
  return windows === broken.length ? ["end_of_line = crlf"] : [];
}

/** The value found most often, the smallest of equals; undefined values do not count. */
function mostCommon(values: readonly (string | undefined)[]): string | undefined {
  const counts = new Map<string, number>();
  for (const value of values)
    if (value !== undefined) counts.set(value, (counts.get(value) ?? 0) + 1);
  return [...counts].toSorted(([a, x], [b, y]) => y - x || (a < b ? -1 : 1))[0]?.[0];
}
