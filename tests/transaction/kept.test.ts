import { describe, expect, test } from "bun:test";
import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  utimesSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { sha256 } from "../../src/core/sha256.ts";
import { findKept, type KeepRequest, keepQuietly } from "../../src/transaction/view/kept.ts";
import { hasOverlay } from "../support/overlay.ts";
import { tempDir } from "../support/temp.ts";
import { writeTree } from "../support/tree.ts";

/** Long after everything that a test writes. */
const LATER = Date.UTC(2100, 0, 1);

/** A workspace with an ignored folder, and views of it one after another. */
function openScene() {
  const dir = tempDir();
  const [root, viewsDir] = [join(dir.path, "ws"), join(dir.path, "views")];
  writeTree(root, { ".gitignore": "/build\n", "a.txt": "a\n", "build/cache": "real\n" });
  mkdirSync(viewsDir);
  const prefix = `kept-${sha256(root).slice(0, 16)}-`;
  let views = 0;
  /** Opens a view that writes these files, and keeps it. */
  async function view(
    files: Readonly<Record<string, string>>,
    options: Partial<KeepRequest> = {},
    meanwhile = () => {},
  ) {
    const folder = join(viewsDir, `view.${++views}`);
    const upper = join(folder, "upper");
    mkdirSync(upper, { recursive: true });
    const found = await findKept({ root, viewsDir, folder, changeSet: undefined });
    writeTree(upper, files);
    meanwhile();
    const kept = { ...found, openedAtMs: LATER };
    const request = { root, viewsDir, folder, upper, kept, changeSet: undefined };
    await keepQuietly({ ...request, startedAtMs: LATER, until: undefined, ...options });
    return { found, folder };
  }
  return {
    root,
    viewsDir,
    prefix,
    view,
    kept: () => readdirSync(viewsDir).filter((name) => !name.startsWith("view.")),
    find: async () => (await view({})).found,
    marks: (name: string) => join(viewsDir, name, "marks.json"),
    [Symbol.dispose]: () => dir[Symbol.dispose](),
  };
}

