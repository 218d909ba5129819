import { shorten } from "../core/cut-text.ts";
import { renderLeftOut } from "../workspace/part.ts";
import type { Skill } from "../workspace/skills/skills.ts";
import { failure, type Tool, type ToolResult } from "./tool.ts";

const MAX_INDEX_CHARS = 600;

/**
 * `skill`: the instructions of one skill, or a list of all. A skill says how; what may be done
 * is checked call by call, whatever it says.
 */
export function createSkillTool(skills: readonly Skill[]): Tool {
  return {
    schema: {
      name: "skill",
      description:
        "Gives the instructions of a skill, or one of its files; without a name lists all skills",
      parameters: {
        type: "object",
        properties: {
          name: { type: "string" },
          file: { type: "string", description: "a path inside the skill's folder" },
        },
      },
    },
    effect: () => "none",
    isRare: true,
    // A skill of the workspace may have come with somebody's repository.
    origin: skills.some(({ origin }) => origin === "workspace") ? "outside" : "own",
    leaves: "nothing",
    async run({ name = "", file }, signal) {
      if (name === "") {
        const lines = skills.map(
          ({ name: each, description }) => `${each}: ${shorten(description, 200)}`,
        );
        return { ok: true, content: lines.join("\n") };
      }
      const skill = skills.find((each) => each.name === name);
      if (skill) {
        return typeof file === "string" ? showFile(skill, file, signal) : showSkill(skill, signal);
      }
      const known = skills.map((each) => each.name).join(", ");
      const error = `There is no skill ${JSON.stringify(name)}; there are: ${known}`;
      return { ok: false, error, errorCode: "not_found", retryable: false };
    },
  };
}

async function showSkill(skill: Skill, signal: AbortSignal): Promise<ToolResult> {
  const body = skill.body || "(the skill has no text)";
  const { listSkillFiles } = await import("../workspace/skills/skill-files.ts");
  const { items, leftOut } = await listSkillFiles(skill, signal);
  const left = renderLeftOut(leftOut);
  if (items.length === 0 && left === undefined) return { ok: true, content: body };
  const lines = left === undefined ? items : [...items, `… ${left}`];
  return { ok: true, content: `${body}\n\nFiles of the skill:\n${lines.join("\n")}` };
}

async function showFile(skill: Skill, path: string, signal: AbortSignal): Promise<ToolResult> {
  const { listSkillFiles, readSkillFile } = await import("../workspace/skills/skill-files.ts");
  const file = readSkillFile(skill, path);
  if (file.ok) return { ok: true, content: file.text || "(the file is empty)" };
  if (file.code !== "not_found") return failure(file.code, file.message);
  const { items: paths } = await listSkillFiles(skill, signal);
  return failure(file.code, `${file.message}; there are: ${paths.join(", ") || "none"}`);
}

/**
 * What the system prompt says of skills: names and descriptions, quoted and within 600
 * characters; nothing where there are none. A workspace's skills may be a stranger's: of these
 * only the names, which can say nothing.
 */
export function renderSkillIndex(skills: readonly Skill[]): string {
  if (skills.length === 0) return "";
  let chars = 0;
  const shown = skills
    .map(({ name, description, origin }) =>
      origin === "workspace" ? name : `${name} (${JSON.stringify(shorten(description, 100))})`,
    )
    .filter((text) => (chars += text.length + 2) <= MAX_INDEX_CHARS);
  const more = skills.length - shown.length;
  const rest = more > 0 ? [`${more} more: skill without a name lists them`] : [];
  return ` Skills, to be read with the tool skill when one fits: ${[...shown, ...rest].join(", ")}.`;
}
