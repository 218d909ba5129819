import { describe, expect, test } from "bun:test";
import {
  chmodSync,
  existsSync,
  mkdirSync,
  readdirSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { AppError } from "../../src/core/app-error.ts";
import { sha256 } from "../../src/core/sha256.ts";
import { openView } from "../../src/transaction/view/view.ts";
import { hasBubblewrap } from "../support/bubblewrap.ts";
import { needs } from "../support/needs.ts";
import { hasOverlay } from "../support/overlay.ts";
import { tempDir } from "../support/temp.ts";
import { createViewScene, outputOf, sh } from "./view-scene.ts";

const toCode = (error: unknown) => (error instanceof AppError ? error.code : error);

/** Whether the kernel mounts one for this user, asked without anything of papa-yu. */
function canMountOverlay(): boolean {
  using dir = tempDir();
  const options = "userxattr,volatile,lowerdir=lower,upperdir=upper,workdir=work";
  const script = `mkdir lower upper work at && mount -i -n -t overlay overlay -o ${options} at && : >at/x`;
  const argv = ["unshare", "-Urm", "/bin/sh", "-c", script];
  return Bun.spawnSync(argv, { cwd: dir.path, stderr: "ignore" }).success;
}

// Or a fault of every view would skip all tests of views, here and elsewhere, and be seen by none.
test.if(hasBubblewrap && needs("overlays in a namespace", canMountOverlay()))(
  "openView() gives a view by overlay wherever the kernel mounts one",
  () => {
    expect(hasOverlay).toBe(true);
  },
);

describe.if(hasOverlay)("openView() by overlay", () => {
  test.concurrent("shows the folder with the change set on top, at the folder's own path", async () => {
    using scene = await createViewScene();
    const before = scene.look();
    const changeSet = scene.changeSet([
      { kind: "CREATE_FILE", path: "new/inner/x.txt", content: "new\n" },
      {
        kind: "PATCH_FILE",
        path: "a.txt",
        patch: "@@ -1 +1 @@\n-a\n+changed\n",
        base_sha256: sha256("a\n"),
      },
      { kind: "DELETE_FILE", path: "d/one.txt" },
      { kind: "DELETE_FILE", path: "d/deep/three.txt" },
      { kind: "DELETE_DIR", path: "d/deep" },
    ]);
    await using view = await scene.open({ changeSet });
    expect(view).toMatchObject({ kind: "overlay", root: scene.root });
    const script =
      "pwd; find . -path ./.papa-yu -prune -o -print | sort; cat a.txt new/inner/x.txt";
    const check = await scene.check(view, [sh(script)]);
    expect(outputOf(check).split("\n")).toEqual([
      scene.root,
      ..."./a.txt ./bin ./bin/run.sh ./build ./build/cache.bin ./d ./d/two.txt"
        .split(" ")
        .toSpliced(0, 0, ".", "./.gitignore"),
      ..."./new ./new/inner ./new/inner/x.txt changed new".split(" "),
      "",
    ]);
    expect(scene.look()).toEqual(before);
  });

  test.concurrent("is tried out by an empty command once for a folder, and not for another", async () => {
    using scene = await createViewScene();
    using other = await createViewScene();
    if (scene.sandbox.kind !== "bwrap") throw new Error("a sandbox is needed");
    const { enclose } = scene.sandbox;
    let commands = 0;
    const counted = (room: Parameters<typeof enclose>[0]) => {
      commands += 1;
      return enclose(room);
    };
    const sandbox = { ...scene.sandbox, enclose: counted };
    const counts: number[] = [];
    for (const each of [scene, scene, other, scene]) {
      await using view = await each.open({ sandbox });
      counts.push(commands);
      expect(outputOf(await scene.check(view, [sh("echo ran")], { sandbox }))).toBe("ran\n");
    }
    expect(counts).toEqual([1, 2, 4, 5]);
  });

  test.concurrent("keeps for the next command what one wrote, and nothing when it is gone", async () => {
    using scene = await createViewScene();
    const before = scene.look();
    {
      await using view = await scene.open();
      const script = `echo more >>a.txt; rm -r d; mkdir d; echo 4 >d/four.txt; chmod 700 bin
        mv bin/run.sh bin/other.sh; ln -s /etc e; mkfifo p; mkdir -m 0 closed; touch -d @0 build/cache.bin`;
      const check = await scene.check(view, [sh(script), sh("cat a.txt; ls d bin; ls -ld closed")]);
      expect(outputOf(check)).toStartWith("a\nmore\nbin:\nother.sh\n\nd:\nfour.txt\nd---------");
      expect(scene.look()).toEqual(before);
    }
    expect(scene.look()).toEqual(before);
    expect(readdirSync(scene.viewsDir)).toEqual([]);
  });

  test.concurrent("gives commands this user's id, no rights and no network", async () => {
    using scene = await createViewScene();
    await using view = await scene.open();
    const check = await scene.check(view, [
      sh("id -u; id -g; grep CapEff /proc/self/status; cat /proc/net/route | wc -l"),
    ]);
    const ids = `${process.geteuid?.()}\n${process.getegid?.()}\n`;
    expect(outputOf(check)).toBe(`${ids}CapEff:\t0000000000000000\n1\n`);
  });

  test.concurrent.each([
    "with, comma",
    "with:colon",
    "with\\backslash",
    "with\nnewline",
    "-o leading",
    "lowerdir=x,upperdir=y",
    "\u043f\u0430\u043f\u043a\u0430 \u6587\u4ef6",
    "$(touch owned) `id` \"'",
    "%s\\012",
  ])("works in a folder named %j", async (name) => {
    using scene = await createViewScene({ name });
    const before = scene.look();
    await using view = await scene.open();
    const check = await scene.check(view, [sh("pwd; echo x >>a.txt; cat a.txt")]);
    expect(outputOf(check)).toBe(`${scene.root}\na\nx\n`);
    expect(scene.look()).toEqual(before);
  });

  test.concurrent("writes nothing through a link that leads out", async () => {
    using scene = await createViewScene();
    const outside = join(scene.base, "outside");
    mkdirSync(outside);
    writeFileSync(join(outside, "kept.txt"), "kept");
    symlinkSync(outside, join(scene.root, "out"));
    await using view = await scene.open();
    const check = await scene.check(view, [
      sh("echo x >out/kept.txt; echo x >out/new.txt; rm out/kept.txt; true"),
    ]);
    expect(check.ok).toBe(true);
    expect(readdirSync(outside)).toEqual(["kept.txt"]);
    expect(await Bun.file(join(outside, "kept.txt")).text()).toBe("kept");
  });

  test.concurrent("shows a command neither the folder below nor where the view lies", async () => {
    using scene = await createViewScene();
    await using view = await scene.open();
    const check = await scene.check(view, [
      sh(
        `ls -A ${scene.viewsDir}; ls -A ${scene.base}/home; ls -l /proc/self/fd | grep -c views; true`,
      ),
    ]);
    expect(outputOf(check)).not.toContain("upper");
    expect(outputOf(check)).toEndWith("\n0\n");
  });

  test.concurrent("lets two views of one workspace be used at the same time", async () => {
    using scene = await createViewScene();
    await using one = await scene.open();
    await using other = await scene.open();
    const write = (text: string) => [sh(`echo ${text} >a.txt; sleep 0.2; cat a.txt`)];
    const checks = await Promise.all([
      scene.check(one, write("1")),
      scene.check(other, write("2")),
    ]);
    expect(checks.map(outputOf)).toEqual(["1\n", "2\n"]);
  });

  test.concurrent("runs one command of a view at a time", async () => {
    using scene = await createViewScene();
    await using view = await scene.open();
    const script = "test ! -e busy || exit 9; touch busy; sleep 0.1; rm busy";
    const checks = await Promise.all([1, 2, 3].map(() => scene.check(view, [sh(script)])));
    expect(checks.map(({ ok }) => ok)).toEqual([true, true, true]);
  });

  test.concurrent("runs a program that only the change set brings", async () => {
    using scene = await createViewScene();
    const content = "#!/bin/sh\necho brought\n";
    const changeSet = scene.changeSet([{ kind: "CREATE_FILE", path: "tools/new.sh", content }]);
    await using view = await scene.open({ changeSet });
    const check = await scene.check(view, [
      sh("chmod +x tools/new.sh"),
      { name: "new", argv: ["tools/new.sh"] },
    ]);
    expect(outputOf(check)).toBe("brought\n");
  });

  test.concurrent("counts what is written into it as disk", async () => {
    using scene = await createViewScene({ limits: { maxDiskBytes: 32 * 1024 * 1024 } });
    await using view = await scene.open();
    const fill = "for i in 1 2 3 4 5 6 7 8; do head -c 8388608 /dev/urandom >f$i; done; sleep 600";
    const check = await scene.check(view, [sh(fill)]);
    expect(check.stages.at(-1)?.excess?.kind).toBe("disk");
    expect(existsSync(join(scene.root, "f1"))).toBe(false);
  });

  test.concurrent("refuses a change set that does not fit the folder, and leaves nothing", async () => {
    using scene = await createViewScene();
    const actions = [
      [{ kind: "CREATE_FILE", path: "late.txt", content: "x" }],
      [{ kind: "DELETE_FILE", path: "a.txt" }],
    ] as const;
    for (const each of actions) {
      const changeSet = scene.changeSet([...each]);
      if (each[0].kind === "CREATE_FILE") writeFileSync(join(scene.root, "late.txt"), "now");
      else rmSync(join(scene.root, "a.txt"));
      expect(await scene.open({ changeSet }).catch(toCode)).toBe("ERR_CHANGE_SET_STALE");
    }
    expect(readdirSync(scene.viewsDir)).toEqual([]);
  });

  test.concurrent("follows no link that took the place of a folder of the change set", async () => {
    using scene = await createViewScene();
    const outside = join(scene.base, "outside");
    mkdirSync(outside);
    const changeSet = scene.changeSet([{ kind: "CREATE_FILE", path: "d/new.txt", content: "x" }]);
    rmSync(join(scene.root, "d"), { recursive: true });
    symlinkSync(outside, join(scene.root, "d"));
    expect(await scene.open({ changeSet }).catch(toCode)).toBe("ERR_CHANGE_SET_STALE");
    expect(readdirSync(outside)).toEqual([]);
  });

  test.concurrent("has no view by overlay of a folder that papa-yu's own is in", async () => {
    using scene = await createViewScene();
    const opened = await openView({
      workspace: scene.workspace,
      viewsDir: join(scene.root, "home/views"),
      sandbox: scene.sandbox,
      env: process.env,
      signal: new AbortController().signal,
    });
    expect(opened).toEqual({ kind: "none", reason: "papa-yu's own folder is inside it" });
  });
});

test.if(hasOverlay).each([
  [["/bin/false"], "it takes too long to set up"],
  [["/bin/sh", "-c", "echo broken; exit 3"], "broken"],
])("openView() leaves nothing of a view in which %j runs, and says why: %s", async (argv, why) => {
  using scene = await createViewScene();
  if (scene.sandbox.kind !== "bwrap") throw new Error("a sandbox is needed");
  const { enclose } = scene.sandbox;
  const sandbox = {
    ...scene.sandbox,
    seen: new Set<string>(),
    enclose: (room: Parameters<typeof enclose>[0]) => ({
      ...enclose(room),
      toArgv: () => argv,
    }),
  };
  const { workspace, viewsDir } = scene;
  const signal = new AbortController().signal;
  const opened = await openView({ workspace, viewsDir, sandbox, env: process.env, signal });
  // In which nothing of the overlay is.
  expect(opened).toMatchObject({ kind: "copy", reason: why });
  expect(readdirSync(viewsDir)).toHaveLength(1);
  if (opened.kind !== "none") await opened[Symbol.asyncDispose]();
  expect(readdirSync(viewsDir)).toEqual([]);
  expect(sandbox.seen.size).toBe(0);
});

test.if(hasOverlay)("a view that is gone runs nothing any more", async () => {
  using scene = await createViewScene();
  const view = await scene.open();
  await view[Symbol.asyncDispose]();
  const late = scene.check(view, [sh("echo late")]).catch((error: unknown) => error);
  expect(String(await late)).toContain("the view is closed");
});

test.if(hasOverlay)("a view has folders with the modes that the workspace will have", async () => {
  using scene = await createViewScene();
  chmodSync(join(scene.root, "d"), 0o750);
  chmodSync(join(scene.root, "bin"), 0o555);
  const changeSet = scene.changeSet([
    { kind: "CREATE_FILE", path: "new/inner/x.txt", content: "new\n" },
    { kind: "CREATE_FILE", path: "d/deep/four.txt", content: "4\n" },
    { kind: "CREATE_FILE", path: "bin/new.sh", content: "5\n" },
  ]);
  await using view = await scene.open({ changeSet });
  const check = await scene.check(view, [sh("stat -c '%a %n' new new/inner d d/deep bin")]);
  const made = scene.changeSet([{ kind: "CREATE_DIR", path: "fresh" }]).changes;
  const mode = made.flatMap((each) => (each.kind === "mkdir" ? [each.mode.toString(8)] : []))[0];
  expect(outputOf(check)).toBe(`${mode} new\n${mode} new/inner\n750 d\n755 d/deep\n555 bin\n`);
});

test("openView() gives none without a sandbox, and makes nothing", async () => {
  using dir = tempDir();
  const opened = await openView({
    workspace: { root: dir.path, protectedPaths: [] },
    viewsDir: join(dir.path, "views"),
    sandbox: { kind: "none", reason: "switched off" },
    env: process.env,
    signal: new AbortController().signal,
  });
  expect(opened).toEqual({ kind: "none", reason: "there is no sandbox: switched off" });
  expect(readdirSync(dir.path)).toEqual([]);
});
