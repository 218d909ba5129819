import { describe, expect, test } from "bun:test";
import { openMapScene, textOf } from "./places/scene.ts";

const LISBON = { lisbon: [38.7, -9.1] } as const;

function node(id: number, name: string, km: number, tags: object = {}) {
  const lat = 38.7 + km / 111.195;
  return { type: "node", id, lat, lon: -9.1, tags: { name, amenity: "restaurant", ...tags } };
}

test("search_places is rare, looks outside and changes nothing", async () => {
  await using scene = openMapScene();
  const { tool } = scene.places;
  expect([tool.isRare, tool.origin, tool.effect({})]).toEqual([true, "outside", "network"]);
});

describe("search_places lists", () => {
  test("five places at most, the nearest first, with what the map says", async () => {
    const far = Array.from({ length: 7 }, (_, i) => node(10 + i, `Far ${i}`, 5 + i));
    const near = node(1, "Ta\nsca", 0.4, {
      cuisine: "portuguese",
      "addr:street": "Rua A",
      "addr:housenumber": "3",
      website: "https://tasca.example",
    });
    await using scene = openMapScene({ spots: LISBON, elements: [...far, near] });
    const text = textOf(await scene.places.run({ location: "Lisbon", category: "food" }));
    const lines = text.split("\n");
    expect(lines).toHaveLength(6);
    expect(lines[0]).toBe("food within 10 km of Lisbon, Earth (© OpenStreetMap contributors):");
    expect(lines[1]).toBe(
      "1. Ta sca: restaurant; 0.4 km; Rua A 3; portuguese; https://tasca.example; https://www.openstreetmap.org/node/1",
    );
    expect(lines[5]).toStartWith("5. Far 3: restaurant; 8.0 km");
  });

  test("known sights before near ones, areas by their middle, nothing without a name", async () => {
    const elements = [
      { type: "node", id: 1, lat: 38.7, lon: -9.1, tags: { tourism: "museum", name: "Near" } },
      {
        type: "way",
        id: 2,
        center: { lat: 38.75, lon: -9.1 },
        tags: { historic: "archaeological_site", name: "Known", wikidata: "Q1" },
      },
      { type: "node", id: 3, lat: 38.7, lon: -9.1, tags: { tourism: "museum" } },
      null,
      7,
    ];
    await using scene = openMapScene({ spots: LISBON, elements });
    const text = textOf(await scene.places.run({ location: "Lisbon" }));
    expect(text).toContain(
      "1. Known: archaeological site; 5.6 km; https://www.openstreetmap.org/way/2",
    );
    expect(text).toContain("2. Near: museum; 0.0 km");
    expect(text.split("\n")).toHaveLength(3);
  });

  test("nothing, and says so, without going over to sights", async () => {
    await using scene = openMapScene({ spots: LISBON });
    const text = textOf(await scene.places.run({ location: "Lisbon", category: "food" }));
    expect(text).toBe("No food on the map within 10 km of Lisbon, Earth; try a larger radius_km.");
    expect(scene.server.at("/overpass")).toHaveLength(1);
  });
});

test.each([
  [undefined, 10_000],
  [0, 500],
  [0.5, 500],
  [2.25, 2250],
  [50, 50_000],
  [900, 50_000],
])("search_places looks around with radius_km %p within %i m", async (radius_km, meters) => {
  await using scene = openMapScene({ spots: LISBON });
  await scene.places.run({ location: "Lisbon", ...(radius_km !== undefined && { radius_km }) });
  const query = scene.server.at("/overpass")[0]?.get("data") ?? "";
  expect(query).toContain(`(around:${meters},38.7,-9.1)`);
});

test.each([
  ["tourism", '["tourism"~"^(attraction|'],
  ["food", '["amenity"~"^(restaurant|'],
  ["lodging", '["tourism"~"^(hotel|'],
])("search_places asks for %s by its tags", async (category, tag) => {
  await using scene = openMapScene({ spots: LISBON });
  await scene.places.run({ location: "Lisbon", category });
  expect(scene.server.at("/overpass")[0]?.get("data")).toContain(tag);
});

