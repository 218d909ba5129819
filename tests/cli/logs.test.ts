import { describe, expect, test } from "bun:test";
import { mkdirSync, renameSync, truncateSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { systemClock } from "../../src/core/clock.ts";
import { followLines, readLastLines } from "../../src/system/logs/follow-lines.ts";
import { createRotatingFile } from "../../src/system/logs/rotating-file.ts";
import { createSandbox } from "../e2e/papayu.ts";
import { papayuProgram } from "../support/papayu-program.ts";
import { PATIENCE_MS } from "../support/patience.ts";
import { tempDir } from "../support/temp.ts";

describe("readLastLines()", () => {
  test("reads over the files that were set aside, and no further than needed", () => {
    using dir = tempDir();
    const path = join(dir.path, "x.log");
    expect(readLastLines(path, 10)).toEqual({ lines: [], end: undefined, isCut: false });
    const file = createRotatingFile(path, { maxBytes: 20, keptFiles: 4 }, () => "");
    for (const letter of "abcdefg") file.write(`${letter.repeat(8)}я\n`);
    const last = (count: number) =>
      readLastLines(path, count)
        .lines.map((line) => line[0])
        .join("");
    expect([last(0), last(1), last(3), last(99)]).toEqual(["", "g", "efg", "cdefg"]);
    expect(readLastLines(path, 1).lines).toEqual([`${"g".repeat(8)}я`]);
  });

  test("shows many lines of a large file", () => {
    using dir = tempDir();
    const path = join(dir.path, "x.log");
    writeFileSync(path, "0123456789\n".repeat(100_000));
    expect(readLastLines(path, 90_000).lines).toHaveLength(90_000);
  });
});

describe("followLines()", () => {
  test("loses nothing when the file is rotated several times, emptied, or created again", async () => {
    using dir = tempDir();
    const path = join(dir.path, "x.log");
    writeFileSync(path, "old\n");
    const stop = new AbortController();
    const steps = [
      () => {
        const file = createRotatingFile(path, { maxBytes: 12, keptFiles: 4 }, () => "");
        for (let number = 0; number < 5; number++) file.write(`line ${number}\n`);
      },
      () => {
        truncateSync(path);
        writeFileSync(path, "я\n", { flag: "a" });
      },
      () => {
        renameSync(path, join(dir.path, "elsewhere"));
        writeFileSync(path, "new\n");
      },
      () => stop.abort(),
    ];
    let text = "";
    const clock = {
      async sleep() {
        steps.shift()?.();
      },
    };
    const { end } = readLastLines(path, 1);
    for await (const piece of followLines(path, end, clock, stop.signal)) text += piece;
    expect(text).toBe("line 0\nline 1\nline 2\nline 3\nline 4\nя\nnew\n");
  });

  test("waits for a log that is not there yet", async () => {
    using dir = tempDir();
    const path = join(dir.path, "x.log");
    const lines = followLines(path, undefined, systemClock, AbortSignal.timeout(PATIENCE_MS));
    const first = lines.next();
    writeFileSync(path, "first\n");
    expect((await first).value).toBe("first\n");
  });
});

describe("papayu logs", () => {
  test("shows the end without a daemon, with a broken configuration, and as JSON", async () => {
    using dir = tempDir();
    const sandbox = createSandbox(dir.path, "rubbish = [");
    expect(await sandbox.run("logs")).toMatchObject({ exitCode: 2, stdout: "" });
    mkdirSync(join(sandbox.home, "logs"), { recursive: true });
    writeFileSync(join(sandbox.home, "logs/papayu.log"), "one\ntwo\nthree\n");
    expect(await sandbox.run("logs", "--lines", "2")).toMatchObject({
      exitCode: 0,
      stdout: "two\nthree\n",
    });
    const { report } = await sandbox.json("logs", "-n", "1");
    expect(report).toMatchObject({ ok: true, lines: ["three"] });
    expect((await sandbox.run("logs", "--lines", "100000")).stdout).toBe("one\ntwo\nthree\n");
    for (const wrong of [
      ["--lines", "100001"],
      ["--lines", "-1"],
      ["--lines", "many"],
      ["-f", "--json"],
    ]) {
      expect((await sandbox.run("logs", ...wrong)).exitCode).toBe(2);
    }
  });

  test("-f ends with 0 at Ctrl-C, and by itself when its reader goes away", async () => {
    using dir = tempDir();
    const sandbox = createSandbox(dir.path, "");
    mkdirSync(join(sandbox.home, "logs"), { recursive: true });
    const path = join(sandbox.home, "logs/papayu.log");
    writeFileSync(path, "one\n");
    const start = (...command: string[]) =>
      Bun.spawn(command, {
        cwd: dir.path,
        env: sandbox.env,
        stdio: ["ignore", "pipe", "ignore"],
      });
    const child = start(process.execPath, papayuProgram(), "logs", "-f");
    const reader = child.stdout.getReader();
    expect(new TextDecoder().decode((await reader.read()).value)).toBe("one\n");
    writeFileSync(path, "two\n", { flag: "a" });
    expect(new TextDecoder().decode((await reader.read()).value)).toBe("two\n");
    child.kill("SIGINT");
    expect(await child.exited).toBe(0);

    const piped = start("sh", "-c", `"${process.execPath}" "${papayuProgram()}" logs -f | head -1`);
    await piped.stdout.getReader().read();
    while (piped.exitCode === null) {
      writeFileSync(path, "more\n", { flag: "a" });
      await Bun.sleep(50);
    }
    expect(await piped.exited).toBe(0);
  });
});
