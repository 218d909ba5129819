import { describe, expect, test } from "bun:test";
import { rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { errorMessage } from "../../src/core/app-error.ts";
import { readChangeMark } from "../../src/daemon/routines/change-mark.ts";
import { openScene } from "../agent/scene.ts";
import { routine } from "../routines/bench.ts";
import { writeTree } from "../support/tree.ts";

const { signal } = new AbortController();

async function open(allowedHosts: readonly string[] = []) {
  const scene = await openScene();
  const places = {
    workspace: (name: string) => scene.app.current.agent.core.workspaces.get(name),
    allowedHosts,
  };
  const mark = (onlyIfChanged: boolean | string, workspace: string | undefined = "notes") =>
    readChangeMark(routine({ onlyIfChanged, ...(workspace && { workspace }) }), places, signal);
  return { scene, mark, [Symbol.dispose]: () => scene[Symbol.dispose]() };
}

describe("readChangeMark()", () => {
  test("is none for a routine that runs in any case, or has nothing to look at", async () => {
    using world = await open();
    expect(await world.mark(false)).toBeUndefined();
    expect(await world.mark(true, "")).toBeUndefined();
  });

  test("of a glob changes with the files that fit it, and no others", async () => {
    using world = await open();
    const { folder } = world.scene;
    writeTree(folder, { "inbox/a.md": "1", "other.md": "1" });
    const glob = "glob:inbox/**/*.md";
    const [inbox, whole] = [await world.mark(glob), await world.mark(true)];
    writeFileSync(join(folder, "other.md"), "22");
    expect(await world.mark(glob)).toBe(inbox);
    expect(await world.mark(true)).not.toBe(whole);
    writeFileSync(join(folder, "inbox/b.md"), "1");
    expect(await world.mark(glob)).not.toBe(inbox);
    rmSync(join(folder, "inbox/b.md"));
    expect(await world.mark(glob)).toBe(inbox);
  });

  test("of an address changes with what it answers; a failure is none", async () => {
    let [body, status] = ["one", 200];
    const server = Bun.serve({
      hostname: "127.0.0.1",
      port: 0,
      fetch: () => new Response(body, { status, headers: { date: String(Math.random()) } }),
    });
    try {
      using world = await open(["127.0.0.1"]);
      const url = `url:http://127.0.0.1:${server.port}/feed`;
      const first = await world.mark(url, "");
      expect(await world.mark(url)).toBe(first);
      body = "two";
      expect(await world.mark(url)).not.toBe(first);
      status = 503;
      expect(await world.mark(url).catch(errorMessage)).toContain("answers 503");
    } finally {
      await server.stop(true);
    }
  });

  test("of an address inside is refused unless its host is allowed", async () => {
    using world = await open();
    for (const url of ["url:http://127.0.0.1:9/", "url:http://169.254.169.254/latest/"]) {
      expect(await world.mark(url).catch(() => "refused")).toBe("refused");
    }
  });
});
