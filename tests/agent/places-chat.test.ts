import { describe, expect, test } from "bun:test";
import { type MapScript, startMapServer } from "../support/map-server.ts";
import { type ModelRequest, type Reply, startModelServer } from "../support/model-server.ts";
import { openScene } from "./scene.ts";

const SPOTS = { lisbon: [38.7, -9.1], лиссабон: [38.7, -9.1], 里斯本: [38.7, -9.1] } as const;
const TASCA = {
  type: "node",
  id: 1,
  lat: 38.7,
  lon: -9.1,
  tags: { name: "Tasca", amenity: "restaurant" },
};

/** A chat whose model looks places up whenever somebody has spoken, with these arguments in turn. */
async function openChat(
  args: readonly object[],
  options: { readonly map?: MapScript; readonly files?: Readonly<Record<string, string>> } = {},
) {
  const { map = { spots: SPOTS, elements: [TASCA] }, files = { "a.txt": "" } } = options;
  const maps = startMapServer(map);
  const turns = args.values();
  const model = startModelServer(({ body }): Reply => {
    if (body.messages.at(-1)?.role === "tool") return { kind: "text", text: "Go to Tasca." };
    const call = { name: "search_places", arguments: turns.next().value ?? args.at(-1) };
    return { kind: "tools", calls: [call] };
  });
  const scene = await openScene({
    files,
    config: `[default]
provider = "m"
[providers.m]
base_url = "${model.url}"
model = "x"
[places]
nominatim_url = "${maps.url}"
overpass_url = "${maps.url}/overpass"`,
  });
  return {
    scene,
    model,
    maps,
    /** What the map was asked, oldest first. */
    searched: () => maps.at("/search").map((params) => params.get("q")),
    kinds: () => maps.at("/overpass").map((params) => /amenity/u.test(params.get("data") ?? "")),
    async [Symbol.asyncDispose]() {
      await scene[Symbol.asyncDispose]();
      await model.stop();
      await maps[Symbol.asyncDispose]();
    },
  };
}

function reported({ body }: ModelRequest): readonly (string | null)[] {
  return body.messages.slice(1).map(({ content }) => content);
}

describe("search_places in a chat", () => {
  test.each([
    [
      "What is worth seeing on a rainy day?",
      "Which city or area should I look in?",
      "Lisbon",
      false,
    ],
    [
      "Where could I eat well this evening?",
      "Which city or area should I look in?",
      "Lisbon",
      true,
    ],
    ["Что стоит посмотреть в дождь?", "В каком городе или районе искать?", "Лиссабон", false],
    ["Где здесь можно вкусно поесть?", "В каком городе или районе искать?", "Лиссабон", true],
    ["下雨天有什么值得看的？", "请问要查哪个城市或地区？", "里斯本", false],
    ["晚上去哪里吃好吃的？", "请问要查哪个城市或地区？", "里斯本", true],
  ])(
    "asks %j back in its language, and the answer completes the call",
    async (said, question, place, isFood) => {
      await using chat = await openChat([{}]);
      const first = await chat.scene.say(said);
      expect(first.text).toBe(question);
      expect(first.kinds).not.toContain("error");
      expect(first.kinds).not.toContain("tool_result");
      expect(chat.maps.requests).toEqual([]);
      const second = await chat.scene.say(place);
      expect(second.text).toBe("Go to Tasca.");
      expect(second.last("tool_result").content).toContain("Tasca");
      expect(chat.searched()).toEqual([place]);
      expect(chat.kinds()).toEqual([isFood]);
      const [, request] = chat.model.requests;
      expect(request && reported(request)).toEqual([said, question, place]);
    },
  );

  test("takes the place from the trip's notes, and asks nobody", async () => {
    const files = { "trip.md": "---\ndestination: Lisbon; Porto +2 more\n---\n" };
    await using chat = await openChat([{}], { files });
    const { text, kinds } = await chat.scene.say("Where could I have lunch?");
    expect(text).toBe("Go to Tasca.");
    expect(kinds).not.toContain("error");
    expect([chat.searched(), chat.kinds()]).toEqual([["Lisbon"], [true]]);
  });

  test("asks again for a place that the map does not know, by its name", async () => {
    await using chat = await openChat([{ location: "Atlantis" }]);
    const first = await chat.scene.say("What is there to see in Atlantis?");
    expect(first.text).toBe('I cannot find "Atlantis" on the map. Which city or area is it?');
    expect(first.kinds).not.toContain("error");
    chat.scene.wait(5000);
    const second = await chat.scene.say("Lisbon");
    expect(second.text).toBe("Go to Tasca.");
    // What nobody knows is not asked for twice.
    expect(chat.searched()).toEqual(["Atlantis", "Lisbon"]);
  });

  test("takes the trip's place for one that the map does not know", async () => {
    const files = { "itinerary.md": "| place |\n|---|\n| Lisbon |\n" };
    await using chat = await openChat([{}, { location: "Atlantis" }], { files });
    expect((await chat.scene.say("Any museums?")).text).toBe("Go to Tasca.");
    chat.scene.wait(5000);
    expect((await chat.scene.say("And elsewhere?")).text).toBe("Go to Tasca.");
    expect([chat.searched(), chat.kinds().length]).toEqual([["Lisbon", "Atlantis"], 1]);
  });

  test("keeps the intent to eat over the question, and never shows sights for it", async () => {
    await using chat = await openChat([{}], { map: { spots: SPOTS } });
    await chat.scene.say("Посоветуй хороший ресторан");
    const second = await chat.scene.say("Лиссабон");
    expect(second.last("tool_result").content).toContain("No food on the map");
    expect(chat.kinds()).toEqual([true]);
  });
});
