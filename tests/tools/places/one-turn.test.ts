import { describe, expect, test } from "bun:test";
import { openMapScene, textOf } from "./scene.ts";

const SPOTS = { lisbon: [38.7, -9.1], porto: [41.1, -8.6], london: [51.5, -0.1] } as const;
const WEATHER = { current: { temperature_2m: 20 } };

/** What the geocoder was asked, oldest first. */
function asked(scene: ReturnType<typeof openMapScene>) {
  return scene.server.at("/search").map((params) => params.get("q"));
}

const stops = (...places: string[]) => ({
  "trip.md": `---\ndestination: Nowhereland\nstops: ${JSON.stringify(places)}\n---\n`,
});

describe("candidates for a place", () => {
  test.each([
    ["what was named", "Lisbon", stops("Porto"), ["Lisbon"], "Lisbon"],
    [
      "the town of an address",
      "Little Turnstile 6, London",
      {},
      ["Little Turnstile 6, London", "London"],
      "London",
    ],
    [
      "the trip's destination",
      undefined,
      { "trip.md": "---\ndestination: Porto\n---\n" },
      ["Porto"],
      "Porto",
    ],
    [
      "its stops, one after the other",
      "Atlantis",
      stops("Eldorado", "Utopia", "Porto", "Lisbon"),
      ["Atlantis", "Nowhereland", "Eldorado", "Utopia", "Porto"],
      "Porto",
    ],
    [
      "a stop's address by its town",
      "Atlantis",
      stops("Eldorado", "Little Turnstile 6, London"),
      ["Atlantis", "Nowhereland", "Eldorado", "London"],
      "London",
    ],
    [
      "the same name once",
      "nowhereland",
      stops("Nowhereland", "NOWHERELAND", "Lisbon"),
      ["nowhereland", "Lisbon"],
      "Lisbon",
    ],
  ])("%s", async (_what, location, files, questions, found) => {
    await using scene = openMapScene({ spots: SPOTS, weather: WEATHER }, files);
    const completion = await scene.weather.complete(location === undefined ? {} : { location });
    if (completion.kind === "ask") throw new Error(completion.question);
    expect(completion.args["location"]).toBe(found);
    const text = textOf(await scene.weather.run(completion.args));
    const isOther = location !== undefined && location !== found;
    expect(text.startsWith(`"${location}" is not on the map; this is for "${found}":\n`)).toBe(
      isOther,
    );
    // The run asks nothing that the completion asked.
    expect(asked(scene).map((q) => q?.toLowerCase())).toEqual(
      questions.map((q) => q.toLowerCase()),
    );
  });

  test("are eight at most, and then the person is asked", async () => {
    const many = Array.from({ length: 30 }, (_, i) => `Nowhere-${String.fromCharCode(97 + i)}`);
    await using scene = openMapScene({ spots: SPOTS }, stops(...many));
    const completion = await scene.weather.complete({ location: "Atlantis" });
    expect(completion.kind).toBe("ask");
    expect(asked(scene)).toHaveLength(8);
  });
});

describe("in one turn a place is asked for once, whatever comes of it", () => {
  test.each([
    ["found", () => Response.json([{ lat: "1", lon: "2", display_name: "x" }])],
    ["unknown", () => Response.json([])],
    ["status 500", () => new Response("", { status: 500 })],
    ["no JSON", () => new Response("<html>")],
  ])("%s", async (_what, answer) => {
    await using scene = openMapScene({ weather: WEATHER, answers: { "/search": answer } });
    const again = async () => {
      await scene.weather.complete({ location: "Lisbon" });
      await scene.weather.run({ location: " lisbon" });
      await scene.places.complete({ location: "Lisbon" });
      await scene.places.run({ location: "LISBON" });
    };
    await again();
    await again();
    expect(asked(scene)).toHaveLength(1);
    scene.nextTurn();
    scene.time.now += 25 * 60 * 60 * 1000;
    await again();
    expect(asked(scene)).toHaveLength(2);
  });

  test.each([
    [429, "rate_limited"],
    [503, "unavailable"],
  ])(
    "a service that answers %i without Retry-After is asked for nothing else either",
    async (status, code) => {
      const answers = { "/search": () => new Response("", { status }) };
      await using scene = openMapScene({ answers }, stops("Porto", "Lisbon"));
      const completion = await scene.weather.complete({ location: "Atlantis" });
      if (completion.kind === "ask") throw new Error("the service is busy, not the place unknown");
      for (const location of ["Atlantis", "Porto", "Lisbon"]) {
        expect(await scene.weather.run({ location })).toMatchObject({ ok: false, errorCode: code });
        expect(await scene.places.run({ location })).toMatchObject({ ok: false, errorCode: code });
      }
      expect(asked(scene)).toEqual(["Atlantis"]);
      scene.nextTurn();
      await scene.weather.run({ location: "Lisbon" });
      expect(asked(scene)).toEqual(["Atlantis", "Lisbon"]);
    },
  );

  test.each([429, 503])(
    "one that answers %i with Retry-After is asked again behind it",
    async (status) => {
      const headers = { "Retry-After": "3" };
      const replies = [() => new Response("", { status, headers })];
      const answers = {
        "/search": () => (replies.shift() ?? (() => Response.json([{ lat: "1", lon: "2" }])))(),
      };
      await using scene = openMapScene({ answers, weather: WEATHER });
      const run = () => scene.weather.run({ location: "Lisbon" });
      expect(await run()).toMatchObject({ ok: false, retryAfterMs: 3000 });
      expect(await run()).toMatchObject({ ok: false });
      expect(asked(scene)).toHaveLength(1);
      scene.time.now += 3000;
      expect(await run()).toMatchObject({ ok: true });
      expect(asked(scene)).toHaveLength(2);
    },
  );

  test("maps and forecasts that refuse are left alone, too", async () => {
    const busy = () => new Response("", { status: 503 });
    const answers = { "/overpass": busy, "/forecast": busy };
    await using scene = openMapScene({ spots: SPOTS, answers });
    for (const location of ["Lisbon", "Porto"]) {
      for (const tool of [scene.places, scene.weather]) {
        expect(await tool.run({ location })).toMatchObject({ errorCode: "unavailable" });
      }
    }
    expect(scene.server.at("/overpass")).toHaveLength(1);
    expect(scene.server.at("/forecast")).toHaveLength(1);
  });
});
