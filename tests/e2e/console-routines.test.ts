import { afterAll, beforeAll, expect, test } from "bun:test";
import type { Browser, Page } from "playwright-core";
import { becomes, openBrowser } from "../support/browser.ts";
import type { ModelRequest, Reply } from "../support/model-server.ts";
import { until } from "../support/patience.ts";
import { findBarriers, isReady, letIn } from "./console-page.ts";
import { type ConsoleScene, openConsoleScene } from "./console-scene.ts";

let browser: Browser;
beforeAll(async () => {
  browser = await openBrowser();
});
afterAll(() => browser?.close());

const HOSTILE = "<img src=x onerror=\\\"document.title='owned'\\\"> \\u202egnp";

/** Half a day from now, as a clock in Kathmandu has it: 5 hours and 45 minutes ahead of UTC. */
const HOUR = new Date(Date.now() + (12 * 60 + 345) * 60_000).getUTCHours();

const JOBS = `[[routines.jobs]]
name = "tell"
schedule = "30 ${HOUR} * * *"
timezone = "Asia/Kathmandu"
mode = "ask"
task = "Say hello ${HOSTILE}"
channel = "none"
`;

const answer = (_request: ModelRequest): Reply => ({
  kind: "text",
  text: "hello <b>you</b> \u202eevil",
});

interface Listed {
  readonly routines: readonly {
    readonly name: string;
    readonly state: string;
    readonly ahead: readonly { readonly at: string; readonly local: string }[];
    readonly actions: readonly { readonly act: string }[];
    readonly last?: { readonly state: string; readonly error: string | null };
  }[];
}

const list = async ({ get }: ConsoleScene): Promise<Listed> =>
  JSON.parse(await (await get("/api/routines")).text());

async function openPage(scene: ConsoleScene, complaints: string[]): Promise<Page> {
  const page = await letIn(browser, scene, complaints);
  await page.getByRole("link", { name: "Routines" }).click();
  return page;
}

test("a routine is run, looked at, switched and run for show on the page", async () => {
  await using scene = await openConsoleScene(JOBS, answer);
  const { get } = scene;
  const { routines } = await list(scene);
  expect(routines).toMatchObject([
    {
      name: "tell",
      state: "waiting",
      actions: [{ act: "run_routine" }, { act: "dry_run_routine" }, { act: "routine_off" }],
    },
  ]);
  // As the scheduler has them, in the zone of the routine.
  expect(routines[0]?.ahead).toHaveLength(7);
  expect(routines[0]?.ahead.every(({ local }) => local.endsWith(`${HOUR}:30`))).toBe(true);
  expect(routines[0]?.ahead.every(({ at }) => at.endsWith(":45:00.000Z"))).toBe(true);
  expect((await get("/api/routines/nobody/runs")).status).toBe(404);
  expect((await get("/api/routines/tell/runs?limit=0")).status).toBe(400);

  const complaints: string[] = [];
  const page = await openPage(scene, complaints);
  const card = page.getByRole("region", { name: "tell" });
  await card.getByText("Never ran").waitFor();
  expect(await findBarriers(page)).toEqual([]);
  await isReady(page, "Run");
  await card.getByRole("button", { name: "Run", exact: true }).click();
  await card.getByText("1 run", { exact: true }).waitFor();
  await card.getByRole("button", { name: "Show what they came to" }).click();
  await card.locator(".runs .output").waitFor();
  expect(await card.locator(".runs").innerText()).toContain("hello <b>you</b> \\u{202e}evil");
  await becomes(card.locator(".strip .run-ok"), 1);
  expect(await findBarriers(page)).toEqual([]);

  await isReady(page, "Dry run");
  await card.getByRole("button", { name: "Dry run", exact: true }).click();
  await card.getByText("Nothing was applied or kept").waitFor();
  expect(await (await get("/api/routines/tell/runs")).json()).toMatchObject({ total: 1 });

  await isReady(page, "Switch off");
  await card.getByRole("button", { name: "Switch off", exact: true }).click();
  await card.getByText("⏸ Off", { exact: true }).waitFor();
  expect((await list(scene)).routines[0]).toMatchObject({ state: "disabled", ahead: [] });
  expect(await page.title()).not.toBe("owned");
  expect(await page.locator("img").count()).toBe(0);
  expect(complaints).toEqual([]);
});

