import { describe, expect, test } from "bun:test";
import { symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { openMapScene } from "./scene.ts";

const SPOTS = { lisbon: [38.7, -9.1], porto: [41.1, -8.6], лиссабон: [38.7, -9.1] } as const;

/** The location that the weather is asked for, or the question. */
async function locate(
  files: Readonly<Record<string, string>>,
  args: object,
  ...texts: string[]
): Promise<unknown> {
  await using scene = openMapScene({ spots: SPOTS }, files);
  const completion = await scene.weather.complete({ ...args }, ...texts);
  return completion.kind === "ask" ? completion.question : completion.args["location"];
}

const table = (...rows: string[]) => rows.map((row) => `| ${row} |`).join("\n");

describe("a missing location comes from the workspace's trip", () => {
  test.each([
    ["front matter", "---\ntitle: x\ndestination: Lisbon\n---\n# Trip"],
    ["front matter with CRLF", "---\r\ndestination: Lisbon\r\n---\r\n"],
    ["the first of several", "---\ndestination: Lisbon; Porto; Faro\n---\n"],
    ["one that has more", '---\ndestination: "Lisbon +2 more"\n---\n'],
    ["the first stop", "---\nitinerary:\n  - Lisbon\n  - Porto\n---\n"],
    ["a stop with a name", "---\nstops:\n  - name: Lisbon\n    address: Rua 1, Faro\n---\n"],
    [
      "a stop's address alone",
      '---\nstops:\n  - address: "Rua Augusta 10, Lisbon, 1100, 351"\n---\n',
    ],
    ["an address for a stop", '---\nitinerary: ["Rua Augusta 10, Lisbon"]\n---\n'],
    ["a row", table("Field | Value", "--- | ---", "Days | 3", "**Destination** | Lisbon; Porto")],
    ["a first row", table("Destination | Lisbon; Porto", "--- | ---", "Budget | 100")],
    ["a column", table("Destination | Days", "--- | ---", "Lisbon | 3", "Porto | 2")],
    [
      "a column of stops",
      `# Plan\n\n${table("Day | City | Notes", "--- | --- | ---", "1 | Lisbon | x", "2 | Porto | y")}`,
    ],
    [
      "a column of addresses",
      table("Day | Address", ":-- | --:", "1 | Rua Augusta 10, Lisbon, 1100"),
    ],
    ["a row in Russian", table("Поле | Значение", "--- | ---", "Направление | Lisbon")],
    [
      "a second table",
      `${table("Item | Price", "--- | ---", "x | 1")}\n\n${table("Stop | Day", "--- | ---", "Lisbon | 1")}`,
    ],
  ])("%s", async (_what, text) => {
    expect(await locate({ "trip.md": text }, {})).toBe("Lisbon");
    expect(await locate({ "itinerary.md": text }, {})).toBe("Lisbon");
  });

  test("or from project.json", async () => {
    const file = (value: unknown) => ({ ".papa-yu/project.json": JSON.stringify(value) });
    expect(await locate(file({ destination: "Lisbon; Porto" }), {})).toBe("Lisbon");
    expect(await locate(file({ trip: { itinerary: [{ city: "Porto" }] } }), {})).toBe("Porto");
  });

  test("trip.md before itinerary.md before project.json", async () => {
    const files = {
      ".papa-yu/project.json": '{"destination": "Porto"}',
      "itinerary.md": "---\ndestination: Porto\n---\n",
    };
    const trip = { "trip.md": "---\ndestination: Lisbon\n---\n" };
    expect(await locate({ ...files, ...trip }, {})).toBe("Lisbon");
    expect(await locate({ ...files, "trip.md": "# nothing" }, {})).toBe("Porto");
  });

  test("before what the user said", async () => {
    const files = { "trip.md": "---\ndestination: Lisbon\n---\n" };
    expect(await locate(files, {}, "Porto")).toBe("Lisbon");
  });

  test.each([
    ["broken front matter", "---\ndestination: [\n---\n"],
    ["a destination that is no text", "---\ndestination: {a: 1}\nitinerary: 7\n---\n"],
    ["numbers alone", '---\nstops:\n  - address: "10, 1100"\n---\n'],
    ["a table that is none", "|||\n|\n|---|"],
    ["nothing", ""],
  ])("but not from %s", async (_what, text) => {
    expect(await locate({ "trip.md": text, ".papa-yu/project.json": "[" }, {})).toContain("?");
  });

  test("and never through a link out of the workspace", async () => {
    await using scene = openMapScene({ spots: SPOTS }, { "x.md": "" });
    writeFileSync(join(scene.root, "../trip.md"), "---\ndestination: Lisbon\n---\n");
    symlinkSync("../trip.md", join(scene.root, "trip.md"));
    expect((await scene.weather.complete({})).kind).toBe("ask");
  });
});

describe("a missing location comes from what the user just said", () => {
  test.each(["Porto", " porto ", "Лиссабон"])("%p", async (reply) => {
    expect(await locate({}, {}, reply, "What is the weather?")).toBe(reply.trim());
  });

  test.each([
    ["a question", "Porto?"],
    ["more than six words", "in Porto or so I would say"],
    ["more than 80 characters", `Porto ${"o".repeat(80)}`],
    ["a request", "find Porto"],
    ["a meal", "dinner in Porto"],
    ["no word", "123"],
    ["nothing", ""],
  ])("unless it is %s", async (_what, reply) => {
    expect(await locate({}, {}, reply)).toBe("Which city or area should I look in?");
  });

  test("and not from what was said before", async () => {
    expect(await locate({}, {}, "what now?", "Porto")).toContain("?");
  });
});

describe("a location that nobody knows", () => {
  test("gives way to the trip, then to what the user said", async () => {
    const files = { "trip.md": "---\ndestination: Lisbon\n---\n" };
    expect(await locate(files, { location: "Xyzzy" }, "Porto")).toBe("Lisbon");
    expect(await locate({}, { location: "Xyzzy" }, "Porto")).toBe("Porto");
    expect(await locate(files, { location: "Porto" })).toBe("Porto");
  });

  test.each([
    ["what is there?", 'I cannot find "Xyzzy" on the map. Which city or area is it?'],
    ["что там есть?", "Не нахожу на карте «Xyzzy». Какой это город или район?"],
    ["那里有什么?", "地图上找不到“Xyzzy”。请问是哪个城市或地区？"],
  ])("is asked about in the user's language: %p", async (text, question) => {
    expect(await locate({}, { location: "Xyzzy" }, text)).toBe(question);
  });

  test("is used unchecked when the geocoder is unreachable: the run says so", async () => {
    const answers = { "/search": () => new Response("", { status: 500 }) };
    await using scene = openMapScene({ answers });
    const completion = await scene.weather.complete({ location: "Xyzzy" });
    expect(completion).toEqual({ kind: "complete", args: { location: "Xyzzy" } });
  });
});

test.each([
  ["where to?", "Which city or area should I look in?"],
  ["куда пойти?", "В каком городе или районе искать?"],
  ["去哪里玩？", "请问要查哪个城市或地区？"],
])("a location that nothing tells is asked for after %p", async (text, question) => {
  expect(await locate({}, {}, text)).toBe(question);
});
