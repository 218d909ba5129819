import { describe, expect, test } from "bun:test";
import { chmodSync, chownSync, existsSync, lstatSync } from "node:fs";
import { join } from "node:path";
import { sha256 } from "../../src/core/sha256.ts";
import type { Action } from "../../src/protocol/response.ts";
import { buildChangeSet, contentIdOf } from "../../src/transaction/change-set.ts";
import { composeAsOne, composeChangeSets } from "../../src/transaction/compute/compute.ts";
import { runTransaction, withModesNow } from "../../src/transaction/run/run.ts";
import { undo } from "../../src/transaction/undo/undo.ts";
import { giveList, listOf } from "../support/access-list.ts";
import { childProgram } from "../support/child-program.ts";
import { needs } from "../support/needs.ts";
import { IS_ROOT } from "../support/root.ts";
import { tempDir } from "../support/temp.ts";
import { readTree, writeTree } from "../support/tree.ts";
import { applyActions, changeSetOf, requestFor, workspaceAt } from "./scene.ts";

const CHILD = await childProgram(new URL("./rights-child.ts", import.meta.url));
const [SELF, COLLEAGUE, TEAM, OTHERS] = [2001, 2000, 3000, 3001];
const AS_SELF = ["setpriv", `--reuid=${SELF}`, `--regid=${SELF}`, `--groups=${TEAM}`];
const canBeOther = needs(
  "root, setpriv, and a folder that others may read",
  IS_ROOT && Bun.spawnSync([...AS_SELF, "test", "-r", CHILD]).success,
);

const TEXT = "user = me\nsecret = 1234\nhost = example\n";
const move = (from: string, to: string): readonly Action[] => [
  { kind: "CREATE_FILE", path: to, content: TEXT },
  { kind: "DELETE_FILE", path: from },
];

/** A folder that is a team's, and its member's who runs papa-yu. */
function open(files: Readonly<Record<string, string>> = { "a.txt": TEXT }) {
  const dir = tempDir();
  const root = join(dir.path, "w");
  writeTree(root, files);
  const at = (path: string) => join(root, path);
  if (IS_ROOT) for (const folder of [dir.path, root]) chownSync(folder, SELF, TEAM);
  return {
    root,
    at,
    workspace: workspaceAt(root),
    rightsOf(path: string) {
      const { uid, gid, mode } = lstatSync(at(path));
      return `${uid}:${gid} ${(mode & 0o7777).toString(8)}`;
    },
    give(path: string, uid: number, gid: number, mode: number) {
      chownSync(at(path), uid, gid);
      chmodSync(at(path), mode);
    },
    /** By that member. */
    apply(actions: readonly Action[], script = "", ...more: readonly string[]) {
      const argv = [...AS_SELF, process.execPath, CHILD, root, JSON.stringify(actions), script];
      const child = Bun.spawnSync([...argv, ...more], { cwd: root });
      expect(child.stderr.toString()).toBe("");
      return JSON.parse(child.stdout.toString());
    },
    [Symbol.dispose]: () => dir[Symbol.dispose](),
  };
}

/** Takes from the stage what a roll-back would move, so that it writes the before-image. */
const EMPTIED = "rm -rf .papa-yu/tx/*/stage-*; exit 1";

