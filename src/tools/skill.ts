import type { Skill } from "../workspace/read-skill.ts";
import type { Tool } from "./tool.ts";

const MAX_INDEX_CHARS = 600;

/**
 * `skill`: the instructions of one skill, or a list of all. A skill says how; what may be done
 * is judged call by call, whatever it says.
 */
export function createSkillTool(skills: readonly Skill[]): Tool {
  return {
    schema: {
      name: "skill",
      description: "Gives the instructions of a skill; without a name lists all skills",
      parameters: { type: "object", properties: { name: { type: "string" } } },
    },
    effect: () => "none",
    isRare: true,
    isOutside: skills.some(({ origin }) => origin === "workspace"),
    async run({ name = "" }) {
      if (name === "") {
        const lines = skills.map(
          ({ name: each, description }) => `${each}: ${shorten(description, 200)}`,
        );
        return { ok: true, content: lines.join("\n") };
      }
      const skill = skills.find((each) => each.name === name);
      if (skill) return { ok: true, content: skill.body || "(the skill has no text)" };
      const known = skills.map((each) => each.name).join(", ");
      const error = `There is no skill ${JSON.stringify(name)}; there are: ${known}`;
      return { ok: false, error, errorCode: "not_found", retryable: false };
    },
  };
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

function shorten(text: string, chars: number): string {
  return text.length <= chars ? text : `${text.slice(0, chars).toWellFormed()}…`;
}
