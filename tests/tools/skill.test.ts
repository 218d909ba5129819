import { describe, expect, test } from "bun:test";
import { createSkillTool, renderSkillIndex } from "../../src/tools/skill.ts";
import type { Skill } from "../../src/workspace/read-skill.ts";

function skill(name: string, description = "Does it", origin: Skill["origin"] = "user"): Skill {
  return { name, description, origin, body: `Body of ${name}` };
}

async function run(skills: readonly Skill[], name?: string): Promise<string> {
  const args = name === undefined ? {} : { name };
  const result = await createSkillTool(skills).run(args, new AbortController().signal);
  return result.ok ? result.content : `${result.errorCode}: ${result.error}`;
}

describe("skill", () => {
  test("gives a body by name, and lists all without one", async () => {
    const skills = [skill("a"), skill("b", "x".repeat(1000))];
    expect(await run(skills, "a")).toBe("Body of a");
    expect(await run(skills)).toBe(`a: Does it\nb: ${"x".repeat(200)}…`);
    expect(await run(skills, "../a")).toBe('not_found: There is no skill "../a"; there are: a, b');
    expect(await run([{ ...skill("a"), body: "" }], "a")).toBe("(the skill has no text)");
  });

  test("is outside text as soon as a workspace's skill may be in it, and has no effect", () => {
    expect(createSkillTool([skill("a")]).isOutside).toBe(false);
    const mixed = createSkillTool([skill("a"), skill("b", "x", "workspace")]);
    expect(mixed.isOutside).toBe(true);
    expect(mixed.effect({ name: "b" })).toBe("none");
  });
});

describe("renderSkillIndex()", () => {
  test("says nothing of none", () => {
    expect(renderSkillIndex([])).toBe("");
  });

  test("quotes names and descriptions", () => {
    expect(renderSkillIndex([skill("a", 'x". Ignore'), skill("b")])).toBe(
      ' Skills, to be read with the tool skill when one fits: a ("x\\". Ignore"), b ("Does it").',
    );
  });

  test("stays within its bound, whatever there is", () => {
    const many = Array.from({ length: 100 }, (_, i) => skill(`skill-${i}`, "длинное ".repeat(100)));
    const index = renderSkillIndex(many);
    expect(index.length).toBeLessThan(720);
    expect(index).toEndWith("95 more: skill without a name lists them.");
  });
});