describe.if(hasOverlay)("keepQuietly() and findKept()", () => {
  test("give the next view what one wrote to ignored folders, under the next number", async () => {
    using scene = openScene();
    const { prefix, viewsDir } = scene;
    const { found: none } = await scene.view({ "build/x": "x", "a.txt": "b\n" });
    expect(none).toMatchObject({ name: undefined, layer: undefined, marks: {} });
    expect(none.nextName).toBe(`${prefix}1`);
    expect(scene.kept()).toEqual([`${prefix}1`]);
    const layer = join(viewsDir, `${prefix}1`, "layer");
    expect(readdirSync(layer, { recursive: true, encoding: "utf8" }).toSorted()).toEqual([
      "build",
      "build/x",
    ]);
    utimesSync(scene.marks(`${prefix}1`), 1, 1);
    const before = Date.now();
    const { found, folder } = await scene.view({ "build/y": "y" });
    expect(found).toMatchObject({
      name: `${prefix}1`,
      layer: `${prefix}1/layer`,
      nextName: `${prefix}2`,
    });
    expect(Object.keys(found.marks)).toEqual(["build"]);
    expect(found.openedAtMs).toBeGreaterThanOrEqual(before);
    // It is in use by this view, and was so now.
    expect(readFileSync(join(folder, "uses"), "utf8")).toBe(`${prefix}1`);
    expect(statSync(scene.marks(`${prefix}1`)).mtimeMs).toBeGreaterThan(1000);
    const both = readdirSync(join(viewsDir, `${prefix}2`, "layer/build"));
    expect(both.toSorted()).toEqual(["x", "y"]);
    // The highest number counts, not the last in the order of names.
    for (const number of [9, 10]) mkdirSync(join(viewsDir, `${prefix}${number}`));
    expect((await scene.find()).nextName).toBe(`${prefix}11`);
    mkdirSync(join(viewsDir, `${prefix}x`));
    expect((await scene.find()).nextName).toBe(`${prefix}11`);
  });

  test("keep nothing where there is nothing, or somebody was at work meanwhile", async () => {
    using scene = openScene();
    await scene.view({ "a.txt": "b\n" });
    await scene.view({ "build/x": "x" }, { startedAtMs: 1 }); // real ones changed after that
    const opened = await scene.find();
    // Somebody may have changed what it covers since it was opened.
    await scene.view({ "build/cache": "c" }, { kept: { ...opened, openedAtMs: 1 } });
    expect(scene.kept()).toEqual([]);
    await scene.view({ "build/x": "x" });
    const build = join(scene.root, "build/new");
    await scene.view({ "build/y": "y" }, {}, () => writeFileSync(build, "theirs"));
    expect(scene.kept()).toEqual([`${scene.prefix}1`]);
  });

  test("leave another that was first as it is", async () => {
    using scene = openScene();
    const first = join(scene.viewsDir, `${scene.prefix}1`);
    await scene.view({ "build/x": "x" }, {}, () => writeTree(first, { "layer/first": "1" }));
    expect(readdirSync(join(first, "layer"))).toEqual(["first"]);
    expect(readdirSync(first)).toEqual(["layer"]);
  });

  test("let what waits for a commit wait, the newest alone", async () => {
    using scene = openScene();
    const waiting = `waits-${sha256(scene.root).slice(0, 16)}`;
    await scene.view({ "build/x": "x" }, { until: "one" });
    expect(scene.kept()).toEqual([waiting]);
    expect(await scene.find()).toMatchObject({ name: undefined, nextName: `${scene.prefix}1` });
    const { folder } = await scene.view({ "build/y": "y" }, { until: "two" });
    const note = JSON.parse(readFileSync(scene.marks(waiting), "utf8"));
    expect(note).toMatchObject({ until: "two", name: `${scene.prefix}1` });
    expect(existsSync(join(scene.viewsDir, waiting, "layer/build/y"))).toBe(true);
    expect(existsSync(join(folder, "replaced/layer/build/x"))).toBe(true);
  });

  const edit = (change: (note: Record<string, unknown>) => void) => (scene: Scene) => {
    const path = scene.marks(`${scene.prefix}1`);
    const note = JSON.parse(readFileSync(path, "utf8"));
    change(note);
    writeFileSync(path, JSON.stringify(note));
  };
  type Scene = ReturnType<typeof openScene>;

  test.each<readonly [string, (scene: Scene) => void]>([
    ["of another start of the machine", edit((note) => void (note["boot"] = "another"))],
    ["that hides something else", edit((note) => void (note["hidden"] = "another"))],
    ["of other folders", edit((note) => void (note["marks"] = { build: "another" }))],
    ["whose note is damaged", edit((note) => void (note["marks"] = 7))],
    ["without a note", (scene) => rmSync(scene.marks(`${scene.prefix}1`))],
    [
      "without a layer",
      (scene) => rmSync(join(scene.viewsDir, `${scene.prefix}1/layer`), { recursive: true }),
    ],
    ["of what is not ignored any more", ({ root }) => writeTree(root, { ".gitignore": "x\n" })],
    ["of a folder in which somebody built", ({ root }) => writeTree(root, { "build/new": "" })],
    ["of what somebody wrote again", ({ root }) => writeTree(root, { "build/deep/x": "again" })],
  ])("give nothing %s", async (_, change) => {
    using scene = openScene();
    writeTree(scene.root, { "build/deep/x": "real" });
    await scene.view({ "build/deep/x": "x" });
    expect((await scene.find()).name).toBe(`${scene.prefix}1`);
    change(scene);
    expect(await scene.find()).toMatchObject({ name: undefined, layer: undefined, marks: {} });
  });

  test("give nothing where what is kept cannot be looked at", async () => {
    using scene = openScene();
    await scene.view({ "build/x": "x" });
    rmSync(join(scene.viewsDir, `${scene.prefix}1/layer`), { recursive: true });
    writeFileSync(join(scene.viewsDir, `${scene.prefix}1/layer`), "");
    expect((await scene.find()).name).toBeUndefined();
  });
});