test("a run that is under way is stopped from the page, and is no failure", async () => {
  await using scene = await openConsoleScene(JOBS, () => ({ kind: "hang" }));
  const complaints: string[] = [];
  const page = await openPage(scene, complaints);
  await isReady(page, "Run");
  await page.getByRole("button", { name: "Run", exact: true }).click();
  await isReady(page, "Stop");
  await page.getByRole("button", { name: "Stop", exact: true }).click();
  await until(async () => (await list(scene)).routines[0]?.last?.state === "unknown");
  expect((await list(scene)).routines[0]).toMatchObject({
    state: "waiting",
    last: { error: "it was stopped while it ran" },
  });
  expect(complaints).toEqual([]);
});

test("a failed run waits in every inbox until it is set aside, and stays among the runs", async () => {
  const planning = JOBS.replace('mode = "ask"', 'mode = "plan"\nworkspace = "notes"');
  await using scene = await openConsoleScene(planning, answer); // and the answer is no plan
  const complaints: string[] = [];
  const [page, other] = [
    await letIn(browser, scene, complaints),
    await letIn(browser, scene, complaints),
  ];
  await page.clock.install();
  await page.reload();
  const press = async (act: string, ref: string) =>
    (await scene.post("/api/press", { act, ref })).text();
  await press("run_routine", "tell");
  for (const each of [page, other]) await each.getByText("Failed routine").waitFor();
  await page.clock.fastForward("03:10");
  await page.getByText("3 min. ago").waitFor();
  expect(await findBarriers(other)).toEqual([]);
  await isReady(page, "Set aside");
  await page.getByRole("button", { name: "Set aside", exact: true }).click();
  for (const each of [page, other]) await becomes(each.getByText("Failed routine"), 0);
  expect((await scene.inbox()).items).toEqual([]);
  expect((await list(scene)).routines[0]?.last?.state).toBe("failed");
  // The next failure is another one.
  await press("run_routine", "tell");
  await other.getByText("Failed routine").waitFor();
  for (const ref of ["run:nobody:1", "tell", "run:tell:", "run:tell:9".padEnd(400, "9")]) {
    await press("set_aside_run", ref);
  }
  expect((await scene.inbox()).items).toMatchObject([{ kind: "failed_routine", ref: "tell" }]);
  expect(complaints).toEqual([]);
});

test("a routine in words is shown with its next runs before a second press keeps it", async () => {
  await using scene = await openConsoleScene("", answer);
  const complaints: string[] = [];
  const page = await openPage(scene, complaints);
  await page.getByText("There are no routines yet").waitFor();
  await page
    .getByLabel("When, a colon, and what")
    .fill("every day at 8 in notes: what <i>changed</i> since yesterday?");
  await isReady(page, "Show what it would be");
  await page.getByRole("button", { name: "Show what it would be" }).click();
  await page.getByText("It would be this. Nothing is kept until you approve.").waitFor();
  const shown = await page.getByRole("group", { name: "What came of it" }).innerText();
  expect(shown).toContain('New routine "what-i-changed-i": plan in "notes"');
  expect(shown.match(/\d{4}-\d\d-\d\d 08:00/gu)).toHaveLength(3);
  expect(await findBarriers(page)).toEqual([]);
  expect((await list(scene)).routines).toEqual([]);
  await isReady(page, "Approve");
  await page.getByRole("button", { name: "Approve", exact: true }).click();
  await page.getByRole("region", { name: "what-i-changed-i" }).waitFor();
  expect((await list(scene)).routines).toMatchObject([
    { name: "what-i-changed-i", state: "waiting", mode: "plan", workspace: "notes" },
  ]);
  expect(complaints).toEqual([]);
});

