import { describe, expect, test } from "bun:test";
import { symlinkSync } from "node:fs";
import { join } from "node:path";
import { filesSeen, renderBlocks } from "../../../src/planner/context/block.ts";
import { readFileBlock, renderFileBlock } from "../../../src/planner/context/file-block.ts";
import { silentLog } from "../../support/silent-log.ts";
import { tempDir } from "../../support/temp.ts";
import { writeTree } from "../../support/tree.ts";
import { toWorkspace } from "../planner-scene.ts";

const file = { path: "a.ts", text: "one\r\ntwo\nthree\n", sha256: "f".repeat(64) };

describe("renderFileBlock()", () => {
  test("numbers lines and shows them without their line ends", () => {
    expect(renderBlocks([renderFileBlock(file, 0)], { check: "warn", log: silentLog })).toBe(
      `FILE[a.ts] (sha256=${"f".repeat(64)}):\n1|one\n2|two\n3|three`,
    );
  });

  test.each([
    [{ startLine: 2, endLine: 99 }, "2|two\n3|three"],
    [{ startLine: 2 }, "2|two\n3|three"],
    [{ startLine: 1, endLine: 2 }, "1|one\n2|two\n… the file goes on to line 3 …"],
    [{ startLine: 7, endLine: 9 }, "… the file ends at line 3 …"],
    [{ startLine: 3, endLine: 2 }, "… the file goes on to line 3 …"],
  ])("shows the range %j with the numbers of the whole file", (range, body) => {
    expect(renderFileBlock(file, 0, [range]).body).toBe(body);
  });

  test("shows several ranges in order, those that touch as one", () => {
    const text = "abcdefghij".split("").join("\n");
    const ranges = [
      { startLine: 7, endLine: 8 },
      { startLine: 1, endLine: 2 },
      { startLine: 3, endLine: 3 },
    ];
    expect(renderFileBlock({ ...file, text }, 0, ranges).body).toBe(
      "1|a\n2|b\n3|c\n…\n7|g\n8|h\n… the file goes on to line 10 …",
    );
    const rest = [{ startLine: 9 }, { startLine: 8, endLine: 9 }, { startLine: 10, endLine: 10 }];
    expect(renderFileBlock({ ...file, text }, 0, rest).body).toBe("8|h\n9|i\n10|j");
  });

  test("keeps an empty file, form feeds and U+2028 as they are", () => {
    expect(renderFileBlock({ ...file, text: "" }, 0).body).toBe("");
    expect(renderFileBlock({ ...file, text: "a\fb\u2028c" }, 0).body).toBe("1|a\fb\u2028c");
  });
});

describe("readFileBlock()", () => {
  test("says why a file is not shown, and never where the folder lies", async () => {
    using dir = tempDir();
    using outside = tempDir();
    writeTree(dir.path, {
      "latin1.txt": Buffer.from("caf\xe9", "latin1"),
      "zero.dat": "a\0b",
      "big.csv": "1,2,3\n".repeat(400_000),
      "sub/a.txt": "a",
      ".env": "secret",
    });
    writeTree(outside.path, { "secret.txt": "secret" });
    symlinkSync(join(outside.path, "secret.txt"), join(dir.path, "out.txt"));
    symlinkSync(outside.path, join(dir.path, "outdir"));
    symlinkSync("loop", join(dir.path, "loop"));
    symlinkSync(".env", join(dir.path, "env.txt"));
    const workspace = toWorkspace(dir.path);
    const cases = [
      ["latin1.txt", "ERR_NON_UTF8_FILE"],
      ["zero.dat", "ERR_NON_UTF8_FILE"],
      ["big.csv", "too_large"],
      ["sub", "ERR_IO"],
      ["missing.txt", "ERR_NOT_FOUND"],
      ["sub/a.txt/b", "ERR_NOT_FOUND"],
      [".env", "ERR_PROTECTED_PATH"],
      ["env.txt", "ERR_PROTECTED_PATH"],
      ["out.txt", "ERR_INVALID_PATH"],
      ["outdir/secret.txt", "ERR_INVALID_PATH"],
      ["loop", "ERR_INVALID_PATH"],
      ["../x", "ERR_INVALID_PATH"],
      ["/etc/passwd", "ERR_INVALID_PATH"],
      ["a\nFILE[x] (sha256=0):", "ERR_INVALID_PATH"],
    ] as const;
    for (const [path, code] of cases) {
      const block = await readFileBlock(workspace, path, 0);
      expect({ path, header: block.header }).toEqual({
        path,
        header: expect.stringMatching(new RegExp(`^REFUSED\\[.*\\]: ${code}: .+$`)),
      });
      expect(block.header).not.toContain(dir.path);
      expect(block.header).not.toContain(outside.path);
      expect(JSON.stringify(block)).not.toContain('secret"');
      expect(filesSeen([block])).toEqual({});
    }
  });

  test("follows a link that stays inside, and normalises the path", async () => {
    using dir = tempDir();
    writeTree(dir.path, { "src/a.txt": "a\n" });
    symlinkSync("src/a.txt", join(dir.path, "l.txt"));
    const workspace = toWorkspace(dir.path);
    expect(await readFileBlock(workspace, "./src//a.txt", 0)).toMatchObject({ path: "src/a.txt" });
    expect(await readFileBlock(workspace, "l.txt", 0)).toMatchObject({
      path: "l.txt",
      body: "1|a",
    });
  });
});
