import { describe, expect, test } from "bun:test";
import { existsSync, readdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { hasOverlay } from "../support/overlay.ts";
import { areGone } from "../support/processes.ts";
import { createViewScene, outputOf, sh } from "./view-scene.ts";

describe.if(hasOverlay)("a command in a view", () => {
  test.concurrent.each([
    ["mounts", "mount -t tmpfs x d || mount --bind / d || umount . || umount -l ."],
    ["makes a namespace", "unshare -Urm true || unshare -m true"],
    ["mounts in one of its own", "unshare -Urm sh -c 'umount \"$PWD\" && echo x >>a.txt'"],
    ["enters another's namespace", "nsenter -t 1 -m true || nsenter -t $PPID -U true"],
  ])("that %s is refused", async (_, script) => {
    using scene = await createViewScene();
    const before = scene.look();
    await using view = await scene.open();
    const check = await scene.check(view, [sh(script)]);
    expect(check.ok).toBe(false);
    expect(scene.look()).toEqual(before);
  });

  test.concurrent("finds no way to the folder below by what the kernel tells of its own processes", async () => {
    using scene = await createViewScene();
    const before = scene.look();
    await using view = await scene.open();
    const script = `echo x >>/proc/self/cwd/a.txt; echo y >>/proc/1/cwd$PWD/a.txt; echo z >>/proc/1/root$PWD/a.txt
      cd /proc/self/cwd/.. && echo w >>site/a.txt; for fd in /proc/[0-9]*/fd/*; do echo v >>$fd/a.txt; done
      chmod 777 "$PWD" site; for p in upper lower work-1 ../upper ${scene.viewsDir}; do echo u >>$p/a.txt; done
      tail -n +1 /proc/self/mountinfo | grep -c 'upperdir=/'; true`;
    const check = await scene.check(view, [sh(script)]);
    expect(outputOf(check)).toEndWith("0\n"); // no path of a person, and none of the view
    expect(scene.look()).toEqual(before);
    expect(readdirSync(scene.base).toSorted()).toEqual(["home", "site"]);
  });

  test.concurrent.each([
    [
      "writes, forks and is killed for its time",
      "while :; do echo x >>a.txt; rm -f d/one.txt; sleep 0.01 & done",
      700,
    ],
    [
      "ignores every signal",
      "trap '' TERM INT HUP; chmod 0 d; echo x >build/y; while :; do sleep 1; done",
      700,
    ],
    [
      "leaves processes behind",
      "(setsid sh -c 'while :; do echo late >>a.txt; sleep 0.01; done' &) ; true",
      60_000,
    ],
  ])("that %s leaves the folder as it was, and the view usable", async (_, script, timeoutMs) => {
    using scene = await createViewScene();
    const before = scene.look();
    await using view = await scene.open();
    await scene.check(view, [sh(script)], { timeoutMs });
    expect(await areGone(scene.root)).toBe(true);
    const first = outputOf(await scene.check(view, [sh("wc -c <a.txt")]));
    expect(outputOf(await scene.check(view, [sh("wc -c <a.txt")]))).toBe(first);
    expect(scene.look()).toEqual(before);
  });

  test.concurrent("that is aborted leaves the folder as it was", async () => {
    using scene = await createViewScene();
    const before = scene.look();
    await using view = await scene.open();
    const abort = new AbortController();
    const running = scene.check(view, [sh("echo x >>a.txt; sleep 600")], { signal: abort.signal });
    await Bun.sleep(100);
    abort.abort();
    expect((await running).stages.at(-1)?.exitCode).toBeNull();
    expect(scene.look()).toEqual(before);
  });

  test.concurrent("is counted when it holds deleted files open, as disk", async () => {
    using scene = await createViewScene({ limits: { maxDiskBytes: 24 * 1024 * 1024 } });
    await using view = await scene.open();
    const script =
      "exec 5>gone; rm gone; head -c 20000000 /dev/zero >&5; exec 6>more; rm more; head -c 20000000 /dev/zero >&6; sleep 600";
    const check = await scene.check(view, [sh(script)]);
    expect(check.stages.at(-1)?.excess?.kind).toBe("disk");
  });

  test.concurrent("of one workspace sees nothing of a view of another", async () => {
    using one = await createViewScene();
    using other = await createViewScene();
    await using view = await one.open();
    await using there = await other.open();
    await other.check(there, [sh("echo secret >secret.txt")]);
    const check = await one.check(view, [
      sh(`ls ${join(other.root)}; ls -R ${other.base}/home; true`),
    ]);
    expect(outputOf(check)).not.toContain("secret.txt");
  });

  test.concurrent("finds git's own files to read and not to write", async () => {
    using scene = await createViewScene();
    await Bun.$`git init -q && git add . && git -c user.name=a -c user.email=a@b commit -qm x`
      .cwd(scene.root)
      .quiet();
    const before = scene.look();
    await using view = await scene.open();
    const check = await scene.check(view, [
      sh(
        "exec 2>&1; git status --short; echo x >>a.txt; git status --short; echo h >.git/hooks/post-commit; rm -rf .git; git log --oneline | wc -l",
      ),
    ]);
    expect(outputOf(check)).toMatch(/ M a\.txt\n[\s\S]*\n1\n$/);
    expect(scene.look()).toEqual(before);
  });

  test.concurrent("names no program that makes the view, though its folder is on PATH", async () => {
    using scene = await createViewScene();
    const proof = join(scene.base, "proof");
    for (const name of ["mount", "unshare"]) {
      const path = join(scene.root, "bin", name);
      writeFileSync(path, `#!/bin/sh\nid >>${proof}\nexec /usr/bin/${name} "$@"\n`, {
        mode: 0o755,
      });
    }
    const env = { ...process.env, PATH: `${join(scene.root, "bin")}:${process.env["PATH"]}` };
    await using view = await scene.open({ env });
    expect((await scene.check(view, [sh("true")])).ok).toBe(true);
    expect(existsSync(proof)).toBe(false);
  });
});