test("a routine that was added is changed in words: shown beside what it was, and kept by a second press", async () => {
  await using scene = await openConsoleScene(JOBS, answer);
  const added = await scene.sandbox.run(
    "routine",
    "add",
    "--name",
    "sum-up",
    "--schedule",
    "every day at 8",
    "--task",
    "Sum up </textarea><img src=x onerror=alert(1)>",
    "--channel",
    "none",
    "--yes",
  );
  expect(added.exitCode).toBe(0);
  const complaints: string[] = [];
  const page = await openPage(scene, complaints);
  const card = page.getByRole("region", { name: "sum-up" });
  await card.getByText("Change", { exact: true }).click();
  const words = card.getByLabel("When and what it is to be");
  const before = "0 8 * * *: Sum up </textarea><img src=x onerror=alert(1)>";
  await until(async () => (await words.inputValue()) === before);
  expect(await findBarriers(page)).toEqual([]);
  await words.fill("every monday at 9:30 in notes: Sum up the week");
  await isReady(card, "Show what it would be");
  await card.getByRole("button", { name: "Show what it would be" }).click();
  await card.getByText("It would be this. Nothing is kept until you approve.").waitFor();
  const shown = await card.getByRole("group", { name: "What came of it" }).innerText();
  expect(shown).toContain('Changed routine "sum-up"');
  expect(shown).toContain("was: Schedule: 0 8 * * *");
  expect(shown.match(/\d{4}-\d\d-\d\d 09:30/gu)).toHaveLength(3);
  const find = async () => (await list(scene)).routines.find(({ name }) => name === "sum-up");
  expect(await find()).toMatchObject({ schedule: "0 8 * * *" });
  await isReady(card, "Approve");
  await card.getByRole("button", { name: "Approve", exact: true }).click();
  await until(async () => JSON.stringify(await find()).includes("30 9 * * 1"));
  expect(await find()).toMatchObject({ workspace: "notes", task: "Sum up the week", mode: "ask" });
  await card.getByText("30 9 * * 1").first().waitFor();
  // One of config.toml is changed there.
  await becomes(page.getByRole("region", { name: "tell" }).getByText("Change", { exact: true }), 0);
  expect(complaints).toEqual([]);
});

test("what is typed of a routine stays while another place is shown and when the page is loaded anew", async () => {
  await using scene = await openConsoleScene("", answer);
  const added = ["routine", "add", "--name", "sum-up", "--schedule", "every day at 8"];
  const more = ["--task", "Sum up", "--channel", "none", "--yes"];
  expect((await scene.sandbox.run(...added, ...more)).exitCode).toBe(0);
  const complaints: string[] = [];
  const page = await openPage(scene, complaints);
  let asked = 0;
  page.on("dialog", (dialog) => {
    asked += 1;
    void dialog.accept();
  });
  const fresh = page.getByLabel("When, a colon, and what");
  const changed = page.getByRole("region", { name: "sum-up" }).getByLabel("When and what it is to");
  const typed = async () => [await fresh.inputValue(), await changed.inputValue()];
  await fresh.fill("every day at 9: look");
  await page.getByText("Change", { exact: true }).click();
  await changed.fill("every day at 10: look twice");
  await page.getByRole("link", { name: /^Inbox/u }).click();
  await page.getByRole("heading", { name: /^Inbox/u }).waitFor();
  await page.goBack();
  await changed.waitFor();
  expect(await typed()).toEqual(["every day at 9: look", "every day at 10: look twice"]);
  await page.reload();
  await changed.waitFor();
  expect(await typed()).toEqual(["every day at 9: look", "every day at 10: look twice"]);
  expect(asked).toBe(1);
  // What is asked about is in the question: nobody has to be asked before the window goes.
  await changed.fill("0 8 * * *: Sum up");
  const begin = page.getByRole("region", { name: "A new routine" });
  await isReady(begin, "Show what it would be");
  await begin.getByRole("button", { name: "Show what it would be" }).click();
  await page.getByText("It would be this. Nothing is kept until you approve.").waitFor();
  await page.getByRole("link", { name: /^Inbox/u }).click();
  await page.getByRole("heading", { name: /^Inbox/u }).waitFor();
  await page.goBack();
  await fresh.waitFor();
  expect(await fresh.inputValue()).toBe("");
  await page.reload();
  await fresh.waitFor();
  expect([await fresh.inputValue(), asked]).toEqual(["", 1]);
  expect(complaints).toEqual([]);
});

test("the calendar has each hour of a week, and says of the days beyond that there is more", async () => {
  const job = (name: string, schedule: string) =>
    `[[routines.jobs]]\nname = "${name}"\nschedule = "${schedule}"\nmode = "ask"\ntask = "look"\nchannel = "none"\n`;
  const jobs = `${job("hourly", "0 * * * *")}${job("often", "*/10 * * * *")}`;
  await using scene = await openConsoleScene(jobs, answer);
  const page = await openPage(scene, []);
  const week = page.getByRole("region", { name: "The coming week" });
  await week.waitFor();
  const { routines } = await list(scene);
  expect(routines.map(({ ahead }) => ahead.length)).toEqual([168, 200]);
  const days = await week.locator(".panel").allInnerTexts();
  expect(days.length).toBeGreaterThanOrEqual(7);
  // What is left of today may have no whole hour in it.
  const [, ...whole] = days;
  expect(whole.filter((day) => !day.includes("hourly") || !day.includes("often"))).toEqual([]);
  expect(days.filter((day) => day.includes("and more")).length).toBeGreaterThanOrEqual(6);
});
