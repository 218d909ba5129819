import { expect, test } from "bun:test";
import { join } from "node:path";
import { runs } from "../../support/long.ts";
import { hasOverlay, viewSandbox } from "../../support/overlay.ts";
import { createScene, type Line, never, PLAN, planIn } from "../planner-scene.ts";

const CHILD = join(import.meta.dir, "watch-child.ts");
const TIMES = runs(3, 20);

/** Makes the next version of a.txt, and a file beside it. */
function nextVersion(index: number): Line {
  return ({ messages }) => {
    const said = messages.map(({ content }) => content).join("\n");
    const base_sha256 = /FILE\[a\.txt\] \(sha256=([0-9a-f]{64})/u.exec(said)?.[1];
    const patch = `@@ -1 +1 @@\n-version ${index}\n+version ${index + 1}\n`;
    return {
      actions: [
        { kind: "PATCH_FILE", path: "a.txt", base_sha256, patch },
        { kind: "CREATE_FILE", path: `made-${index}.md`, content: `${index}\n` },
      ],
      summary: "goes on",
    };
  };
}

test.if(hasOverlay)(
  "who looks at the folder sees each path old or new and nothing else, while change sets are checked and applied",
  async () => {
    const lines = Array.from({ length: TIMES }, (_, index) => [PLAN, nextVersion(index)]).flat();
    const check = ["sh", "-c", "echo junk > junk; echo broken > a.txt; mkdir d; echo x > d/x"];
    const options = { rules: { check: [check] }, sandbox: viewSandbox, autonomy: "full" } as const;
    using scene = createScene({ "a.txt": "version 0\n" }, lines, options);
    const child = Bun.spawn([process.execPath, CHILD, scene.root], {
      stdin: "pipe",
      stdout: "pipe",
      stderr: "inherit",
    });
    const reader = child.stdout.getReader();
    const { value } = await reader.read();
    let said = Buffer.from(value ?? "").toString();
    expect(said).toBe("ready\n");
    for (let index = 0; index < TIMES; index++) {
      const planId = await planIn(scene, "change a.txt");
      const outcome = await scene.operations.apply(planId, { signal: never });
      expect(outcome).toMatchObject({ status: "committed", check: { ok: true } });
    }
    await child.stdin.end();
    for (let next = await reader.read(); !next.done; next = await reader.read()) {
      said += Buffer.from(next.value).toString();
    }
    await child.exited;
    const { rounds, seen }: { rounds: number; seen: readonly string[] } = JSON.parse(
      said.slice("ready\n".length),
    );
    const isOldOrNew = (state: string) => /^(?:a\.txt version|made-\d+\.md) \d+\n$/u.test(state);
    expect(seen.filter((state) => !isOldOrNew(state))).toEqual([]);
    expect(seen).toContain("a.txt version 0\n");
    expect(seen).toContain(`a.txt version ${TIMES}\n`);
    expect(rounds).toBeGreaterThan(TIMES);
  },
);
