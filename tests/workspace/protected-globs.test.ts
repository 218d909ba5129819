import { expect, test } from "bun:test";
import { isProtectedPath, protectedGlobs } from "../../src/workspace/protected-paths.ts";

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
