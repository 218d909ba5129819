import { describe, expect, test } from "bun:test";
import { existsSync, readdirSync, rmSync, utimesSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { keepCommitted, type View } from "../../src/transaction/view/view.ts";
import { hasOverlay } from "../support/overlay.ts";
import { writeTree } from "../support/tree.ts";
import { createViewScene, outputOf, sh, type ViewScene } from "./view-scene.ts";

const signal = new AbortController().signal;

/** Runs a script in a view of its own, which is kept. */
async function runAndKeep(scene: ViewScene, script: string, view?: View): Promise<string> {
  await using opened = view ?? (await scene.open());
  const check = await scene.check(opened, [sh(script)]);
  await opened.keep();
  return outputOf(check);
}

async function run(scene: ViewScene, script: string): Promise<string> {
  await using view = await scene.open();
  return outputOf(await scene.check(view, [sh(script)]));
}

const keptOf = ({ viewsDir }: ViewScene) =>
  readdirSync(viewsDir).filter((name) => name.startsWith("kept-"));

describe.if(hasOverlay)("View.keep()", () => {
  test.concurrent("keeps what is in ignored folders for the next view, and nothing else of it", async () => {
    using scene = await createViewScene();
    const before = scene.look();
    const script = `echo warm >>build/cache.bin; mkdir -p build/deep d/node_modules/x new/target; rm d/one.txt
      echo m >d/node_modules/x/m.js; echo t >new/target/t; echo s >new/s.txt; echo l >x.log; echo g >.papa-yu/cache/go
      mkdir .git; echo hook >.git/hook; chmod 700 bin; echo b >>a.txt`;
    await runAndKeep(scene, script);
    expect(scene.look()).toEqual(before);
    const seen = await run(
      scene,
      "cat build/cache.bin d/node_modules/x/m.js .papa-yu/cache/go; find . -path ./.papa-yu -prune -o -print | sort",
    );
    expect(seen).toBe(
      `cached\nwarm\nm\ng\n.\n${[
        "./.gitignore",
        "./a.txt",
        "./bin",
        "./bin/run.sh",
        "./build",
        "./build/cache.bin",
        "./build/deep",
        "./d",
        "./d/deep",
        "./d/deep/three.txt",
        "./d/node_modules",
        "./d/node_modules/x",
        "./d/node_modules/x/m.js",
        "./d/one.txt",
        "./d/two.txt",
      ].join("\n")}\n`,
    );
    await using view = await scene.open();
    expect(await view.sideEffects(signal)).toMatchObject({ changes: [], skipped: [] });
  });

  test.concurrent("adds what one view did to what those before it kept", async () => {
    using scene = await createViewScene();
    await runAndKeep(
      scene,
      "mkdir build/one build/two; echo 1 >build/one/f; echo 2 >build/two/f; echo 3 >build/three",
    );
    await runAndKeep(
      scene,
      "rm -r build/one; mkdir build/one; echo new >build/one/g; rm build/three build/cache.bin",
    );
    await runAndKeep(scene, "echo more >>build/two/f; echo 4 >build/four");
    const seen = await run(scene, "cd build; find . -type f | sort; cat two/f");
    expect(seen).toBe("./four\n./one/g\n./two/f\n2\nmore\n");
    await run(scene, "true");
    expect(keptOf(scene)).toHaveLength(1);
  });

  test.concurrent("leaves nothing of a view that was not kept", async () => {
    using scene = await createViewScene();
    expect(await run(scene, "echo planted >build/runner; cat build/runner")).toBe("planted\n");
    expect(await run(scene, "ls build")).toBe("cache.bin\n");
    expect(keptOf(scene)).toEqual([]);
  });

  test.concurrent.each<readonly [string, (scene: ViewScene) => void]>([
    ["somebody built", ({ root }) => writeFileSync(join(root, "build/new.bin"), "theirs")],
    ["somebody cleaned up", ({ root }) => rmSync(join(root, "build"), { recursive: true })],
    ["the folder around it went", ({ root }) => rmSync(join(root, "d"), { recursive: true })],
  ])("is of no use any more once %s in the real folders", async (_, change) => {
    using scene = await createViewScene();
    await runAndKeep(
      scene,
      "echo kept >build/kept; mkdir -p d/node_modules/x; echo kept >d/node_modules/x/kept",
    );
    expect(await run(scene, "cat build/kept d/node_modules/x/kept")).toBe("kept\nkept\n");
    change(scene);
    expect(await run(scene, "ls build/kept d/node_modules/x/kept 2>/dev/null; true")).toBe("");
    await runAndKeep(scene, "mkdir -p build; echo again >build/again");
    expect(await run(scene, "cat build/again; ls build/kept 2>/dev/null; true")).toBe("again\n");
  });

  test.concurrent("is refused when somebody built while the command ran", async () => {
    using scene = await createViewScene();
    await using view = await scene.open();
    await scene.check(view, [sh("echo kept >build/kept")]);
    writeFileSync(join(scene.root, "build/new.bin"), "theirs");
    await view.keep();
    expect(keptOf(scene)).toEqual([]);
  });

  test.concurrent("lets the first of two views be kept, and the other go", async () => {
    using scene = await createViewScene();
    await runAndKeep(scene, "echo 0 >build/zero");
    await using one = await scene.open();
    await using other = await scene.open();
    await scene.check(one, [sh("echo 1 >build/one")]);
    await scene.check(other, [sh("echo 2 >build/two")]);
    await one.keep();
    await other.keep();
    expect(await run(scene, "ls build")).toBe("cache.bin\none\nzero\n");
  });

  test.concurrent("waits for the commit of its change set, and counts for no other", async () => {
    using scene = await createViewScene();
    const leave = async (script: string, until: string) => {
      await using view = await scene.open();
      await scene.check(view, [sh(script)]);
      await view.keep(until);
    };
    const commit = (id: string) => keepCommitted(scene.viewsDir, scene.root, id);
    await leave("echo 1 >build/one", "first");
    expect(await run(scene, "ls build")).toBe("cache.bin\n");
    commit("another");
    expect(keptOf(scene)).toEqual([]);
    await leave("echo 2 >build/two", "second");
    commit("first"); // which is not there any more
    expect(await run(scene, "ls build")).toBe("cache.bin\n");
    commit("second");
    commit("second");
    expect(await run(scene, "ls build")).toBe("cache.bin\ntwo\n");

    await leave("echo 3 >build/three", "third");
    await runAndKeep(scene, "echo 4 >build/four");
    commit("third"); // made on top of something else
    expect(await run(scene, "ls build")).toBe("cache.bin\nfour\ntwo\n");
    const old = new Date(Date.now() - 25 * 3_600_000);
    const waiting = readdirSync(scene.viewsDir).filter((name) => name.startsWith("waits-"));
    expect(waiting).toHaveLength(1);
    utimesSync(join(scene.viewsDir, waiting[0] ?? "", "marks.json"), old, old);
    await run(scene, ":"); // which sweeps
    expect(readdirSync(scene.viewsDir).filter((name) => name.startsWith("waits-"))).toEqual([]);
  });

  test.concurrent("takes nothing away from a view that uses what was kept before", async () => {
    using scene = await createViewScene();
    await runAndKeep(scene, "echo 0 >build/zero");
    await using standing = await scene.open();
    await runAndKeep(scene, "rm build/zero; echo 1 >build/one");
    expect(await run(scene, "ls build")).toBe("cache.bin\none\n"); // which sweeps
    expect(outputOf(await scene.check(standing, [sh("ls build")]))).toBe("cache.bin\nzero\n");
  });

  test.concurrent("keeps nothing that it cannot read, and nothing of a marker that was damaged", async () => {
    using scene = await createViewScene();
    await runAndKeep(scene, `echo 0 >build/zero; touch "build/$(printf 'no\\377text')"`);
    expect(keptOf(scene)).toEqual([]);
    await runAndKeep(scene, "echo 0 >build/zero");
    const [name = ""] = keptOf(scene);
    writeFileSync(join(scene.viewsDir, name, "marks.json"), "{");
    expect(await run(scene, "ls build")).toBe("cache.bin\n");
  });

  test.concurrent("is the last thing done with a view", async () => {
    using scene = await createViewScene();
    await using view = await scene.open();
    await scene.check(view, [sh("echo 0 >build/zero")]);
    await view.keep();
    await view.keep();
    const late = scene.check(view, [sh("true")]).then(
      () => "ran",
      () => "refused",
    );
    expect(await late).toBe("refused");
    expect(existsSync(join(scene.viewsDir, keptOf(scene)[0] ?? "", "layer"))).toBe(true);
  });
  test.concurrent("is thrown away when somebody wrote again, at any depth, what it hides", async () => {
    using scene = await createViewScene();
    writeTree(scene.root, {
      "build/a/b/c.js": "mine\n",
      "build/gone/deep/x.js": "x\n",
      "build/new/deep/y.js": "y\n",
    });
    const script =
      "echo kept >build/a/b/c.js; rm -r build/gone; rm -r build/new; mkdir build/new; echo z >build/new/z";
    const look = "cat build/a/b/c.js; ls build/gone build/new";
    for (const path of ["build/a/b/c.js", "build/gone/deep/x.js", "build/new/deep/y.js"]) {
      await runAndKeep(scene, script);
      expect(await run(scene, "cat build/a/b/c.js")).toBe("kept\n");
      writeTree(scene.root, { [path]: "again\n" });
      expect(await run(scene, `cat ${path}; ${look}`)).toStartWith("again\n");
    }
  });

  test.concurrent("is not used where what it holds is not ignored any more", async () => {
    using scene = await createViewScene();
    await runAndKeep(scene, "mkdir -p made; echo x >made/x.py; echo warm >>build/cache.bin");
    writeTree(scene.root, { ".gitignore": "/build\nmade/\n" });
    await runAndKeep(scene, "mkdir made; echo x >made/x.py");
    expect(await run(scene, "ls made")).toBe("x.py\n");
    const changeSet = scene.changeSet([{ kind: "DELETE_FILE", path: ".gitignore" }]);
    await using view = await scene.open({ changeSet });
    expect(outputOf(await scene.check(view, [sh("ls made; true")]))).not.toContain("x.py");
    writeTree(scene.root, { ".gitignore": "/build\n" });
    expect(await run(scene, "ls made; true")).not.toContain("x.py");
  });

  test.concurrent("keeps nothing of papa-yu's own in a workspace inside of this one", async () => {
    using scene = await createViewScene();
    writeTree(scene.root, { "d/.papa-yu/.gitignore": "*\n", "d/.papa-yu/tx/1/journal": "mine\n" });
    await runAndKeep(scene, "echo other >d/.papa-yu/tx/1/journal; echo m >>build/cache.bin");
    expect(await run(scene, "cat d/.papa-yu/tx/1/journal")).toBe("mine\n");
  });

  test.concurrent("keeps what a package of the workspace wrote beside its own files", async () => {
    using scene = await createViewScene();
    writeTree(scene.root, { "pkg/a/.gitignore": "out/\n", "pkg/a/src.txt": "s" });
    await runAndKeep(scene, "mkdir pkg/a/out; echo o >pkg/a/out/o; echo x >pkg/a/src.txt");
    expect(await run(scene, "cat pkg/a/out/o pkg/a/src.txt")).toBe("o\ns");
  });
});
