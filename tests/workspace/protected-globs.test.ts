import { expect, test } from "bun:test";
import fc from "fast-check";
import {
  BUILT_IN_PROTECTED,
  isProtectedPath,
  protectedGlobs,
} from "../../src/workspace/protected-paths.ts";

const EXTRA = ["private/**", "*.crt", "/only/here.txt", "a.{x,y}"];
const globs = protectedGlobs(EXTRA).map((glob) => new Bun.Glob(glob.toLowerCase()));
const isLeftOut = (path: string) => globs.some((glob) => glob.match(path.toLowerCase()));

test.each([
  ".env",
  "deep/.env.local",
  ".ENV",
  "secrets/a/b",
  "deep/Secrets/x",
  ".git/config",
  "deep/.git",
  ".papa-yu/tx/t.json",
  ".ssh/known_hosts",
  "server.pem",
  "deep/SERVER.KEY",
  "x.p12",
  "id_rsa.pub",
  "deep/id_ed25519",
  "private/a/b",
  "a.crt",
  "deep/a.crt/b",
  "only/here.txt",
  "deep/a.y",
])("protectedGlobs() leaves out %s as isProtectedPath() does", (path) => {
  expect(isProtectedPath(path, EXTRA, "read")).toBe(true);
  expect(isLeftOut(path)).toBe(true);
});

test.each([
  "a.txt",
  "env",
  "mysecrets/x",
  "src/keys.ts",
  "deep/only/here.txt",
  "monkey",
  ".gitignore",
])("protectedGlobs() leaves %s in", (path) => {
  expect(isProtectedPath(path, EXTRA, "read")).toBe(false);
  expect(isLeftOut(path)).toBe(false);
});

test("protectedGlobs() leaves out every copy of a built-in name that isProtectedPath() knows", () => {
  const letters = fc.stringMatching(/^[a-z0-9]{0,3}$/);
  const name = fc.tuple(fc.constantFrom(...BUILT_IN_PROTECTED), letters);
  const before = fc.constantFrom("", ".", "#", ".#");
  const after = fc.constantFrom("", "~", "#", ".bak", ".swp", "-old", "_copy", ".orig~", ".2");
  const folder = fc.constantFrom("", "deep/", "a/b/");
  const inside = fc.constantFrom("", "/x", "/x/y.txt");
  fc.assert(
    fc.property(folder, before, name, after, inside, (top, front, [glob, text], end, rest) => {
      const cut = glob.lastIndexOf("/") + 1;
      const file = front + glob.slice(cut).replaceAll("*", text) + end;
      const path = `${top}${glob.slice(0, cut)}${file}${rest}`;
      if (isProtectedPath(path, [], "read")) expect(isLeftOut(path)).toBe(true);
      if (front + end === "") expect(isProtectedPath(path, [], "read")).toBe(true);
    }),
    { numRuns: 3000 },
  );
});
