import { expect, test } from "bun:test";
import { mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { until } from "../support/patience.ts";
import { readTree } from "../support/tree.ts";
import {
  type ConsoleScene,
  eventsOf,
  OWNER,
  openConsoleScene,
  PLANTED,
  type StreamedEvent,
} from "./console-scene.ts";

/** Asks on the phone, and gives the one item of the inbox. */
async function askOnPhone({ phone, inbox }: ConsoleScene) {
  await phone.say("plan: write down why", "Write docs/why.md");
  await phone.tap("Apply", "Changes for notes");
  const [item] = (await inbox()).items;
  if (!item) throw new Error("nothing is in the inbox");
  return item;
}

test("what the phone was asked is in the inbox, can be read, and is answered from here, once", async () => {
  await using scene = await openConsoleScene();
  const { get, post, folder, phone } = scene;
  const before = readTree(folder);
  expect(await (await get("/api/inbox")).json()).toEqual({
    ok: true,
    boot_id: expect.any(String),
    seq: expect.any(Number),
    items: [],
  });
  const item = await askOnPhone(scene);
  expect(item).toMatchObject({
    kind: "change_set",
    session_id: "telegram:501",
    workspace: "notes",
    title: "write down why",
    files: 1,
    added: 4,
    removed: 0,
    check: "not_run",
    actions: [
      { act: "approve", label: "Approve" },
      { act: "reject", label: "Reject" },
      { act: "try_another", label: "Try another way" },
    ],
  });
  expect(item.ref).toMatch(/^ap_/);

  const review = await scene.review(item.ref);
  expect(review).toMatchObject({
    ok: true,
    state: "waiting",
    digest: item.digest,
    workspace: "notes",
    goal: "write down why",
    files: [
      { n: 0, path: "docs", kind: "mkdir", mode_after: "755", binary: false },
      { n: 1, path: "docs/why.md", kind: "create", added: 4, removed: 0, size_before: null },
    ],
  });
  const file = await (await get(`/api/change-sets/${item.ref}/files/1`)).json();
  expect(file).toEqual({
    ok: true,
    path: "docs/why.md",
    before: null,
    after: "# Why\n\nkey [secret]\nabc\u202e\n",
    hunks: [{ old_start: 0, old_lines: 0, new_start: 1, new_lines: 4 }],
  });
  expect(JSON.stringify([item, review, file])).not.toContain(PLANTED);
  for (const path of ["/files/7", "/files/x", "x", ""]) {
    expect((await get(`/api/change-sets/${item.ref}${path}`)).status).toBe(path === "" ? 200 : 404);
  }

  const press = { act: "approve", ref: item.ref, session_id: item.session_id };
  const other = await post("/api/press", { ...press, digest: "f".repeat(64) });
  expect(other.status).toBe(409);
  expect(readTree(folder)).toEqual(before);
  const applied = await post("/api/press", { ...press, digest: item.digest });
  expect(await applied.text()).toContain("✓ Applied in notes");
  expect(Object.keys(readTree(folder))).toContain("docs/why.md");
  expect((await scene.inbox()).items).toEqual([]);

  // The phone is told, with the button that is below it; those of the question are out of date.
  const told = await phone.waitForText("Answered in the web console:");
  expect(told.buttons).toEqual([]);
  const outcome = await phone.waitForText("Applied in notes");
  expect(outcome.buttons.map(({ label }) => label)).toEqual(["Undo"]);
  await phone.say("/status", "approvals waiting: 0");
  const after = await scene.review(item.ref);
  expect(after).toMatchObject({
    state: "approved",
    actions: [],
    outcome: { ok: true, status: "committed", actions: [{ act: "undo", label: "Undo" }] },
    files: [{}, { path: "docs/why.md", added: 4 }],
  });
  const ref = after.outcome?.undo_ref;
  expect(ref).toMatch(/^tx_/);
  expect(await (await post("/api/press", { act: "undo", ref })).text()).toContain(
    "Undone in notes",
  );
  expect(readTree(folder)).toEqual(before);
  const undone = await scene.review(item.ref);
  expect(undone.outcome).toMatchObject({ ok: true, status: "undone", actions: [] });
});

test("two hundred presses of two pages on what the phone was asked have one winner", async () => {
  await using scene = await openConsoleScene();
  const item = await askOnPhone(scene);
  const press = () =>
    scene.post("/api/press", { act: "approve", ref: item.ref, digest: item.digest });
  const answers = await Promise.all(
    Array.from({ length: 200 }, async () => (await press()).text()),
  );
  expect(answers.filter((each) => each.includes("✓ Applied in notes"))).toHaveLength(1);
  await scene.phone.say("/status", "approvals waiting: 0");
  const told = scene.bot.sent(OWNER).filter(({ text }) => text.includes("Answered in the web"));
  expect(told).toHaveLength(1);
});

test("files that are others by now take the yes away, and nothing of a look is stored", async () => {
  await using scene = await openConsoleScene();
  const item = await askOnPhone(scene);
  const offered = async () => (await scene.inbox()).items[0]?.actions.map(({ act }) => act);
  expect(await offered()).toContain("approve");
  mkdirSync(join(scene.folder, "docs"));
  writeFileSync(join(scene.folder, "docs/why.md"), "mine\n");
  await until(async () => (await offered())?.join() === "reject");
  const review = await scene.review(item.ref);
  expect(review).toMatchObject({ state: "waiting", outdated: true, actions: [{ act: "reject" }] });
  expect(readFileSync(join(scene.folder, "docs/why.md"), "utf8")).toBe("mine\n");
  rmSync(join(scene.folder, "docs"), { recursive: true });
  await until(async () => (await offered())?.includes("approve") === true);
});

test("what another person was asked can be seen here, and not answered", async () => {
  await using scene = await openConsoleScene();
  await scene.guest.say("plan: write down why", "Write docs/why.md");
  await scene.guest.tap("Apply", "Changes for notes");
  const { items } = await scene.inbox();
  expect(items).toMatchObject([{ kind: "change_set", session_id: "telegram:502", actions: [] }]);
  const refused = await scene.post("/api/press", { act: "approve", ref: items[0]?.ref });
  expect(refused.status).toBe(403);
  expect(Object.keys(readTree(scene.folder))).toEqual(["a.txt"]);
});

test("a page hears of what comes and goes, by number; a number of another start says reload", async () => {
  await using scene = await openConsoleScene();
  const { seq, boot_id: bootId } = await scene.inbox();
  const following = eventsOf(await scene.get(`/api/events?after=${seq}`));
  const item = await askOnPhone(scene);
  const heard: StreamedEvent[] = [];
  for await (const event of following) {
    heard.push(event);
    if (event.item?.ref === item.ref) break;
  }
  expect(heard.map(({ kind }) => kind)).not.toContain("reload");
  const numbers = heard.map(({ seq: number }) => number);
  expect(numbers).toEqual(numbers.map((_, n) => seq + 1 + n));
  // What was missed is told again, in the same words; that something was said, as often as it is new.
  const replay = eventsOf(await scene.get(`/api/events?after=${seq}`));
  let again = await replay.next();
  while (!again.done && !again.value.item) again = await replay.next();
  expect(again.value).toMatchObject({ ...heard.find(({ item: of }) => of !== undefined) });
  for (const after of [seq - 1, seq + 1000, 12, "x"]) {
    const first = await eventsOf(await scene.get(`/api/events?after=${after}`)).next();
    expect(first.value).toMatchObject({ kind: "reload" });
  }
  // A client that was cut off comes with the address of the first time, and where it was since.
  const last = heard.findIndex(({ item: of }) => of !== undefined);
  const headers = { ...scene.bearer, "last-event-id": String(heard[last]?.seq ?? 0) };
  const press = scene.post("/api/press", { act: "reject", ref: item.ref, digest: item.digest });
  expect(await (await press).text()).toContain("Rejected");
  for (const query of [`?after=${seq}`, ""]) {
    // That something was said is told once, by its newest number.
    const resumed = eventsOf(await scene.get(`/api/events${query}`, headers));
    const { value: first } = await resumed.next();
    expect([first?.kind === "reload", (first?.seq ?? 0) > (heard[last]?.seq ?? 0)]).toEqual([
      false,
      true,
    ]);
  }
  for await (const event of replay) if (event.gone === item.ref) break;
  expect((await scene.inbox()).boot_id).toBe(bootId);
});
