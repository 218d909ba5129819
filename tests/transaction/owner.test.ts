import { describe, expect, test } from "bun:test";
import {
  chmodSync,
  chownSync,
  closeSync,
  existsSync,
  lstatSync,
  openSync,
  readFileSync,
  writeFileSync,
  writeSync,
} from "node:fs";
import { join } from "node:path";
import { childProgram } from "../support/child-program.ts";
import { needs } from "../support/needs.ts";
import { until } from "../support/patience.ts";
import { IS_ROOT } from "../support/root.ts";
import { tempDir } from "../support/temp.ts";
import { writeTree } from "../support/tree.ts";

const CHILD = await childProgram(new URL("./owner-child.ts", import.meta.url));
const [SELF, COLLEAGUE, TEAM, OTHERS] = [2001, 2000, 3000, 3001];
const AS_SELF = ["setpriv", `--reuid=${SELF}`, `--regid=${SELF}`, `--groups=${TEAM}`];
const canBeOther = needs(
  "root, setpriv, and a folder that others may read",
  IS_ROOT && Bun.spawnSync([...AS_SELF, "test", "-r", CHILD]).success,
);

const TEXT = "old\n";

/** What becomes of a file of these rights that one member of a team updates in a folder of its own. */
function update(uid: number, gid: number, mode: number, inside: readonly string[] = []) {
  using dir = tempDir();
  const root = join(dir.path, "w");
  writeTree(root, { "shared.txt": TEXT });
  const path = join(root, "shared.txt");
  chmodSync(path, mode);
  chownSync(path, uid, gid);
  for (const folder of [dir.path, root]) chownSync(folder, SELF, TEAM);
  const argv = [...AS_SELF, ...inside, process.execPath, CHILD, root, "shared.txt", TEXT];
  const child = Bun.spawnSync(argv, { cwd: root });
  expect(child.stderr.toString()).toBe("");
  const said: unknown = JSON.parse(child.stdout.toString());
  expect(readFileSync(path, "utf8")).toBe("new\n");
  const stat = lstatSync(path);
  return { said, is: [stat.uid, stat.gid, (stat.mode & 0o7777).toString(8)] };
}

describe("An update by who cannot give files away", () => {
  test.if(canBeOther)("keeps the group that is shared, and says that the owner is another", () => {
    const note = `shared.txt: belongs to user ${COLLEAGUE}; the new file belongs to ${SELF}, for papa-yu cannot give files away`;
    expect(update(COLLEAGUE, TEAM, 0o660)).toEqual({
      said: { ok: true, status: "committed", notes: [note] },
      is: [SELF, TEAM, "660"],
    });
  });

  test.if(canBeOther)(
    "keeps a group beside its first one, and says nothing where all stays",
    () => {
      expect(update(SELF, TEAM, 0o640)).toEqual({
        said: { ok: true, status: "committed", notes: [] },
        is: [SELF, TEAM, "640"],
      });
    },
  );

  test.if(canBeOther).each([
    [0o664, "644"],
    [0o646, "646"],
  ])("gives another group than the file had no more than everybody has, %o", (mode, now) => {
    const note = `shared.txt: belongs to ${SELF}:${OTHERS}, a group that papa-yu is not in; the new file is of its own, with mode ${now}`;
    expect(update(SELF, OTHERS, mode)).toEqual({
      said: { ok: true, status: "committed", notes: [note] },
      is: [SELF, SELF, now],
    });
  });
});

const IN_CONTAINER = ["unshare", "-U", "--map-current-user"];
const canBeInside = needs(
  "root, setpriv, and namespaces of users",
  canBeOther && Bun.spawnSync([...AS_SELF, ...IN_CONTAINER, "true"]).success,
);

test.if(canBeInside)("An update where the group is nobody's, as in a container, is made", () => {
  const { said, is } = update(SELF, TEAM, 0o660, IN_CONTAINER);
  expect(said).toMatchObject({ ok: true, status: "committed" });
  expect(is).toEqual([SELF, SELF, "600"]);
});

describe("A check that passes", () => {
  test
    .if(canBeOther)
    .each([
      "mv s s2; ln -s s2 s",
      "rm -r s; echo > s",
      "rm -r s",
      "chmod 000 s",
      "chmod a-x s",
      "chmod a-r s",
    ])("may do to a folder of changed files what it likes: %s", (script) => {
    using dir = tempDir();
    const root = join(dir.path, "w");
    writeTree(root, { "s/c.txt": TEXT });
    for (const path of [dir.path, root, join(root, "s"), join(root, "s/c.txt")]) {
      chownSync(path, SELF, TEAM);
    }
    const argv = [...AS_SELF, process.execPath, CHILD, root, "s/c.txt", TEXT, script];
    const child = Bun.spawnSync(argv, { cwd: root });
    expect(child.stderr.toString()).toBe("");
    expect(JSON.parse(child.stdout.toString())).toMatchObject({ ok: true, status: "committed" });
    const left = new Bun.Glob("**/stage-*").scanSync({ cwd: root, dot: true });
    expect([...left]).toEqual([]);
  });
});

describe("A file of a colleague's that one may only read", () => {
  const open = () => {
    const dir = tempDir();
    const root = join(dir.path, "w");
    writeTree(root, { "shared.txt": TEXT });
    const path = join(root, "shared.txt");
    chownSync(path, COLLEAGUE, TEAM);
    for (const folder of [dir.path, root]) chownSync(folder, SELF, TEAM);
    const apply = (script: string) => {
      const argv = [...AS_SELF, process.execPath, CHILD, root, "shared.txt", TEXT, script];
      return Bun.spawn(argv, { cwd: root, stderr: "inherit" });
    };
    return { root, path, apply, [Symbol.dispose]: () => dir[Symbol.dispose]() };
  };

  test.if(canBeOther)("goes back as itself, and is still the colleague's", async () => {
    using scene = open();
    const before = lstatSync(scene.path);
    const said: unknown = await new Response(scene.apply("exit 1").stdout).json();
    expect(said).toMatchObject({ ok: false, status: "rolled_back" });
    const { ino, uid, gid } = lstatSync(scene.path);
    expect({ ino, uid, gid }).toEqual({ ino: before.ino, uid: COLLEAGUE, gid: TEAM });
  });

  test.if(canBeOther)("keeps what the colleague writes into it meanwhile", async () => {
    using scene = open();
    const fd = openSync(scene.path, "a");
    const child = scene.apply("touch begun; until [ -e written ]; do sleep 0.01; done");
    await until(() => existsSync(join(scene.root, "begun")));
    writeSync(fd, "theirs\n");
    closeSync(fd);
    writeFileSync(join(scene.root, "written"), "");
    const said: unknown = await new Response(child.stdout).json();
    expect(said).toMatchObject({ ok: false, status: "conflict" });
    expect(readFileSync(scene.path, "utf8")).toBe(`${TEXT}theirs\n`);
  });
});
