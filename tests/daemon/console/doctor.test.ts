import { expect, test } from "bun:test";
import { createDoctor } from "../../../src/daemon/console/care/care.ts";
import type { DoctorTask, Finding } from "../../../src/daemon/run-doctor.ts";

const END = new AbortController().signal;
const MINUTE_MS = 60_000;

function openDoctor() {
  const world = { now: 1_000_000 };
  const asked: DoctorTask[] = [];
  const found: Finding[] = [];
  const redact = (text: string) => text.replaceAll("s3cret", "[secret]");
  const run = async (task: DoctorTask) => {
    asked.push(task);
    return found.filter(({ name }) => !task.isLocal || !name.startsWith("MCP server"));
  };
  const source = { cwd: "/", home: "/" };
  const servers = new Map([["MCP server a", "first"]]);
  const others = () => servers;
  const doctor = createDoctor({ source, env: {}, now: () => world.now, redact, others, run });
  /** A glance is waited for by nobody else. */
  const glance = async () => {
    doctor.glance(END);
    await Bun.sleep(0);
  };
  return { world, asked, found, doctor, glance, servers };
}

const of = (name: string, state: Finding["state"], found = "x"): Finding => ({
  name,
  state,
  found,
  mend: "mend it",
});

test("createDoctor() glances at most every five minutes, and at what is its own alone", async () => {
  const { world, asked, glance } = openDoctor();
  await glance();
  await glance();
  world.now += 5 * MINUTE_MS - 1;
  await glance();
  expect(asked.map(({ isLocal }) => isLocal)).toEqual([true]);
  world.now += 1;
  await glance();
  expect(asked).toHaveLength(2);
  world.now -= 60 * MINUTE_MS; // the clock was set back
  await glance();
  expect(asked).toHaveLength(3);
});

test("createDoctor() has what failed wait for a person, as long as it is so", async () => {
  const { world, found, doctor, glance } = openDoctor();
  found.push(
    of("home", "failed", "s3cret \u202e"),
    of("log", "warning"),
    of("MCP server a", "failed"),
  );
  await doctor.look(END);
  const first = doctor.items();
  expect(first.map(({ title }) => title)).toEqual(["home", "MCP server a"]);
  expect(first[0]?.shown).toBe("[secret] \\u{202e}\n→ mend it");
  expect(doctor.turns()).toBe(1);
  world.now += 10 * MINUTE_MS;
  await glance(); // does not ask servers, so what is known of them stays
  expect(doctor.items()).toEqual(first);
  expect(doctor.turns()).toBe(1);
  found.splice(0, 1);
  world.now += 10 * MINUTE_MS;
  await glance();
  expect(doctor.items().map(({ title }) => title)).toEqual(["MCP server a"]);
  expect(doctor.turns()).toBe(2);
  found.splice(0);
  expect(await doctor.look(END)).toMatchObject({ healthy: true, findings: [] });
  expect(doctor.items()).toEqual([]);
});

test.each([
  ["is taken away", undefined, []],
  ["is configured in another way", "second", []],
  ["stays as it was", "first", ["MCP server a"]],
] as const)("createDoctor() knows of a server that %s by the next glance", async (_, set, left) => {
  const { world, found, doctor, glance, servers } = openDoctor();
  found.push(of("MCP server a", "failed"));
  await doctor.look(END);
  expect(doctor.items()).toHaveLength(1);
  servers.clear();
  if (set) servers.set("MCP server a", set);
  world.now += 10 * MINUTE_MS;
  await glance();
  expect(doctor.items().map(({ title }) => title)).toEqual([...left]);
});

test("createDoctor() gives two who ask at once the same look", async () => {
  const { asked, doctor } = openDoctor();
  await Promise.all([doctor.look(END), doctor.look(END)]);
  expect(asked.map(({ isLocal }) => isLocal)).toEqual([false]);
});
