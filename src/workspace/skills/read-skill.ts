import { errorMessage } from "../../core/app-error.ts";
import { withoutControls } from "../../core/visible-text.ts";

/** How to do something, in the Agent Skills format (https://agentskills.io). */
export interface Skill extends SkillText {
  /** Its real path; there may be more files in it. */
  readonly folder: string;
}

/** What its `SKILL.md` says. */
interface SkillText {
  readonly name: string;
  /** One line: what it does and when it is of use. */
  readonly description: string;
  /** A workspace's may be anybody's. */
  readonly origin: "workspace" | "user" | "builtin";
  readonly body: string;
}

/** A skill, or why a text is none. */
export type ReadSkill =
  | { readonly ok: true; readonly skill: SkillText }
  | { readonly ok: false; readonly reason: string };

const OPENING = /^---[ \t]*\r?\n/;
const CLOSING = /^---[ \t]*$/m;
const NAME = /^[a-z0-9]+(?:-[a-z0-9]+)*$/;
const MAX_NAME_CHARS = 64;
const MAX_DESCRIPTION_CHARS = 1024;

/** Reads the text of a `SKILL.md` in the folder `folder`. */
export function readSkill(text: string, folder: string, origin: Skill["origin"]): ReadSkill {
  const rest = text.replace(OPENING, "");
  const end = rest === text ? null : CLOSING.exec(rest);
  if (!end) return wrong('it must begin with a line "---", name, description, and a line "---"');
  const fields = parseYaml(rest.slice(0, end.index));
  if (!fields.ok) return wrong(`its front matter is no YAML: ${fields.reason}`);
  const { name, description } = fields;
  if (typeof name !== "string" || name.length > MAX_NAME_CHARS || !NAME.test(name)) {
    return wrong("its name must be 1 to 64 of a-z, 0-9 and single hyphens");
  }
  if (name !== folder) return wrong(`its name "${name}" must be that of its folder`);
  const line = typeof description === "string" ? toLine(description) : "";
  if (line === "" || line.length > MAX_DESCRIPTION_CHARS) {
    return wrong(`its description must be a text of 1 to ${MAX_DESCRIPTION_CHARS} characters`);
  }
  const body = withoutControls(rest.slice(end.index + end[0].length)).trim();
  return { ok: true, skill: { name, description: line, origin, body } };
}

type Fields =
  | { readonly ok: true; readonly name: unknown; readonly description: unknown }
  | { readonly ok: false; readonly reason: string };

function parseYaml(text: string): Fields {
  try {
    const fields: unknown = Bun.YAML.parse(text);
    if (typeof fields !== "object" || fields === null) return wrong("no fields");
    const { name, description }: Readonly<Record<string, unknown>> = { ...fields };
    return { ok: true, name, description };
  } catch (error) {
    const [reason = ""] = errorMessage(error).split("\n");
    return wrong(withoutControls(reason));
  }
}

function toLine(text: string): string {
  return withoutControls(text).replaceAll(/\s+/g, " ").trim();
}

function wrong(reason: string): { readonly ok: false; readonly reason: string } {
  return { ok: false, reason };
}