describe("Whom a file belongs to goes with it", () => {
  test.if(canBeOther)("by a new name, where it may be given", () => {
    using scene = open();
    scene.give("a.txt", SELF, TEAM, 0o640);
    const said = scene.apply(move("a.txt", "b.txt"), "", "undo");
    expect(said).toMatchObject({ status: "committed", notes: [], undone: [] });
    expect(scene.rightsOf("a.txt")).toBe(`${SELF}:${TEAM} 640`);
  });

  test.if(canBeOther).each(["b.txt", "shared/b.txt"])("to %s", (to) => {
    using scene = open({ "a.txt": TEXT, "shared/x": "" });
    scene.give("shared", SELF, OTHERS, 0o2775);
    scene.give("a.txt", SELF, TEAM, 0o640);
    expect(scene.apply(move("a.txt", to))).toMatchObject({ status: "committed", notes: [] });
    expect(scene.rightsOf(to)).toBe(`${SELF}:${TEAM} 640`);
  });

  test.if(canBeOther)("or else opens it to no other group, and says so", () => {
    using scene = open();
    scene.give("a.txt", SELF, OTHERS, 0o640);
    const note = `b.txt: belongs to ${SELF}:${OTHERS}, a group that papa-yu is not in; the new file is of its own, with mode 600`;
    expect(scene.apply(move("a.txt", "b.txt"))).toMatchObject({ notes: [note] });
    expect(scene.rightsOf("b.txt")).toBe(`${SELF}:${SELF} 600`);
  });

  test.if(canBeOther)("to what is made with its rights, and to what an undo brings back", () => {
    using scene = open();
    scene.give("a.txt", SELF, TEAM, 0o640);
    const copy = {
      kind: "CREATE_FILE",
      path: "c.txt",
      content: "c\n",
      rights_of: "a.txt",
    } as const;
    scene.apply([copy]);
    expect(scene.rightsOf("c.txt")).toBe(`${SELF}:${TEAM} 640`);
    scene.apply([{ kind: "DELETE_FILE", path: "a.txt" }], "", "undo");
    expect(scene.rightsOf("a.txt")).toBe(`${SELF}:${TEAM} 640`);
  });

  test.if(IS_ROOT)("where papa-yu runs as root", async () => {
    using scene = open();
    scene.give("a.txt", 1000, 1000, 0o600);
    expect(await applyActions(scene.workspace, move("a.txt", "b.txt"))).toMatchObject({ ok: true });
    expect(scene.rightsOf("b.txt")).toBe("1000:1000 600");
    expect(await undo(requestFor(scene.workspace, changeSetOf(scene.workspace, [])))).toMatchObject(
      {
        ok: true,
      },
    );
    expect(scene.rightsOf("a.txt")).toBe("1000:1000 600");
  });

  test.if(canBeOther)("from a before-image", () => {
    using scene = open();
    scene.give("a.txt", SELF, TEAM, 0o640);
    const said = scene.apply([{ kind: "DELETE_FILE", path: "a.txt" }], EMPTIED);
    expect(said).toMatchObject({ status: "rolled_back" });
    expect(said.message).toEndWith("every file is as before");
    expect(scene.rightsOf("a.txt")).toBe(`${SELF}:${TEAM} 640`);
  });

  test.if(canBeOther)("or is said where it cannot, and nobody else is let in", () => {
    using scene = open();
    scene.give("a.txt", COLLEAGUE, OTHERS, 0o644);
    const said = scene.apply([{ kind: "DELETE_FILE", path: "a.txt" }], EMPTIED);
    expect(said).toMatchObject({ status: "rolled_back" });
    expect(said.message).toEndWith(
      `every file has its content from before; a.txt: is back and belongs to ${SELF}:${SELF}, for papa-yu cannot give it to ${COLLEAGUE}:${OTHERS}, whose it was`,
    );
    expect(scene.rightsOf("a.txt")).toBe(`${SELF}:${SELF} 644`);
  });
});

const [PRIVATE, PLAIN] = [0o600, 0o644];
const state = (text: string, mode: number) => ({
  sha256: sha256(text),
  mode,
  sizeBytes: text.length,
});

describe("A mode that a person narrowed stays so by a new name", () => {
  test("between the preview and the change", async () => {
    using scene = open();
    const changeSet = changeSetOf(scene.workspace, move("a.txt", "b.txt"));
    chmodSync(scene.at("a.txt"), PRIVATE);
    const now = withModesNow(scene.workspace, changeSet);
    expect(contentIdOf(now.changes)).toBe(contentIdOf(changeSet.changes));
    const result = await runTransaction(requestFor(scene.workspace, changeSet));
    expect(result).toMatchObject({ ok: true });
    expect(lstatSync(scene.at("b.txt")).mode & 0o777).toBe(PRIVATE);
  });

  test("but for a file of which an action says whose rights it has", () => {
    using scene = open({ "a.txt": TEXT, "run.sh": "#!\n" });
    chmodSync(scene.at("run.sh"), 0o755);
    const actions: readonly Action[] = [
      { kind: "CREATE_FILE", path: "b.txt", content: TEXT, rights_of: "run.sh" },
      { kind: "DELETE_FILE", path: "a.txt" },
    ];
    const changeSet = changeSetOf(scene.workspace, actions);
    chmodSync(scene.at("a.txt"), PRIVATE);
    expect(withModesNow(scene.workspace, changeSet).changes).toMatchObject([
      { kind: "create", after: { mode: 0o755 } },
      { kind: "delete", before: { mode: PRIVATE } },
    ]);
  });

  test.each([
    [PLAIN, PRIVATE, PRIVATE],
    [PLAIN, 0o755, PLAIN],
    [PRIVATE, PLAIN, PRIVATE],
    [PLAIN, PLAIN, PLAIN],
  ])("in an undo: it was %o, is %o by now, and comes back as %o", async (was, now, back) => {
    using scene = open();
    chmodSync(scene.at("a.txt"), was);
    await applyActions(scene.workspace, move("a.txt", "b.txt"));
    chmodSync(scene.at("b.txt"), now);
    const request = requestFor(scene.workspace, changeSetOf(scene.workspace, []));
    expect(await undo(request)).toMatchObject({ ok: true });
    expect(lstatSync(scene.at("a.txt")).mode & 0o777).toBe(back);
  });

  test("where the file comes with one change set and goes with the next", () => {
    const contents = new Map([[sha256(TEXT), Buffer.from(TEXT)]]);
    const comes = buildChangeSet(
      [{ kind: "create", path: "b.txt", after: state(TEXT, PLAIN) }],
      contents,
    );
    const goes = buildChangeSet(
      [{ kind: "delete", path: "a.txt", before: state(TEXT, PRIVATE) }],
      contents,
    );
    const modeIn = (composed: ReturnType<typeof composeAsOne>) => {
      const [create] = composed.ok ? composed.changeSet.changes : [];
      return create?.kind === "create" ? create.after.mode : undefined;
    };
    expect([modeIn(composeAsOne(comes, goes)), modeIn(composeAsOne(goes, comes))]).toEqual([
      PRIVATE,
      PRIVATE,
    ]);
    // In one that was worked out as one it is settled.
    const both = composeChangeSets(comes, goes);
    if (!both.ok) throw new Error("it is one");
    expect(modeIn(composeAsOne(both.changeSet, buildChangeSet([], new Map())))).toBe(PLAIN);
  });
});

