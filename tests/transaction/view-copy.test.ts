import { describe, expect, test } from "bun:test";
import {
  chownSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  symlinkSync,
  truncateSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { AppError } from "../../src/core/app-error.ts";
import { copyFolder } from "../../src/transaction/view/copy-folder.ts";
import { openView } from "../../src/transaction/view/view.ts";
import { hasOverlay } from "../support/overlay.ts";
import { until } from "../support/patience.ts";
import { IS_ROOT } from "../support/root.ts";
import { tempDir } from "../support/temp.ts";
import { readTree, writeTree } from "../support/tree.ts";
import { createViewScene, outputOf, sh, type ViewScene } from "./view-scene.ts";

const { signal } = new AbortController();
const NOTES = "it was a part of an overlay, whose notes would hide files";

/** A workspace that overlayfs would show other than it is. */
async function createScene(
  options: Parameters<typeof createViewScene>[0] = {},
): Promise<ViewScene> {
  const scene = await createViewScene(options);
  const noted = `import os; os.setxattr(${JSON.stringify(scene.root)}, "user.overlay.opaque", b"x")`;
  if (!Bun.spawnSync(["python3", "-c", noted]).success) throw new Error("no attributes here");
  return scene;
}

describe.if(hasOverlay)("openView() by copy", () => {
  test("shows the folder with the change set at another path, and hides the real one", async () => {
    using scene = await createScene();
    symlinkSync("a.txt", join(scene.root, "link"));
    const changeSet = scene.changeSet([
      { kind: "CREATE_FILE", path: "new/x.txt", content: "new\n" },
      { kind: "DELETE_FILE", path: "d/deep/three.txt" },
      { kind: "DELETE_DIR", path: "d/deep" },
    ]);
    const before = scene.look();
    await using view = await scene.open({ changeSet });
    expect(["clone", "copy"]).toContain(view.kind);
    expect(view.reason).toBe(NOTES);
    expect(await view.sideEffects(signal)).toMatchObject({ changes: [], skipped: [] });
    const script = `pwd; cat link new/x.txt build/cache.bin; ls d; ls -A ${scene.root} | wc -l
      stat -c %Y d/one.txt; echo x >>a.txt; rm d/one.txt; echo k >.papa-yu/cache/k; mkdir gen; echo g >gen/g`;
    const check = await scene.check(view, [sh(script)]);
    const time = Math.floor(Bun.file(join(scene.root, "d/one.txt")).lastModified / 1000);
    expect(outputOf(check)).toBe(`${view.root}\na\nnew\ncached\none.txt\ntwo.txt\n0\n${time}\n`);
    const { changes } = await view.sideEffects(signal);
    expect(changes.map(({ kind, path }) => `${kind} ${path}`).toSorted()).toEqual([
      "create gen/g",
      "delete d/one.txt",
      "mkdir gen",
      "update a.txt",
    ]);
    expect(scene.look()).toEqual(before);
  });

  test("counts what is written into it as disk", async () => {
    using scene = await createScene({ limits: { maxDiskBytes: 32 * 1024 * 1024 } });
    await using view = await scene.open();
    expect(["clone", "copy"]).toContain(view.kind);
    const fill = "for i in 1 2 3 4 5 6 7 8; do head -c 8388608 /dev/urandom >f$i; done; sleep 600";
    const check = await scene.check(view, [sh(fill)]);
    expect(check.stages.at(-1)?.excess?.kind).toBe("disk");
  });

  test("leaves nothing when it is gone, whatever a command made of it", async () => {
    using scene = await createScene();
    const before = scene.look();
    {
      await using view = await scene.open();
      await scene.check(view, [sh("chmod 0 d bin; rm -r build; ln -s / everything")]);
      await view.keep();
    }
    expect(readdirSync(scene.viewsDir)).toEqual([]);
    expect(scene.look()).toEqual(before);
  });

  test("gives a command no file that it could write through, nor the links' targets", async () => {
    using scene = await createScene();
    writeFileSync(join(scene.base, "outside"), "kept");
    symlinkSync(join(scene.base, "outside"), join(scene.root, "out"));
    symlinkSync(join(scene.root, "a.txt"), join(scene.root, "back"));
    const before = scene.look();
    await using view = await scene.open();
    const script = "for f in out back a.txt build/cache.bin; do echo x >>$f; done; true";
    await scene.check(view, [sh(script)]);
    expect(await Bun.file(join(scene.base, "outside")).text()).toBe("kept");
    expect(scene.look()).toEqual(before);
  });

  test("is given up by who no longer waits for it, and leaves nothing", async () => {
    using scene = await createScene();
    const before = scene.look();
    const { workspace, viewsDir, sandbox } = scene;
    const gone = AbortSignal.abort(new Error("nobody waits"));
    const opening = openView({ workspace, viewsDir, sandbox, env: process.env, signal: gone });
    expect(String(await opening.catch((error: unknown) => error))).toBe("Error: nobody waits");
    await until(() => readdirSync(viewsDir).length === 0);
    expect(scene.look()).toEqual(before);
  });

  test.each(["overlay", "copy"])(
    "tells by %s nothing to who no longer waits for it",
    async (kind) => {
      using scene = await (kind === "copy" ? createScene() : createViewScene());
      await using view = await scene.open();
      await scene.check(view, [sh("echo x >>a.txt")]);
      const looking = view.sideEffects(AbortSignal.abort(new Error("nobody waits")));
      expect(String(await looking.catch((error: unknown) => error))).toBe("Error: nobody waits");
      expect((await view.sideEffects(signal)).changes).toHaveLength(1);
    },
  );

  test("knows a large file that nobody changed", async () => {
    using scene = await createScene();
    writeFileSync(join(scene.root, "large.bin"), Buffer.alloc(9_000_000, 7));
    await using view = await scene.open();
    expect(await view.sideEffects(signal)).toMatchObject({ changes: [], skipped: [] });
    await scene.check(view, [sh("echo x >>large.bin")]);
    const { skipped } = await view.sideEffects(signal);
    expect(skipped).toEqual([{ path: "large.bin", why: "large" }]);
  });

  test("is none of what is too much to copy, and leaves nothing", async () => {
    using scene = await createScene();
    truncateSync(join(scene.root, "build/cache.bin"), 513 * 1024 * 1024); // takes no room
    const { workspace, viewsDir, sandbox } = scene;
    const opened = await openView({ workspace, viewsDir, sandbox, env: process.env, signal });
    if (opened.kind === "clone") return await opened[Symbol.asyncDispose]();
    const reason = `${NOTES}; it is over 512 MB, too much to copy`;
    expect(opened).toEqual({ kind: "none", reason });
    expect(readdirSync(viewsDir)).toEqual([]);
  });

  test("refuses a change set that does not fit the folder, and leaves nothing", async () => {
    using scene = await createScene();
    const changeSet = scene.changeSet([{ kind: "CREATE_FILE", path: "late.txt", content: "x" }]);
    writeFileSync(join(scene.root, "late.txt"), "now");
    const fault = await scene.open({ changeSet }).catch((error: unknown) => error);
    expect(fault instanceof AppError && fault.code).toBe("ERR_CHANGE_SET_STALE");
    expect(readdirSync(scene.viewsDir)).toEqual([]);
  });

  test("says nothing of a pipe or a socket of the folder, which no copy has", async () => {
    using scene = await createScene();
    const made = Bun.spawnSync(["sh", "-c", "mkfifo pipe d/deep/pipe"], { cwd: scene.root });
    expect(made.success).toBe(true);
    using _server = Bun.listen({
      unix: join(scene.root, "dev.sock"),
      socket: { data: () => undefined },
    });
    await using view = await scene.open();
    await scene.check(view, [sh("rm a.txt")]);
    const { changes, skipped } = await view.sideEffects(signal);
    expect(changes.map(({ kind, path }) => `${kind} ${path}`)).toEqual(["delete a.txt"]);
    expect(skipped).toEqual([]);
  });

  test("is none of a folder with a name that is no text, and says which", async () => {
    using scene = await createScene();
    const script = "import os; open(b'd/\\xd0\\xb6-\\xff', 'w')";
    expect(Bun.spawnSync(["python3", "-c", script], { cwd: scene.root }).success).toBe(true);
    const { workspace, viewsDir, sandbox } = scene;
    const opened = await openView({ workspace, viewsDir, sandbox, env: process.env, signal });
    const reason = `${NOTES}; a name in it is no UTF-8 text: \\xd0\\xb6-\\xff`;
    expect(opened).toEqual({ kind: "none", reason });
    expect(readdirSync(viewsDir)).toEqual([]);
  });

  test.if(IS_ROOT)("is had for files of others, not for those that are ignored", async () => {
    using scene = await createViewScene();
    chownSync(join(scene.root, "build/cache.bin"), 12_345, 12_345);
    {
      await using view = await scene.open();
      expect(view.kind).toBe("overlay");
    }
    chownSync(join(scene.root, "d/one.txt"), 12_345, 12_345);
    await using view = await scene.open();
    expect(view.reason).toBe('files in it belong to another user or group, such as "d/one.txt"');
    expect(["clone", "copy"]).toContain(view.kind);
  });
});

function sizesIn(root: string): number {
  const paths = readdirSync(root, { recursive: true, encoding: "utf8" });
  return paths.reduce((sum, path) => sum + sizeOf(join(root, path)), 0);
}

function sizeOf(path: string): number {
  const stat = lstatSync(path);
  return stat.isFile() ? stat.size : 0;
}

test("copyFolder() copies as much as it may, no more, and nothing for who no longer waits", async () => {
  using dir = tempDir();
  const bytes = 64 * 1024;
  writeTree(join(dir.path, "from"), { a: "a".repeat(bytes), "d/b": "b".repeat(bytes), c: "" });
  const copy = (name: string, most: { bytes: number; entries: number }, waits = signal) => {
    const to = join(dir.path, name);
    mkdirSync(to);
    return copyFolder({ from: join(dir.path, "from"), to, leftOut: "left", signal: waits, most });
  };
  const whole = await copy("whole", { bytes: 2 * bytes, entries: 4 });
  expect(readTree(join(dir.path, "whole"))).toEqual(readTree(join(dir.path, "from")));
  const entriesIn = (name: string) => readdirSync(join(dir.path, name), { recursive: true });
  const few = { kind: "none", reason: "it is over 3 files, too much to copy" } as const;
  expect(await copy("few", { bytes: 2 * bytes, entries: 3 })).toEqual(few);
  expect(entriesIn("few")).toEqual([]);
  const small = await copy("small", { bytes: bytes * 2 - 1, entries: 4 });
  const over = expect.stringMatching(/^it is over 0\.12\d+ MB, too much to copy$/u);
  // Where the disk shares what is copied nothing is written twice.
  expect(small).toEqual(whole.kind === "clone" ? whole : { kind: "none", reason: over });
  if (whole.kind === "copy") expect(sizesIn(join(dir.path, "small"))).toBe(0);
  const gone = copy("gone", { bytes, entries: 4 }, AbortSignal.abort(new Error("nobody waits")));
  expect(String(await gone.catch((error: unknown) => error))).toBe("Error: nobody waits");
});
