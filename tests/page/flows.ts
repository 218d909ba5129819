import { expect } from "bun:test";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import type { ConsoleScene } from "../e2e/console-scene.ts";
import { becomes } from "../support/browser.ts";
import type { ModelRequest, Reply } from "../support/model-server.ts";
import { until } from "../support/patience.ts";
import { readTree, writeTree } from "../support/tree.ts";
import type { Visit } from "./ways.ts";

/** What a person comes to the page for. */
export interface Flow {
  readonly name: string;
  readonly go: (visit: Visit) => Promise<void>;
}

const LINES = Array.from({ length: 30 }, (_, at) => `${at + 1}`);
const GOAL = "αβγ long.txt";
const TASK = "δεζ";
const CALL = "ηθι";
/** What a comment asks for, and the line that comes of it. */
const [BEFORE, AFTER] = ["primo", "uno"];
/** Half a day from now: it must not become due meanwhile. */
const SCHEDULE = `every day at ${(new Date().getHours() + 12) % 24}:30`;
const SAID = "κλμ";

/** What people, the model and files say here, whatever the language of the page. */
export const WRITTEN: readonly string[] = [
  SCHEDULE,
  // A tool shows a call in English, on every channel.
  "ask, result kept with its runs, and sent to Telegram if that is set up",
];

