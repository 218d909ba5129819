import { describe, expect, test } from "bun:test";
import { closeSync, openSync, readFileSync, truncateSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import * as fc from "fast-check";
import { indexTar, TAR_END, tarEntry } from "../../src/transaction/stage/tar.ts";
import { tempDir } from "../support/temp.ts";

const MODIFIED_AT = Date.UTC(2026, 0, 1);

function write(path: string, files: readonly (readonly [string, Uint8Array])[]): void {
  const entries = files.map(([name, content]) => tarEntry(name, content, MODIFIED_AT));
  writeFileSync(path, Buffer.concat([...entries, TAR_END]));
}

function read(path: string): readonly (readonly [string, Uint8Array])[] {
  const fd = openSync(path, "r");
  try {
    const bytes = readFileSync(path);
    return [...indexTar(fd)].map(([name, { offset, sizeBytes }]) => [
      name,
      new Uint8Array(bytes.subarray(offset, offset + sizeBytes)),
    ]);
  } finally {
    closeSync(fd);
  }
}

describe("tarEntry()", () => {
  test("makes archives that tar lists and extracts", () => {
    using dir = tempDir();
    const path = join(dir.path, "a.tar");
    const name = "f".repeat(69);
    write(path, [
      ["empty", new Uint8Array()],
      [name, Buffer.from("one\n".repeat(200))],
    ]);
    const run = (...args: string[]) => Bun.spawnSync(["tar", ...args]).stdout.toString();
    expect(run("-tf", path)).toBe(`empty\n${name}\n`);
    expect(run("-xOf", path, name)).toBe("one\n".repeat(200));
  });
});

describe("indexTar()", () => {
  test("finds every content that tarEntry() wrote", () => {
    using dir = tempDir();
    const path = join(dir.path, "a.tar");
    const names = fc.stringMatching(/^[a-z0-9]{1,99}$/);
    const files = fc.uniqueArray(fc.tuple(names, fc.uint8Array({ maxLength: 1100 })), {
      selector: ([name]) => name,
      maxLength: 5,
    });
    fc.assert(
      fc.property(files, (wanted) => {
        write(path, wanted);
        expect(read(path)).toEqual(wanted);
      }),
    );
  });

  test("keeps what comes before damage or a cut, and takes no size on trust", () => {
    using dir = tempDir();
    const path = join(dir.path, "a.tar");
    const whole: readonly [string, Uint8Array] = ["whole", new Uint8Array([1, 2, 3])];
    write(path, [whole, ["cut", new Uint8Array(600)]]);
    truncateSync(path, 4 * 512);
    expect(read(path)).toEqual([whole]);
    write(path, [whole, ["damaged", new Uint8Array(600)]]);
    const bytes = readFileSync(path);
    bytes[1024] = 0xff;
    writeFileSync(path, bytes);
    expect(read(path)).toEqual([whole]);
    writeFileSync(path, "no archive");
    expect(read(path)).toEqual([]);
  });
});
