import { describe, expect, test } from "bun:test";
import { chmodSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import fc from "fast-check";
import { sha256 } from "../../src/core/sha256.ts";
import type { Change } from "../../src/transaction/change.ts";
import { buildChangeSet } from "../../src/transaction/change-set.ts";
import { runTransaction } from "../../src/transaction/run/run.ts";
import type { View } from "../../src/transaction/view/view.ts";
import { runs } from "../support/long.ts";
import { hasOverlay } from "../support/overlay.ts";
import { writeTree } from "../support/tree.ts";
import { requestFor } from "./scene.ts";
import { createViewScene, outputOf, sh } from "./view-scene.ts";

const signal = new AbortController().signal;

/** `kind path`, sorted; what a change set would be composed of. */
async function effectsOf(view: View): Promise<readonly string[]> {
  const { changes } = await view.sideEffects(signal);
  return changes.map(toLine).toSorted();
}

const toLine = ({ kind, path }: Change) => `${kind} ${path}`;

describe.if(hasOverlay)("View.sideEffects()", () => {
  test.concurrent("is nothing before a command, after one that only reads, and for what is ignored", async () => {
    using scene = await createViewScene();
    const changeSet = scene.changeSet([
      { kind: "CREATE_FILE", path: "new/x.txt", content: "new\n" },
      { kind: "DELETE_FILE", path: "d/one.txt" },
      { kind: "DELETE_FILE", path: "d/deep/three.txt" },
      { kind: "DELETE_DIR", path: "d/deep" },
    ]);
    await using view = await scene.open({ changeSet });
    expect(await effectsOf(view)).toEqual([]);
    const script = `cat a.txt new/x.txt; touch a.txt new/x.txt; chmod 700 bin; echo x >x.log; rm -r build
      mkdir build node_modules; echo x >build/y; echo x >node_modules/z; echo x >.papa-yu/cache/k`;
    expect((await scene.check(view, [sh(script)])).ok).toBe(true);
    expect(await view.sideEffects(signal)).toMatchObject({
      changes: [],
      skipped: [],
      isCut: false,
    });
  });

  test.concurrent("tells of a dist that a project with ignore rules does not ignore", async () => {
    using scene = await createViewScene();
    writeTree(scene.root, { "dist/action.js": "1\n" });
    const script = "mkdir coverage; for f in dist coverage build; do echo 2 >$f/action.js; done";
    const check = async () => {
      await using view = await scene.open();
      expect((await scene.check(view, [sh(script)])).ok).toBe(true);
      const effects = await effectsOf(view);
      await view.keep();
      return effects;
    };
    const expected = ["create coverage/action.js", "mkdir coverage", "update dist/action.js"];
    expect(await check()).toEqual(expected);
    expect(await check()).toEqual(expected); // nothing of it was kept for the next
    writeTree(scene.root, { ".gitignore": "" });
    expect(await check()).toEqual([]); // nobody says whose they are
  });

  test.concurrent("tells of files that git keeps although they are ignored, and keeps none of them", async () => {
    using scene = await createViewScene();
    const files = ["dist/a.js", "dist/deep/b.js", "dist/deep/c.js", "node_modules/p/d.js", "e.log"];
    writeTree(scene.root, {
      ".gitignore": "dist/\nnode_modules/\nbuild/\n*.log\n",
      ...Object.fromEntries(files.map((path) => [path, "1\n"])),
      "dist/free.js": "1\n",
    });
    const git = (...argv: string[]) => Bun.spawnSync(["git", "-C", scene.root, ...argv]).exitCode;
    expect([git("init", "-q"), git("add", "-f", ...files)]).toEqual([0, 0]);
    const scripts = {
      "for f in dist/a.js dist/free.js dist/new.js node_modules/p/d.js e.log f.log; do echo 2 >$f; done; rm dist/deep/b.js":
        ["delete dist/deep/b.js", "update dist/a.js", "update e.log", "update node_modules/p/d.js"],
      "rm -r dist; mkdir dist; echo 2 >dist/a.js": [
        "delete dist/deep/b.js",
        "delete dist/deep/c.js",
        "rmdir dist/deep",
        "update dist/a.js",
      ],
      "rm -r node_modules": ["delete node_modules/p/d.js"],
      "rm e.log; mkdir dist/x build/y; echo 2 >dist/x/y.js; touch dist/a.js": ["delete e.log"],
    };
    for (const [script, expected] of Object.entries(scripts)) {
      await using view = await scene.open();
      expect((await scene.check(view, [sh(script)])).ok).toBe(true);
      const told = await effectsOf(view);
      expect(told.filter((line) => !line.startsWith("rmdir node_modules"))).toEqual(expected);
      await view.keep();
      await using next = await scene.open();
      const seen = await scene.check(next, [sh(`cat ${files.join(" ")}`)]);
      expect(outputOf(seen)).toBe("1\n".repeat(files.length));
    }
  });

  test.concurrent("tells what was created, changed, deleted and given another mode, with its bytes", async () => {
    using scene = await createViewScene();
    const changeSet = scene.changeSet([
      { kind: "CREATE_FILE", path: "new/x.txt", content: "new\n" },
      { kind: "CREATE_FILE", path: "new/y.txt", content: "new\n" },
    ]);
    await using view = await scene.open({ changeSet });
    const script = `echo more >>a.txt; chmod 755 bin/run.sh; rm d/one.txt; rm -r d/deep; rm new/y.txt
      mkdir -p gen/in; echo g >gen/in/g.txt; echo over >new/x.txt`;
    await scene.check(view, [sh(script)]);
    const { changes, contents } = await view.sideEffects(signal);
    expect(changes.map(toLine).toSorted()).toEqual([
      "create gen/in/g.txt",
      "delete d/deep/three.txt",
      "delete d/one.txt",
      "delete new/y.txt",
      "mkdir gen",
      "mkdir gen/in",
      "rmdir d/deep",
      "update a.txt",
      "update bin/run.sh",
      "update new/x.txt",
    ]);
    const update = changes.find(({ path }) => path === "new/x.txt");
    expect(update).toMatchObject({
      before: { sha256: sha256("new\n") },
      after: { sha256: sha256("over\n") },
    });
    for (const text of ["new\n", "over\n", "g\n", "one\n", "a\nmore\n"])
      expect(String(contents.get(sha256(text)))).toBe(text);
  });

  test.concurrent("sees through a folder that was taken away and made again", async () => {
    using scene = await createViewScene();
    await using view = await scene.open();
    await scene.check(view, [sh("rm -r d; mkdir d; echo one >d/one.txt; echo 4 >d/four.txt")]);
    expect(await effectsOf(view)).toEqual([
      "create d/four.txt",
      "delete d/deep/three.txt",
      "delete d/two.txt",
      "rmdir d/deep",
    ]);
  });

  test.concurrent("keeps a folder whose ignored files were there, and asks the rules of before", async () => {
    using scene = await createViewScene();
    writeTree(scene.root, { "d/deep/trace.log": "ignored\n" });
    await using view = await scene.open();
    await scene.check(view, [sh("rm -r d/deep; echo '*' >.gitignore; echo x >seen.txt")]);
    expect(await effectsOf(view)).toEqual([
      "create seen.txt",
      "delete d/deep/three.txt",
      "update .gitignore",
    ]);
  });

  test.concurrent("names what a change set cannot hold", async () => {
    using scene = await createViewScene();
    symlinkSync("a.txt", join(scene.root, "old-link"));
    await using view = await scene.open();
    const script = `ln -s /etc/passwd link; ln -sfn bin old-link; mkfifo pipe; echo k >.env
      rm a.txt; mkdir a.txt; rm -r bin; echo f >bin; head -c 9000000 /dev/zero >large.bin
      touch "$(printf 'bad\\001name')"; mkdir -m 0 closed; printf x >closed-file; chmod 0 closed-file`;
    expect((await scene.check(view, [sh(script)])).ok).toBe(true);
    const { changes, skipped } = await view.sideEffects(signal);
    expect(Object.fromEntries(skipped.map(({ path, why }) => [path, why]))).toEqual({
      link: "link",
      "old-link": "link",
      pipe: "special",
      ".env": "protected",
      "a.txt": "replaced",
      bin: "replaced",
      "large.bin": "large",
      "bad\u0001name": "name",
    });
    expect(changes.map(toLine).toSorted()).toEqual(["create closed-file", "mkdir closed"]);
  });

  test.concurrent("is told when a command took the rights on the folder itself, or they were missing", async () => {
    using scene = await createViewScene();
    chmodSync(join(scene.root, "d/one.txt"), 0);
    chmodSync(join(scene.root, "d/deep"), 0);
    await using view = await scene.open();
    await scene.check(view, [
      sh(
        "chmod 644 d/one.txt; echo x >>d/one.txt; chmod 755 d/deep; echo y >>d/deep/three.txt; echo n >n; chmod 0 .",
      ),
    ]);
    const { changes } = await view.sideEffects(signal);
    chmodSync(join(scene.root, "d/deep"), 0o755); // so that it can be removed
    expect(changes.map(({ path }) => path)).toContain("n");
  });

  test.concurrent("is cut when there is more than anybody would look at", async () => {
    using scene = await createViewScene();
    await using view = await scene.open();
    const script = "mkdir many; cd many; i=0; while [ $i -lt 2500 ]; do : >f$i; i=$((i+1)); done";
    await scene.check(view, [sh(script)]);
    const { changes, isCut } = await view.sideEffects(signal);
    expect({ isCut, count: changes.length }).toEqual({ isCut: true, count: 2000 });
  });

  test.concurrent("is not led by what a command notes on its own files", async () => {
    using scene = await createViewScene();
    await using view = await scene.open();
    const python = `import os
for name in ("user.overlay.opaque", "user.overlay.whiteout", "user.overlay.redirect", "user.overlay.metacopy"):
    for path in ("d", "a.txt", "fresh", "."):
        try: os.setxattr(path, name, b"y")
        except OSError as error: print(error.errno)
`;
    const script = `mkdir fresh; cat >p.py <<'END'\n${python}END\npython3 p.py; rm p.py; mknod hidden c 0 0; ls`;
    const check = await scene.check(view, [sh(script)]);
    expect(outputOf(check)).toContain("d\n");
    expect(await effectsOf(view)).toEqual(["mkdir fresh"]);
    expect(outputOf(await scene.check(view, [sh("ls d; cat a.txt")]))).toBe(
      "deep\none.txt\ntwo.txt\na\n",
    );
  });

  test.concurrent("laid on the folder together with the change set gives what the view held", async () => {
    const name = fc.constantFrom(
      "a.txt",
      "d/one.txt",
      "d/two.txt",
      "d/deep/three.txt",
      "n",
      "m/x",
      "d/q",
    );
    const step = fc.oneof(
      fc.record({ do: fc.constant("write" as const), name, text: fc.string({ maxLength: 4 }) }),
      fc.record({ do: fc.constant("rm" as const), name }),
      fc.record({ do: fc.constant("chmod" as const), name, mode: fc.constantFrom("600", "755") }),
    );
    const toScript = (each: {
      readonly do: string;
      readonly name: string;
      readonly text?: string;
      readonly mode?: string;
    }) => {
      const { name: path, text = "", mode = "644" } = each;
      if (each.do === "rm") return `rm -rf ${path}`;
      if (each.do === "chmod") return `chmod ${mode} ${path} 2>/dev/null`;
      const bytes = Buffer.from(text).toString("base64");
      return `mkdir -p $(dirname ${path}) && echo ${bytes} | base64 -d >${path}`;
    };
    await fc.assert(
      fc.asyncProperty(fc.array(step, { maxLength: 8 }), async (steps) => {
        using scene = await createViewScene();
        const changeSet = scene.changeSet([{ kind: "CREATE_FILE", path: "m/new", content: "1" }]);
        await using view = await scene.open({ changeSet });
        const script = `umask 022; ${steps.map(toScript).join("; ")}; true`;
        await scene.check(view, [sh(script)]);
        const list =
          "find . -name .papa-yu -prune -o -type f -printf '%P %m\\n' -exec sha256sum {} ';' | sort";
        const seen = outputOf(await scene.check(view, [sh(list)]));
        const effects = await view.sideEffects(signal);
        const { workspace } = scene;
        const first = await runTransaction(requestFor(workspace, changeSet));
        expect(first.ok).toBe(true);
        const more = buildChangeSet(effects.changes, effects.contents);
        const second = await runTransaction(requestFor(workspace, more));
        expect(second).toMatchObject({ ok: true });
        const after = await Bun.$`sh -c ${list}`.cwd(scene.root).text();
        expect(after).toBe(seen);
      }),
      { numRuns: runs(3, 6) },
    );
  });
});