describe("search_places fails", () => {
  test("on a category that is none, before it asks anybody", async () => {
    await using scene = openMapScene();
    const result = await scene.places.run({ location: "Lisbon", category: "shops" });
    expect(result).toMatchObject({ ok: false, errorCode: "invalid_args" });
    expect(scene.server.requests).toEqual([]);
  });

  test("on a place that nobody knows", async () => {
    await using scene = openMapScene();
    const text = textOf(await scene.places.run({ location: "Nowhereville" }));
    expect(text).toStartWith('not_found: could not geocode "Nowhereville"');
  });

  test.each([
    [403, "unavailable", false],
    [429, "rate_limited", true],
    [500, "unavailable", true],
    [504, "timeout", true],
  ])("with status %i as %s", async (status, errorCode, retryable) => {
    const answers = { "/overpass": () => new Response("no", { status }) };
    await using scene = openMapScene({ spots: LISBON, answers });
    expect(await scene.places.run({ location: "Lisbon" })).toMatchObject({ errorCode, retryable });
  });

  test("on an answer that is no JSON", async () => {
    const answers = { "/search": () => new Response("<html>") };
    await using scene = openMapScene({ answers });
    expect(textOf(await scene.places.run({ location: "Lisbon" }))).toContain("it is no JSON");
  });
});

describe("search_places is polite", () => {
  const spots = { a: [1, 1], b: [2, 2], c: [3, 3] } as const;

  test("and asks the geocoder once a second, under its name", async () => {
    await using scene = openMapScene({ spots });
    const { signal } = new AbortController();
    await Promise.all(["a", "b", "c"].map((name) => scene.geocode(name, signal)));
    expect(scene.sleeps).toEqual([1000, 2000]);
    expect(scene.server.requests.map(({ userAgent }) => userAgent)).toEqual(
      Array(3).fill("papa-yu (personal assistant)"),
    );
  });

  test("and lets no more than a few wait", async () => {
    await using scene = openMapScene({ spots });
    const { signal } = new AbortController();
    const names = Array.from({ length: 20 }, (_, i) => `place ${i}`);
    const clocked = scene.freeze();
    const found = Promise.all(names.map((name) => scene.geocode(name, signal)));
    clocked.resolve();
    const refused = (await found).filter((each) => !each.ok);
    expect(refused).toHaveLength(14);
    expect(refused[0]).toMatchObject({ errorCode: "rate_limited", retryable: true });
  });

  test("and asks nothing twice in a day", async () => {
    await using scene = openMapScene({ spots: LISBON });
    await scene.places.run({ location: "Lisbon" });
    await scene.places.run({ location: " LISBON " });
    expect(scene.server.requests).toHaveLength(2);
    scene.time.now += 25 * 60 * 60 * 1000;
    scene.nextTurn();
    await scene.places.run({ location: "Lisbon" });
    expect(scene.server.requests).toHaveLength(4);
  });
});

describe("search_places completes the category", () => {
  test.each([
    ["Where can we have lunch?"],
    ["a nice RESTAURANT please"],
    ["dining near the hotel"],
    ["any café nearby?"],
    ["any cafe\u0301 nearby?"],
    ["dinner"],
    ["breakfast spots"],
    ["Где поесть?"],
    ["хороший ресторан в центре"],
    ["附近有什么餐厅"],
    ["想吃火锅"],
  ])("food for %p", async (text) => {
    await using scene = openMapScene({ spots: LISBON });
    const args = { location: "Lisbon" };
    const complete = { kind: "complete", args: { ...args, category: "food" } } as const;
    expect(await scene.places.complete(args, text)).toEqual(complete);
    expect(await scene.places.complete(args, "yes", "Lisbon", "hm", text)).toEqual(complete);
  });

  test.each([
    ["What can we see here?"],
    ["museums, creating, theatre, beat"],
    ["победа, бесплатно, переедание"],
    ["酒店和景点"],
    [""],
  ])("tourism for %p", async (text) => {
    await using scene = openMapScene({ spots: LISBON });
    expect(await scene.places.complete({ location: "Lisbon" }, text)).toMatchObject({
      args: { category: "tourism" },
    });
  });

  test("never over what the model chose", async () => {
    await using scene = openMapScene({ spots: LISBON });
    const args = { location: "Lisbon", category: "lodging" };
    expect(await scene.places.complete(args, "dinner?")).toMatchObject({ args });
  });
});