describe("A folder that is made for files by a new name", () => {
  test.each([
    ["secret/a.txt", "open/a.txt", { "open/": "dir 700" }],
    ["secret/in/a.txt", "open/in/a.txt", { "open/": "dir 700", "open/in/": "dir 755" }],
    ["secret/in/a.txt", "open/a.txt", { "open/": "dir 700" }],
    ["secret/a.txt", "open/new/a.txt", { "open/": "dir 755", "open/new/": "dir 700" }],
    ["secret/a.txt", "secret/new/a.txt", { "secret/new/": "dir 755" }],
  ])("of %s to %s lets nobody in who was kept out", async (from, to, made) => {
    using scene = open({ [from]: TEXT, "secret/stays": "" });
    chmodSync(scene.at("secret"), 0o700);
    expect(await applyActions(scene.workspace, move(from, to))).toMatchObject({ ok: true });
    expect(readTree(scene.root)).toMatchObject(made);
  });

  test("is as private where that one goes", async () => {
    using scene = open({ "secret/a.txt": TEXT });
    chmodSync(scene.at("secret"), 0o750);
    const gone: Action = { kind: "DELETE_DIR", path: "secret" };
    const actions = [...move("secret/a.txt", "open/a.txt"), gone];
    expect(await applyActions(scene.workspace, actions)).toMatchObject({ ok: true });
    expect(readTree(scene.root)).toMatchObject({ "open/": "dir 750" });
    expect(existsSync(scene.at("secret"))).toBe(false);
  });
});

const hasLists = needs("access lists (ACLs) of files", canHave());

function canHave(): boolean {
  using scene = open();
  return giveList(scene.at("a.txt"), listOf(1234, 0));
}

describe("A roll-back that writes a before-image", () => {
  test.if(hasLists)("gives no group what only an access list gave, and says so", async () => {
    using scene = open();
    chmodSync(scene.at("a.txt"), PRIVATE);
    giveList(scene.at("a.txt"), listOf(1234, 0));
    chmodSync(scene.at("a.txt"), 0o660);
    const checks = [{ name: "test", argv: ["sh", "-c", EMPTIED] }];
    const actions: readonly Action[] = [{ kind: "DELETE_FILE", path: "a.txt" }];
    const result = await applyActions(scene.workspace, actions, { checks });
    expect(result).toMatchObject({ status: "rolled_back" });
    expect(result.ok ? "" : result.message).toEndWith(
      "every file has its content from before; a.txt: is back without its access list (ACL), with mode 600",
    );
    expect(lstatSync(scene.at("a.txt")).mode & 0o777).toBe(PRIVATE);
  });

  const UPDATE: Action = {
    kind: "REPLACE_RANGE",
    path: "d/a.txt",
    base_sha256: sha256(TEXT),
    start_line: 1,
    end_line: 1,
    content: "user = you",
  };

  test.each([
    ["rm d/a.txt", "d/a.txt: was removed meanwhile, and is back"],
    ["chmod 600 d/a.txt", "d/a.txt: had mode 600 meanwhile, and has 644 again"],
  ])("says what it took back of what was done meanwhile: %s", async (script, sentence) => {
    using scene = open({ "d/a.txt": TEXT });
    const checks = [{ name: "test", argv: ["sh", "-c", `${script}; exit 1`] }];
    const result = await applyActions(scene.workspace, [UPDATE], { checks });
    expect(result).toMatchObject({ status: "rolled_back" });
    expect(result.ok ? "" : result.message).toEndWith(
      `every file has its content from before; ${sentence}`,
    );
  });

  test("makes a folder that went with its file for nobody else", async () => {
    using scene = open({ "d/a.txt": TEXT });
    chmodSync(scene.at("d"), 0o700);
    const checks = [{ name: "test", argv: ["sh", "-c", "rm -r d; exit 1"] }];
    const result = await applyActions(scene.workspace, [UPDATE], { checks });
    expect(result).toMatchObject({ status: "rolled_back" });
    expect(readTree(scene.root)).toMatchObject({ "d/": "dir 700" });
    expect(result.ok ? "" : result.message).toContain(
      "d: the folder was gone, and is made anew for its owner alone, with mode 700",
    );
  });
});
