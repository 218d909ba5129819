import { expect, test } from "bun:test";
import { existsSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { type ConsoleScene, openConsoleScene, PLANTED } from "./console-scene.ts";

/** What tests read of it. */
interface TakeBack {
  readonly kind: string;
  readonly tx_id: string;
  readonly digest: string;
  readonly merged: readonly string[];
  readonly conflicts: readonly { readonly path: string }[];
  readonly files: readonly { readonly n: number; readonly path: string }[];
  readonly refused?: { readonly code: string };
  readonly actions: readonly { readonly act: string; readonly ref: string }[];
}

const read = async <T>({ get }: ConsoleScene, path: string): Promise<T> =>
  JSON.parse(await (await get(path)).text());

/** Lets the phone approve a change; the owner's page did not make it. */
async function change({ phone }: ConsoleScene): Promise<void> {
  await phone.say("plan: write down why", "Write docs/why.md");
  await phone.tap("Apply", "Changes for notes");
  await phone.tap("Approve", /Applied/u);
}

/** Presses what is offered, as the page does. */
async function press(scene: ConsoleScene, { actions, digest }: TakeBack): Promise<string> {
  const [{ act, ref } = { act: "", ref: "" }] = actions;
  return (await scene.post("/api/press", { act, ref, digest })).text();
}

test("a change keeps its goal when a later plan comes to the same files", async () => {
  await using scene = await openConsoleScene();
  const { phone } = scene;
  await change(scene);
  await phone.tap("Undo", "Undone in notes");
  await phone.say("plan: write the very same once more", "Write docs/why.md");
  await phone.tap("Apply", "Changes for notes");
  const { entries } = await read<{ entries: readonly { kind: string; goal?: string }[] }>(
    scene,
    "/api/workspaces/notes",
  );
  expect(entries.map(({ kind, goal }) => [kind, goal])).toEqual([
    ["undo", undefined],
    ["apply", "write down why"],
  ]);
});

test("a change is in its workspace's past with who asked, and can be read there", async () => {
  await using scene = await openConsoleScene();
  const { folder } = scene;
  expect(await read(scene, "/api/workspaces")).toMatchObject({
    ok: true,
    workspaces: [{ name: "notes", root: folder, state: "ready", transactions: 0 }],
  });
  await change(scene);
  const one = await read<{ entries: readonly { tx_id: string }[] }>(scene, "/api/workspaces/notes");
  expect(one).toMatchObject({
    ok: true,
    name: "notes",
    transactions: 1,
    older: null,
    checks: [],
    preferences: {},
    entries: [
      {
        kind: "apply",
        status: "committed",
        summary: "write down why",
        goal: "write down why",
        figures: { created: 2, updated: 0, deleted: 0 },
        asked: { channel: "telegram" },
        trace_id: expect.stringMatching(/^trace_/u),
      },
    ],
  });
  const { tx_id: txId } = one.entries[0] ?? { tx_id: "" };
  const at = `/api/workspaces/notes/transactions/${txId}`;
  expect(await read(scene, at)).toMatchObject({
    ok: true,
    tx_id: txId,
    files: [
      { n: 0, path: "docs", kind: "mkdir" },
      { n: 1, path: "docs/why.md", kind: "create", added: 4 },
    ],
  });
  const file = await read<{ after: string }>(scene, `${at}/files/1`);
  expect(file.after).toContain("# Why");
  expect(file.after).not.toContain(PLANTED);
  // Read after it was changed once more, it is as it was then.
  writeFileSync(join(folder, "docs/why.md"), "mine\n");
  expect(await read(scene, `${at}/files/1`)).toEqual(file);
});

test("an undo does what was shown or nothing, and is brought back by a redo", async () => {
  await using scene = await openConsoleScene();
  const { folder } = scene;
  const why = join(folder, "docs/why.md");
  await change(scene);
  const written = readFileSync(why, "utf8");
  const shown = await read<TakeBack>(scene, "/api/workspaces/notes/undo");
  expect(shown).toMatchObject({
    kind: "undo",
    summary: "write down why",
    merged: [],
    conflicts: [],
    actions: [{ act: "undo", label: "Undo" }],
  });
  const { files } = shown;
  const of = `/api/workspaces/notes/undo/${shown.digest}/files`;
  const gone = files.find(({ path }) => path === "docs/why.md");
  expect(await read(scene, `${of}/${gone?.n}`)).toMatchObject({ after: null });
  const none = await read<TakeBack>(scene, "/api/workspaces/notes/redo");
  expect(none).toMatchObject({ refused: { code: "REDO_NOTHING" }, actions: [] });

  // The folder is another by the time of the press: nothing is done, and it is shown anew.
  rmSync(why);
  expect(await press(scene, shown)).toContain("ERR_CHANGE_SET_STALE");
  expect(existsSync(join(folder, "docs"))).toBe(true);
  writeFileSync(why, `${written}and more\n`);
  expect(await press(scene, shown)).toContain("UNDO_CONFLICT");
  expect(readFileSync(why, "utf8")).toBe(`${written}and more\n`);
  expect(await read<TakeBack>(scene, "/api/workspaces/notes/undo")).toMatchObject({
    refused: { code: "UNDO_CONFLICT" },
    conflicts: [{ path: "docs/why.md" }],
    actions: [],
  });
  writeFileSync(why, written);

  // From two windows at once: one of them undoes it.
  const answers = await Promise.all([press(scene, shown), press(scene, shown)]);
  expect(existsSync(why)).toBe(false);
  expect(answers.filter((text) => /UNDO_NOTHING|APPROVAL_INVALID/u.test(text))).toHaveLength(1);
  const back = await read<TakeBack>(scene, "/api/workspaces/notes/redo");
  expect(back).toMatchObject({ kind: "redo", actions: [{ act: "redo", label: "Redo" }] });
  await press(scene, back);
  expect(readFileSync(why, "utf8")).toBe(written);
  expect(await press(scene, back)).toContain("REDO_NOTHING");
  expect(await read(scene, "/api/workspaces/notes?limit=2")).toMatchObject({
    transactions: 3,
    entries: [
      { kind: "redo", asked: { channel: "console" } },
      { kind: "undo", asked: { channel: "console" } },
    ],
    older: expect.stringMatching(/^tx_/u),
  });
});

test("what is no name, no id and no digest of ours gets nothing", async () => {
  await using scene = await openConsoleScene();
  await change(scene);
  const { get, post } = scene;
  const { tx_id: txId } = await read<TakeBack>(scene, "/api/workspaces/notes/undo");
  for (const path of [
    "/api/workspaces/other",
    "/api/workspaces/..%2fnotes",
    `/api/workspaces/${encodeURIComponent(scene.folder)}`,
    "/api/workspaces/%ff",
    `/api/workspaces/other/transactions/${txId}`,
    "/api/workspaces/notes/transactions/tx_0000000000000000",
    `/api/workspaces/notes/transactions/${txId}%00`,
    `/api/workspaces/notes/transactions/${txId}/files/99`,
    "/api/workspaces/notes/undo/x/files/x",
  ]) {
    expect([path, (await get(path)).status]).toEqual([path, 404]);
  }
  expect((await get(`/api/workspaces/notes/undo/${"0".repeat(64)}/files/0`)).status).toBe(409);
  expect((await get("/api/workspaces/notes?before=1")).status).toBe(400);
  expect((await get("/api/workspaces/notes?limit=201")).status).toBe(400);
  // A program that was shown nothing has no undo of what the phone made, and no redo at all.
  const named = { session_id: "mine" };
  expect(await (await post("/api/press", { act: "undo", ref: txId, ...named })).text()).toContain(
    "APPROVAL_INVALID",
  );
  expect(await (await post("/api/press", { act: "redo", ref: txId, ...named })).text()).toContain(
    "APPROVAL_INVALID",
  );
  expect(existsSync(join(scene.folder, "docs/why.md"))).toBe(true);
});
