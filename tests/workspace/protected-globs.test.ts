import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import {
  BUILT_IN_PROTECTED,
  isProtectedPath,
  protectedGlobs,
  SECRET_FILES,
} from "../../src/workspace/path-guard/protected-paths.ts";
import { runs } from "../support/long.ts";

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
  "kubeconfig/load.go",
  "src/loadKubeconfig.ts",
  "src/kubeconfig_test.go",
  "external-secrets.yaml",
  "schema.order_history.sql",
])("protectedGlobs() leaves %s in", (path) => {
  expect(isProtectedPath(path, EXTRA, "read")).toBe(false);
  expect(isLeftOut(path)).toBe(false);
});

test("protectedGlobs() leaves out every copy of a built-in name that isProtectedPath() knows", () => {
  const letters = fc.stringMatching(/^[a-z0-9]{0,3}$/);
  const name = fc.tuple(fc.constantFrom(...BUILT_IN_PROTECTED), letters);
  const before = fc.constantFrom("", ".", "#", ".#");
  const after = fc.constantFrom(
    "",
    "~",
    "#",
    ".bak",
    ".swp",
    "-old",
    "_copy",
    ".orig~",
    ".2",
    " copy 2",
    " (1)",
  );
  const folder = fc.constantFrom("", "deep/", "a/b/");
  const inside = fc.constantFrom("", "/x", "/x/y.txt");
  fc.assert(
    fc.property(folder, before, name, after, inside, (top, front, [glob, text], end, rest) => {
      const cut = glob.lastIndexOf("/") + 1;
      const file = front + glob.slice(cut).replaceAll("*", text) + end;
      const path = `${top}${glob.slice(0, cut)}${file}${rest}`;
      if (isProtectedPath(path, [], "read")) expect(isLeftOut(path)).toBe(true);
      const isFile = glob === "kubeconfig" || SECRET_FILES.includes(glob);
      if (front + end + (isFile ? rest : "") === "") {
        expect(isProtectedPath(path, [], "read")).toBe(true);
      }
    }),
    { numRuns: runs(200, 3000) },
  );
});

describe("protectedGlobs() of a glob that expands to very many", () => {
  const many = "{a,b}".repeat(40);

  test.each([
    [many, [`x/${"ab".repeat(20)}`, "x/y"], []],
    [`src/in${many}/x`, [`src/in${"a".repeat(40)}/x`, "src/y/z"], ["docs/y"]],
    [`{a,{b,{c,d}}}/${many}`, [`d/${"b".repeat(40)}`], []],
    [`src/{${Array.from({ length: 5000 }, (_, n) => n).join()}}`, ["src/4999"], ["docs/y"]],
  ])("leaves out no less, in few words: %#", (glob, leftOut, leftIn) => {
    const built = protectedGlobs([]).length;
    const spelled = protectedGlobs([glob]);
    expect(spelled.length).toBeLessThan(built + 200);
    const own = spelled.slice(built).map((each) => new Bun.Glob(each));
    for (const path of leftOut) expect(own.some((each) => each.match(path))).toBe(true);
    for (const path of leftIn) expect(own.some((each) => each.match(path))).toBe(false);
  });

  test("spells out what can be listed", () => {
    const own = protectedGlobs(["x/{a,b}{1,2}.key"]).slice(protectedGlobs([]).length);
    expect(own.filter((each) => !each.endsWith("/**")).toSorted()).toEqual([
      "x/a1.key",
      "x/a2.key",
      "x/b1.key",
      "x/b2.key",
    ]);
  });
});