/** A model that changes one file in two places and makes two more, wants a program run, or answers. */
export function play({ body }: ModelRequest): Reply {
  const said = body.messages.map(({ content }) => String(content)).join("\n");
  if (said.includes(CALL)) {
    const isDone = body.messages.some(({ role }) => role === "tool");
    const call = { name: "run_command", arguments: { argv: ["sh", "say.sh"] } };
    return isDone ? { kind: "text", text: `**${SAID}**` } : { kind: "tools", calls: [call] };
  }
  if (!said.includes(GOAL)) return { kind: "text", text: `**${SAID}**` };
  const sha = /FILE\[long\.txt\] \(sha256=(\w+)/u.exec(said)?.[1] ?? "";
  const word = said.includes(AFTER) ? AFTER : BEFORE;
  const patch = `--- a/long.txt\n+++ b/long.txt\n@@ -1,2 +1,2 @@\n-1\n+${word}\n 2\n@@ -29,2 +29,3 @@\n 29\n 30\n+31\n`;
  const actions = [
    { kind: "PATCH_FILE", path: "long.txt", base_sha256: sha, patch },
    { kind: "CREATE_FILE", path: "docs/why.md", content: "# ?\n" },
    { kind: "CREATE_FILE", path: "docs/how.md", content: "# !\n" },
  ];
  const isApply = said.includes("Now APPLY");
  const text = JSON.stringify({ actions: isApply ? actions : [], summary: `1. ${GOAL}` });
  return { kind: "text", text };
}

/** Has a program ask for a change, up to the question; gives what names it. */
export async function ask({ post, inbox }: ConsoleScene, goal: string): Promise<string> {
  const session = { session_id: "mine" };
  await (await post("/api/chat", { ...session, message: `plan: ${goal}` })).text();
  const plan = (await inbox()).items.find(({ kind }) => kind === "plan");
  const press = { ...session, act: "apply", ref: plan?.ref };
  const said = await (await post("/api/press", press)).text();
  const set = (await inbox()).items.find(({ kind }) => kind === "change_set");
  if (!set) throw new Error(`nothing is asked: ${said}`);
  return set.ref;
}

/** Waits for a question in the inbox, and opens its review. */
async function openReview(visit: Visit): Promise<void> {
  const { scene, page } = visit;
  writeTree(scene.folder, { "long.txt": `${LINES.join("\n")}\n` });
  const ref = await ask(scene, GOAL);
  await page.locator(`main a[href="/review/${ref}"]`).waitFor();
  await visit.look();
  await page.locator(`main a[href="/review/${ref}"]`).click();
  await file(page, "long.txt").locator(".text.add").first().waitFor();
}

const file = (page: Visit["page"], path: string) =>
  page.getByRole("region", { name: path, exact: true });

const holds = ({ scene }: Visit, path: string) => path in readTree(scene.folder);

/** Goes where the next version is: at once, or by its link where the answer was cut off. */
async function toNextVersion({ page, words }: Visit, before: string): Promise<void> {
  const link = page.getByRole("link", { name: words.since.next });
  const isThere = () => new URL(page.url()).pathname !== new URL(before).pathname;
  await until(async () => isThere() || (await link.isVisible()));
  if (!isThere()) await link.click();
  await until(isThere);
}

/** Waits until the journals have so many changes, all of them to their end. */
export async function isChanged({ get }: ConsoleScene, times: number): Promise<void> {
  let found: readonly string[] = [];
  await until(
    async () => {
      const { entries }: { readonly entries: readonly { readonly status: string }[] } = JSON.parse(
        await (await get("/api/workspaces/notes")).text(),
      );
      found = entries.map(({ status }) => status);
      return found.length === times && found.every((status) => status === "committed");
    },
    () => `waited for ${times} changes, and there are ${found.join(", ") || "none"}`,
  );
}

/** Main ways through the page, each to an end that is looked for in the folder. */
export const FLOWS: readonly Flow[] = [
  {
    name: "approve, undo, redo",
    async go(visit) {
      const { page, buttons, words, scene } = visit;
      await openReview(visit);
      await visit.lookClosely();
      await visit.press(buttons.approve);
      await isChanged(scene, 1);
      expect(holds(visit, "docs/why.md")).toBe(true);
      await visit.press(buttons.undo);
      await isChanged(scene, 2);
      expect(holds(visit, "docs/why.md")).toBe(false);
      await page.getByText(words.outcomes.undone, { exact: true }).first().waitFor();
      await visit.look();
      await visit.go("/workspaces");
      await page.locator('main a[href="/workspaces/notes"]').click();
      await page.locator('main a[href="/workspaces/notes/redo"]').click();
      await file(page, "docs/why.md").locator(".text.add").first().waitFor();
      await visit.lookClosely();
      await visit.press(buttons.redo);
      await isChanged(scene, 3);
      expect(holds(visit, "docs/why.md")).toBe(true);
    },
  },
  {
    name: "reject",
    async go(visit) {
      const { page, buttons, words, scene } = visit;
      await openReview(visit);
      await visit.press(buttons.reject);
      await page.getByText(words.states.rejected, { exact: true }).first().waitFor();
      await becomes(page.getByRole("button", { name: buttons.approve, exact: true }), 0);
      await visit.lookClosely();
      await isChanged(scene, 0);
      expect(holds(visit, "docs")).toBe(false);
    },
  },
  {
    name: "comment and change",
    async go(visit) {
      const { page, buttons, words } = visit;
      await openReview(visit);
      const before = page.url();
      const label = words.comment.onLine(1);
      const long = file(page, "long.txt");
      await long.getByRole("button", { name: label, exact: true }).click();
      await long.getByRole("textbox", { name: label, exact: true }).fill(AFTER);
      await page.getByText(words.comment.waiting(1)).waitFor();
      await visit.lookClosely();
      await visit.press(words.revise);
      await toNextVersion(visit, before);
      await page.locator(".text.add", { hasText: AFTER }).first().waitFor();
      await page.getByText(words.comment.saidAt(1)).waitFor();
      await visit.look();
      await showTools(visit);
      // They have looked at the one before: of what they said something of only what is different is
      // shown, until they want all; the others they have not looked at.
      const since = page.getByRole("button", { name: words.since.looked, exact: true });
      expect(await since.getAttribute("aria-pressed")).toBe("true");
      const hidden = page.getByText(words.leave.asLooked(2), { exact: true });
      await hidden.waitFor();
      await file(page, "docs/why.md").locator(".row").first().waitFor();
      await visit.lookClosely();
      await since.click();
      await becomes(hidden, 0);
      await visit.press(buttons.approve);
      await isChanged(visit.scene, 1);
      expect(readFileSync(join(visit.scene.folder, "long.txt"), "utf8")).toStartWith(`${AFTER}\n`);
    },
  },
  {
    name: "leave out a file",
    async go(visit) {
      const { page, buttons, words } = visit;
      await openReview(visit);
      const before = page.url();
      await page
        .getByRole("checkbox", { name: words.leave.take("docs/why.md"), exact: true })
        .click();
      await becomes(page.getByRole("button", { name: buttons.approve, exact: true }), 0);
      await visit.lookClosely();
      await visit.press(words.leave.out(1, 0));
      await toNextVersion(visit, before);
      await becomes(file(page, "docs/why.md"), 0);
      await visit.press(buttons.approve);
      await isChanged(visit.scene, 1);
      expect(holds(visit, "docs/how.md")).toBe(true);
      expect(holds(visit, "docs/why.md")).toBe(false);
    },
  },
  {
    name: "a routine is added and run",
    async go(visit) {
      const { page, buttons, words } = visit;
      await visit.go("/routines");
      await page.getByLabel(words.routines.words).fill(`${SCHEDULE}: ${TASK}`);
      await visit.press(words.routines.propose);
      // Whose answer was cut off is led to where all questions are.
      const isCut = visit.way.line === "breaking";
      if (isCut) await page.getByRole("link", { name: words.routines.toInbox }).click();
      else await page.getByText(words.routines.proposed).waitFor();
      await visit.lookClosely();
      await visit.press(buttons.approve);
      if (isCut) await visit.go("/routines");
      const card = page.locator(".routine");
      await card.waitFor();
      await visit.press(buttons.run, card);
      await card.locator(".strip .run-ok").waitFor();
      await card.getByRole("button", { name: words.routines.showRuns }).click();
      await card.locator(".runs .output", { hasText: SAID }).waitFor();
      await visit.lookClosely();
    },
  },
  {
    name: "a setting is changed",
    async go(visit) {
      const { page, words, scene } = visit;
      const path = join(scene.sandbox.dir, "config.toml");
      await visit.go("/settings");
      const box = page.getByLabel(words.settings.box);
      await until(async () => (await box.inputValue()).includes("check = false"));
      await box.fill((await box.inputValue()).replace("check = false", "$&\nmax_actions = 50"));
      await visit.look();
      await page.getByRole("button", { name: words.settings.review, disabled: false }).click();
      await page.getByText(words.settings.inForce(1)).waitFor();
      await visit.lookClosely();
      await visit.click(words.settings.save);
      await page.getByText(words.settings.saved(path)).waitFor();
      expect(readFileSync(path, "utf8")).toContain("max_actions = 50");
      await visit.lookClosely();
    },
  },
  {
    name: "a question in a conversation",
    async go(visit) {
      const { page, buttons, words, scene } = visit;
      writeTree(scene.folder, { "say.sh": "echo said > said.txt\n" });
      await visit.go("/chat");
      await page.getByLabel(words.chat.message).fill(CALL);
      await visit.look();
      await page.getByLabel(words.chat.message).press("Enter");
      const question = page.locator(".question");
      await question.getByRole("button", { name: buttons.approve, exact: true }).waitFor();
      await visit.lookClosely();
      expect(holds(visit, "said.txt")).toBe(false);
      await visit.press(buttons.approve, question);
      await until(() => holds(visit, "said.txt"));
      await page.getByRole("log").locator("strong", { hasText: SAID }).first().waitFor();
      await visit.lookClosely();
    },
  },
  {
    name: "a door that is shut",
    async go(visit) {
      const { page, words, scene } = visit;
      await page.evaluate(
        `history.pushState(null, "", "/nowhere"), dispatchEvent(new Event("popstate"))`,
      );
      await page.getByRole("heading", { name: words.unknown.title }).waitFor();
      await visit.lookClosely();
      const { sessions } = JSON.parse((await scene.sandbox.run("open", "--list", "--json")).stdout);
      await scene.sandbox.run("open", "--revoke", String(sessions[0].id));
      await page.getByRole("heading", { name: words.signedOut.title }).waitFor();
      await visit.lookClosely();
      await page.goto(new URL(page.url()).origin);
      await page.getByRole("heading", { name: words.signedOut.title }).waitFor();
      await visit.look();
    },
  },
];

/** On a phone the ways to show it come when they are asked for. */
async function showTools({ page }: Visit): Promise<void> {
  const more = page.locator("button.more-tools[aria-expanded='false']");
  if (await more.isVisible()) await more.click();
}
