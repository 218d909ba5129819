import { describe, expect, test } from "bun:test";
import { chmodSync, chownSync, lchownSync, rmSync, statSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import { AppError } from "../../src/core/app-error.ts";
import { secureHome } from "../../src/system/secure-home.ts";
import { tempDir } from "../support/temp.ts";
import { writeTree } from "../support/tree.ts";

/** Who looks at the home, and somebody else. */
const [USER, STRANGER] = [12_345, 12_346] as const;

/** A home with everything that counts as the owner's word. */
function openHome() {
  const dir = tempDir();
  writeTree(dir.path, {
    "home/config.toml": "",
    "home/state.db": "",
    "home/http.token": "t",
    "home/trusted/a.json": "{}",
    "home/skills/one/SKILL.md": "",
  });
  const home = join(dir.path, "home");
  for (const name of ["", "trusted", "skills", "skills/one"]) chmodSync(join(home, name), 0o700);
  return {
    dir: dir.path,
    home,
    at: (name: string) => join(home, name),
    modeOf: (name: string) => statSync(join(home, name)).mode & 0o777,
    [Symbol.dispose]: () => dir[Symbol.dispose](),
  };
}

function refusal(home: string, uid?: number): string {
  try {
    secureHome(home, uid);
    return "nothing";
  } catch (error) {
    if (error instanceof AppError && error.code === "ERR_HOME_UNSAFE") return error.message;
    throw error;
  }
}

const TRUSTED = ["config.toml", "state.db", "http.token", "trusted/a.json", "skills/one/SKILL.md"];

describe("secureHome()", () => {
  test("takes a home that is its owner's alone, or not there yet, and changes nothing", () => {
    using scene = openHome();
    expect(secureHome(scene.home)).toEqual([]);
    expect(secureHome(join(scene.dir, "later/home"))).toEqual([]);
  });

  test("closes a home that others can read without a word, and one that they can write with one", () => {
    using scene = openHome();
    chmodSync(scene.home, 0o755);
    expect(secureHome(scene.home)).toEqual([]);
    expect(scene.modeOf("")).toBe(0o700);
    chmodSync(scene.home, 0o777);
    expect(secureHome(scene.home)).toEqual([
      expect.stringContaining(`"${scene.home}" could be written by others until now`),
    ]);
    expect(scene.modeOf("")).toBe(0o700);
    expect(secureHome(scene.home)).toEqual([]);
  });

  test("closes no folder that is open to others and not known to be papa-yu's", () => {
    using scene = openHome();
    writeTree(scene.dir, { "usr/bin/sh": "", "empty/a": "" });
    rmSync(join(scene.dir, "empty/a"));
    for (const name of ["usr", "empty"]) chmodSync(join(scene.dir, name), 0o755);
    expect(refusal(join(scene.dir, "usr"))).toContain("holds other files than papa-yu's");
    expect(statSync(join(scene.dir, "usr")).mode & 0o777).toBe(0o755);
    expect(refusal(join(scene.dir, "empty"))).toBe("nothing");
    chmodSync(scene.home, 0o1777);
    expect(refusal(scene.home)).toContain("open to others");
    expect(scene.modeOf("")).toBe(0o777);
  });

  test.each(TRUSTED)("closes %s, and says so where others could reach it", (name) => {
    using scene = openHome();
    chmodSync(scene.at(name), 0o666);
    expect(secureHome(scene.home)).toEqual([]);
    expect(scene.modeOf(name)).toBe(0o644);
    chmodSync(scene.at(name), 0o666);
    chmodSync(scene.home, 0o711);
    expect(secureHome(scene.home)).toEqual([expect.stringContaining(scene.at(name))]);
    expect(secureHome(scene.home)).toEqual([]);
  });

  test("goes through the owner's own links, and closes what they lead to", () => {
    using scene = openHome();
    writeTree(scene.dir, { "dotfiles/more.toml": "" });
    symlinkSync("../dotfiles/more.toml", scene.at("more.toml"));
    chmodSync(join(scene.dir, "dotfiles/more.toml"), 0o666);
    symlinkSync(scene.home, join(scene.dir, "link"));
    symlinkSync("nowhere", scene.at("dangling"));
    expect(secureHome(join(scene.dir, "link"))).toEqual([]);
    expect(statSync(join(scene.dir, "dotfiles/more.toml")).mode & 0o777).toBe(0o644);
  });

  test("refuses a home below a folder in which everybody may rename", () => {
    using scene = openHome();
    chmodSync(scene.dir, 0o777);
    expect(refusal(scene.home)).toContain(`"${scene.dir}"`);
    expect(refusal(join(scene.dir, "later"))).toContain("put another folder there");
    chmodSync(scene.dir, 0o1777);
    expect(refusal(scene.home)).toBe("nothing");
  });
});

/** Only root can give a file away; whoever else runs this owns the whole home as a stranger. */
const GIVEN = process.getuid?.() === 0 ? ["", ...TRUSTED] : [""];

describe("secureHome() for another user", () => {
  test.each(GIVEN)("refuses a home in which %j is a stranger's", (name) => {
    using scene = openHome();
    if (process.getuid?.() === 0) {
      for (const each of ["", "trusted", "skills", "skills/one", ...TRUSTED]) {
        chownSync(scene.at(each), USER, USER);
      }
      expect(refusal(scene.home, USER)).toBe("nothing");
      chownSync(scene.at(name), STRANGER, STRANGER);
    }
    expect(refusal(scene.home, USER)).toMatch(/it belongs to the user \d+, who could have written/);
  });

  test("refuses a stranger's link, wherever it leads, and lets root work with anybody's home", () => {
    using scene = openHome();
    const link = join(scene.dir, "link");
    symlinkSync(scene.home, link);
    if (process.getuid?.() === 0) lchownSync(link, STRANGER, STRANGER);
    expect(refusal(link, USER)).toContain(`"${link}"`);
    if (process.getuid?.() === 0) chownSync(scene.home, STRANGER, STRANGER);
    expect(refusal(scene.home, 0)).toBe("nothing");
  });
});
