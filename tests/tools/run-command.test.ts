import { describe, expect, test } from "bun:test";
import {
  chmodSync,
  existsSync,
  linkSync,
  mkdirSync,
  readFileSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { sha256 } from "../../src/core/sha256.ts";
import { cutShort, until } from "../support/patience.ts";
import { tempDir } from "../support/temp.ts";
import { writeTree } from "../support/tree.ts";
import { initRepository, MODES, openCommands, textOf } from "./command-scene.ts";

const FILES = {
  "a.txt": "one\ntwo needle\n",
  "src/b.txt": "needle in b\n",
  "src/deep/c.txt": "needle in c\n",
  ".env": "KEY=needle\n",
  "secrets/s.txt": "needle\n",
  "private/p.txt": "needle\n",
  "key.PEM": "needle\n",
  "build.sh": "echo built > built.txt\n",
};

/** A folder that is not there, and what is said of those that are. */
const NEAR_FOLDERS = [
  ["nope", "there is no such folder"],
  ["sources", "there is no such folder"],
  ["scr", 'there is no such folder; did you mean "src"'],
  ["app/src", 'there is no such folder; did you mean "src"'],
  ["deep", 'there is no such folder; did you mean "src/deep"'],
  ["SRC/", 'there is no such folder; did you mean "src"'],
  ["secret", "there is no such folder"],
  ["src/deep/c.txt", 'it is a file; did you mean "src/deep"'],
  ["a.txt", "it is a file; leave cwd out"],
] as const;

describe.each(MODES)("run_command in %s", (mode) => {
  test.concurrent("looks: output, exit code, folder", async () => {
    using scene = openCommands(mode, FILES);
    expect(scene.effect(["cat", "a.txt"])).toBe("none");
    expect(await scene.text(["cat", "a.txt"])).toMatch(
      /^\(exit code 0, \d\.\d s\)\none\ntwo needle$/,
    );
    expect(await scene.text(["pwd"], { cwd: "src" })).toEndWith(`\n${join(scene.root, "src")}`);
    expect(await scene.text(["cat", "../a.txt"], { cwd: "src" })).toContain("two needle");
    expect(await scene.text(["cat", join(scene.root, "a.txt")])).toContain("two needle");
    expect(await scene.text(["grep", "absent", "a.txt"])).toStartWith("(exit code 1");
    expect(await scene.text(["cat", "nope.txt"])).toContain("No such file");
    expect(await scene.text(["echo", "a  b"])).toEndWith("\na  b");
    expect(await scene.text(["head -1 a.txt"])).toEndWith("\none");
    expect(await scene.text(["find", "src", "-name", "*.txt"])).toContain("src/deep/c.txt");
  });

  test.concurrent("searches folders without second names of the protected files", async () => {
    using scene = openCommands(mode, { ...FILES, ".env": "needle in env\n" });
    linkSync(join(scene.root, ".env"), join(scene.root, "src/notes.txt"));
    linkSync(join(scene.root, "src/b.txt"), join(scene.root, "src/copy.txt"));
    const text = await scene.text(["grep", "-rn", "needle", "src"]);
    expect(text).not.toContain("needle in env");
    expect(text).toContain("src/copy.txt:1:needle in b");
  });

  test.concurrent("searches folders without the protected files", async () => {
    using scene = openCommands(mode, { ...FILES, ".gitignore": "out\n", "out/x": "needle" });
    const lines = (await scene.text(["grep", "-rn", "needle"])).split("\n").slice(1).toSorted();
    expect(lines).toEqual([
      "a.txt:2:two needle",
      "src/b.txt:1:needle in b",
      "src/deep/c.txt:1:needle in c",
    ]);
    expect(await scene.text(["grep", "-r", "needle", "src/deep"])).toContain(
      "src/deep/c.txt:needle",
    );
    expect(await scene.text(["grep", "-r", "needle", "out"])).toContain("out/x:needle");
    expect(await scene.text(["grep", "-rl", "needle", "../src"], { cwd: "src" })).toContain(
      "../src/b.txt",
    );
    expect(await scene.text(["grep", "-r", "needle", "secrets"])).toStartWith("denied:");
    mkdirSync(join(scene.root, "void"));
    expect(await scene.text(["grep", "-r", "x", "void"])).toStartWith(
      "not_found: there is no file",
    );
  });

  test.concurrent("runs what was approved, and tells what changed and how to undo it", async () => {
    using scene = openCommands(mode, { ...FILES, "kept.txt": "x\n", "edited.txt": "x\n" });
    initRepository(scene.root);
    writeFileSync(join(scene.root, "edited.txt"), "by the user\n");
    const script =
      "echo new > new.txt\necho y >> kept.txt\necho y >> edited.txt\nrm a.txt\nexit 3\n";
    writeFileSync(join(scene.root, "go.sh"), script);
    expect(scene.effect(["sh", "go.sh"])).toBe("person");
    const text = await scene.text(["sh", "go.sh"]);
    expect(text).toStartWith("(exit code 3");
    expect(text.includes("no sandbox: switched off")).toBe(mode === "none");
    const from = text.indexOf("Changed while it ran");
    const commit = /git checkout (\w{40})/.exec(text)?.[1] ?? "";
    expect(text.slice(from)).toBe(
      [
        "Changed while it ran (4):",
        '  deleted "a.txt"',
        '  modified "edited.txt"',
        '  modified "kept.txt"',
        '  created "new.txt"',
        `Undo: git checkout ${commit} -- "a.txt" "kept.txt"`,
        'Undo: delete "new.txt"',
        'Cannot undo, no before-image is known: "edited.txt"',
      ].join("\n"),
    );
    await scene.git(["checkout", commit, "--", "a.txt", "kept.txt"]);
    expect(readFileSync(join(scene.root, "a.txt"), "utf8")).toBe(FILES["a.txt"]);
    expect(readFileSync(join(scene.root, "kept.txt"), "utf8")).toBe("x\n");
  });

  test.concurrent("without git says that there is no way back, and when nothing changed", async () => {
    using scene = openCommands(mode, FILES);
    const text = await scene.text(["sh", "build.sh"]);
    expect(text).toContain('created "built.txt"\nUndo: delete "built.txt"');
    const second = await scene.text(["sh", "build.sh"]);
    expect(second).toContain('Cannot undo, no before-image is known: "built.txt"');
    writeTree(scene.root, { "idle.sh": "true\n" });
    expect(await scene.text(["sh", "idle.sh"])).toContain("No file changed");
  });

  test.concurrent("gives a command no secret of the environment and no input", async () => {
    using scene = openCommands(mode, { "show.sh": "env; cat; echo end\n" });
    const text = await scene.text(["sh", "show.sh"]);
    expect(text).toContain("end");
    expect(text).not.toContain("hush-hush");
    expect(text).not.toContain("/nowhere");
  });

  test.concurrent("keeps head and tail of a long output, without a terminal's codes", async () => {
    const script = "printf '\\033[31mhead\\033[0m\\n'; seq 100000; echo tail\n";
    using scene = openCommands(mode, { "long.sh": script });
    const text = await scene.text(["sh", "long.sh"]);
    expect(text.length).toBeLessThan(20_000);
    expect(text).toMatch(/\nhead\n1\n[^]*bytes left out[^]*\ntail\n/);
  });

  test.concurrent("ends the whole tree at the time limit and at a cancel", async () => {
    const script =
      "trap '' TERM\n(trap '' TERM; sleep 600) & echo begun >> log.txt; sleep 600; echo late >> log.txt\n";
    using scene = openCommands(mode, { "slow.sh": script });
    const path = join(scene.root, "log.txt");
    const late = await cutShort(
      (limitMs) => scene.run(["sh", "slow.sh"], { timeout_s: Math.ceil(limitMs / 1000) }),
      () => existsSync(path),
    );
    expect(late).toMatchObject({ ok: false, errorCode: "timeout" });
    expect(textOf(late)).toContain('created "log.txt"');

    const stop = new AbortController();
    const running = scene.run(["sh", "slow.sh"], {}, stop.signal);
    const log = () => readFileSync(path, "utf8");
    await until(() => log().includes("begun\nbegun"));
    stop.abort();
    const result = await running;
    expect(textOf(result)).toStartWith("denied: cancelled while it ran");
    expect(textOf(result)).toContain('modified "log.txt"');
    expect(log()).not.toContain("late");
  });

  test.concurrent("tells when there is no such program or folder", async () => {
    using scene = openCommands(mode, FILES);
    expect(await scene.text(["no-such-program"])).toMatch(
      /^not_found: Cannot run "no-such-program"/,
    );
    expect(await scene.text(["ls"], { cwd: "nope" })).toStartWith("not_found: Cannot run in");
    expect(await scene.text(["ls"], { cwd: "a.txt" })).toStartWith("not_found: Cannot run in");
    for (const [cwd, near] of NEAR_FOLDERS) {
      expect(await scene.text(["ls"], { cwd }), cwd).toEndWith(`: ${near}`);
      expect(await scene.git(["status"], { cwd }), cwd).toEndWith(`: ${near}`);
    }
    for (const cwd of ["..", "/etc", "secrets", ".git", "~"]) {
      expect(await scene.text(["ls"], { cwd })).toStartWith("denied:");
    }
  });

  test.concurrent("reaches outside only where the owner says so, and never what is protected", async () => {
    const other = {
      "other/o.txt": "needle o\n",
      "other/.env": "needle\n",
      "own/state.db": "needle\n",
    };
    using closed = openCommands(mode, FILES);
    writeTree(closed.dir, other);
    expect(await closed.text(["cat", "../other/o.txt"])).toStartWith("denied:");
    using beside = tempDir(undefined, tmpdir()); // what is below /dev is never reached
    writeTree(beside.path, other);
    const own = join(beside.path, "own");
    using open = openCommands(mode, FILES, { deps: { workspaceOnly: false, hidden: [own] } });
    const path = (name: string) => join(beside.path, name);
    expect(await open.text(["cat", path("other/o.txt")])).toEndWith("needle o");
    const found = await open.text(["grep", "-r", "needle", path(".")]);
    expect(found.split("\n").slice(1)).toEqual([`${path("other/o.txt")}:needle o`]);
    symlinkSync("/etc/passwd", path("link"));
    for (const each of [path("other/.env"), join(own, "state.db"), path("link"), "/etc/passwd"]) {
      expect(await open.text(["cat", each])).toStartWith("denied:");
    }
    expect(await open.text(["head", "/proc/self/environ"])).toStartWith("denied:");
    expect(await open.text(["rm", path("other/o.txt")])).toStartWith("denied:");
    expect(existsSync(path("other/o.txt"))).toBe(true);
  });
});

describe("run_command refuses by path", () => {
  test.concurrent.each([
    "cat /etc/passwd",
    "cat ~/.ssh/id_rsa",
    "cat .env",
    "cat ./src/../.env",
    "cat src/../../outside.txt",
    "cat ../outside.txt",
    "cat secrets/s.txt",
    "cat private/p.txt",
    "cat key.PEM",
    "cat .git/config",
    "cat .papa-yu/lock",
    "cat out-link",
    "cat env-link",
    "cat etc-link/passwd",
    "cat etc-link/../outside.txt",
    "head /proc/self/environ",
    "tail /dev/zero",
    "wc -l /etc/passwd",
    "ls ~",
    "ls -R ~",
    "ls /",
    "ls ..",
    "find / -name x",
    "find .. -name x",
    "find . -newer /etc/passwd",
    "grep -f /etc/passwd a.txt",
    "grep -rf .env src",
    "grep x .env",
    "grep -r x /etc",
    "grep -r x secrets",
    "grep -r x etc-link",
    "rm -rf /",
    "rm -rf ..",
    "rm -rf .git",
    "rm -rf ~",
    "cp .env x",
    "cp a.txt .env.local",
    "cp a.txt etc-link/x",
    "cp a.txt ../x",
    "mv a.txt secrets/x",
    "dd if=/dev/zero of=a.txt",
    "dd if=a.txt of=../x",
    "tar -cf/tmp/x src",
    "tar -C/etc -cf x passwd",
    "docker run -v/:/host x",
    "sed -i s/a/b/ .env",
    "python3 ../evil.py",
    "../evil.sh",
    "./sh-link x",
    "./.env",
    "bash /tmp/evil.sh",
    "curl file:///etc/passwd",
    "curl -o/etc/x https://example.com",
    "git diff -- .env",
    "git diff /etc/passwd /etc/hosts",
    "git add .env",
    "git checkout -- ../x",
    "git log -p -- secrets",
  ])("%s", async (line) => {
    using scene = openCommands("none", FILES);
    writeTree(scene.dir, { "outside.txt": "needle" });
    symlinkSync("../outside.txt", join(scene.root, "out-link"));
    symlinkSync(".env", join(scene.root, "env-link"));
    symlinkSync("/etc", join(scene.root, "etc-link"));
    symlinkSync("/bin/sh", join(scene.root, "sh-link"));
    const argv = line.split(" ");
    expect(scene.effect(argv)).toBe("none"); // nobody is asked for what is refused
    const text = await scene.text(argv);
    expect(text).toStartWith(`denied: Cannot run ${argv[0]}`);
    expect(text).not.toContain("needle");
  });

  test.concurrent("but not what only looks like a path", () => {
    using scene = openCommands("none", FILES);
    for (const argv of [
      ["sed", "-n", "/needle/p", "a.txt"],
      ["curl", "https://example.com/a/b"],
      ["jq", ".a.b", "a.txt"],
      ["printf", "%s\\n", "a:b"],
    ]) {
      expect(scene.effect(argv)).toBe("person");
    }
  });
});

describe("run_command asks", () => {
  test.concurrent("with every word, its folder and the hashes of the files it runs or obeys", () => {
    const files = { "w2/build.sh": "echo 1\n", "w2/package.json": "{}", "w2/.env": "x" };
    using scene = openCommands("none", files);
    const hash = (path: string) => sha256(readFileSync(join(scene.root, path)));
    const argv = ["bash", "build.sh", "two words", "\u202egnp", ""];
    expect(scene.describe(argv, { cwd: "w2" })).toBe(
      [
        'Run in "w/w2":',
        '  bash build.sh "two words" "\\u{202e}gnp" ""',
        `  w2/build.sh: sha256 ${hash("w2/build.sh")}`,
      ].join("\n"),
    );
    expect(scene.describe(["npm", "test"], { cwd: "w2" })).toContain(hash("w2/package.json"));
    const before = scene.describe(["w2/build.sh"]);
    writeTree(scene.root, { "w2/build.sh": "rm -rf /\n" });
    expect(scene.describe(["w2/build.sh"])).not.toBe(before);
  });

  test.concurrent("for a program of the workspace that has the name of a known one", async () => {
    using scene = openCommands("none", { "bin/cat": "#!/bin/sh\necho evil\n" });
    const bin = join(scene.root, "bin");
    chmodSync(join(bin, "cat"), 0o755);
    const env = { ...process.env, PATH: `${bin}:${process.env["PATH"]}` };
    using trapped = openCommands("none", {}, { deps: { env }, workspace: { root: scene.root } });
    expect(trapped.effect(["cat", "a.txt"])).toBe("person");
    expect(trapped.effect(["ls"])).toBe("none");
  });

  test.concurrent("where the owner allows a command, it is an ordinary change", () => {
    using scene = openCommands("none", FILES, { deps: { allowed: ["sh build.sh"] } });
    expect(scene.effect(["sh", "build.sh"])).toBe("change");
    expect(scene.effect(["sh", "other.sh"])).toBe("person");
    expect(scene.effect(["ls"])).toBe("person");
  });
});
