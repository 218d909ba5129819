import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import { createMemoryStore, MOST_MEMORIES } from "../../src/store/memories/memories.ts";
import { anyCharacter } from "../support/any-character.ts";
import { memoryStore } from "../support/fresh-store.ts";
import { runs } from "../support/long.ts";

const ANNA = { userId: "telegram:1", workspaceRoot: "/w" };

function open() {
  const store = createMemoryStore(memoryStore());
  let now = 0;
  return {
    store,
    save: (key: string, text: string, owner = ANNA, isEverywhere = false, category = "note") =>
      store.save(owner, { key, category, text, isEverywhere }, ++now),
    keys: (words: string, owner = ANNA, category?: string) =>
      store
        .find(owner, { words, limit: 10, ...(category !== undefined && { category }) })
        .take(() => {})
        .map(({ key }) => key),
  };
}

describe("createMemoryStore().find()", () => {
  const { save, keys } = open();
  save("coffee", "Drinks espresso without sugar, at Café Züri");
  save("food.ru", "Любимый ресторан — «Пушкинъ», Ёлка рядом");
  save("food.zh", "我喜欢在北京的四川餐厅吃火锅");
  save("food.ja", "カレーが好きです");
  save("food.ko", "김치찌개를 좋아해요");
  save("deploy", "Deploy with: make release:prod; never on Fridays", ANNA, false, "work");

  test.each([
    ["espresso", "coffee"],
    ["ESPRESSO", "coffee"],
    ["espr", "coffee"],
    ["cafe zuri", "coffee"],
    ["ＥＳＰＲＥＳＳＯ", "coffee"],
    ["РЕСТОРАН", "food.ru"],
    ["рестораны", "food.ru"],
    ["в каком ресторане", "food.ru"],
    ["елка", "food.ru"],
    ["餐厅", "food.zh"],
    ["吃", "food.zh"],
    ["四川", "food.zh"],
    ["哪个餐厅好", "food.zh"],
    ["カレー", "food.ja"],
    ["ｶﾚｰ", "food.ja"],
    ["김치", "food.ko"],
    ["food.ru", "food.ru"],
    ["release:prod", "deploy"],
    ["work", "deploy"],
  ])("finds %j", (words, key) => {
    expect(keys(words)[0]).toBe(key);
  });

  test.each(["tea", "спорт", "天气", "餐具", "sugarless", "?!", "🙂", "-", '"'])(
    "finds nothing for %j",
    (words) => {
      expect(keys(words)).toEqual([]);
    },
  );

  test.each([
    'coffee" OR "x',
    "coffee AND",
    "NOT coffee",
    "coffee NEAR/2 x",
    "words:coffee",
    "coffee*",
    "^coffee",
    "(coffee",
    "{words}: coffee",
    "coffee'; DROP TABLE memories; --",
    "coffee\0",
  ])("takes %j for words", (words) => {
    expect(keys(words)).toContain("coffee");
  });

  test("gives the newest when nothing is asked, and one category alone", () => {
    expect(keys("")).toEqual(["deploy", "food.ko", "food.ja", "food.zh", "food.ru", "coffee"]);
    expect(keys(" ", ANNA, "work")).toEqual(["deploy"]);
    expect(keys("espresso", ANNA, "work")).toEqual([]);
  });

  test("gives no more than is asked for", () => {
    const scene = open();
    for (const key of ["a", "b", "c"]) scene.save(key, "tea");
    const asked = (words: string) => scene.store.find(ANNA, { words, limit: 2 });
    const found = ["tea", ""].map((words) => [
      asked(words).take(() => {}).length,
      asked(words).total,
    ]);
    expect(found).toEqual([
      [2, 3],
      [2, 3],
    ]);
  });

  test("puts the best match first", () => {
    const scene = open();
    scene.save("one", "green tea");
    scene.save("both", "green tea in the morning, tea at night: green");
    expect(scene.keys("green tea morning")).toEqual(["both", "one"]);
  });

  test("never fails, whatever is asked, and finds what it was given", () => {
    const scene = open();
    fc.assert(
      fc.property(fc.string({ unit: anyCharacter, maxLength: 60 }), (words) => {
        scene.save("key", words);
        const isFound = words.trim() === "" || /[\p{L}\p{N}]/u.test(words.normalize("NFKD"));
        expect(scene.keys(words)).toEqual(isFound ? ["key"] : []);
      }),
      { numRuns: runs(40, 500), examples: [["\u19e0"]] },
    );
  });
});

describe("createMemoryStore()", () => {
  test("keeps people and folders apart; what holds everywhere is found in each folder", () => {
    const { save, keys, store } = open();
    const elsewhere = { ...ANNA, workspaceRoot: "/other" };
    const boris = { ...ANNA, userId: "telegram:2" };
    save("here", "tea");
    save("all", "tea", ANNA, true);
    save("here", "tea of Boris", boris);
    expect(keys("tea")).toEqual(["all", "here"]);
    expect(keys("tea", elsewhere)).toEqual(["all"]);
    expect(keys("tea", boris)).toEqual(["here"]);
    // Nor is the newest of all another's.
    expect([ANNA, elsewhere, boris].map((owner) => keys("", owner))).toEqual([
      ["all", "here"],
      ["all"],
      ["here"],
    ]);
    expect(store.remove(elsewhere, "here")).toBe(0);
    expect(store.remove(boris, "all")).toBe(0);
    expect(store.remove(ANNA, "all")).toBe(1);
    expect(keys("tea")).toEqual(["here"]);
    expect(keys("tea", boris)).toEqual(["here"]);
  });

  test("replaces what is saved again, and its old words find nothing", () => {
    const { save, keys, store } = open();
    expect(save("drink", "tea")).toBe("saved");
    expect(save("drink", "coffee")).toBe("replaced");
    expect(keys("tea")).toEqual([]);
    expect(keys("coffee")).toEqual(["drink"]);
    expect(store.remove(ANNA, "drink")).toBe(1);
    expect(store.remove(ANNA, "drink")).toBe(0);
    expect(keys("coffee")).toEqual([]);
  });

  test("takes no more than its maximum from one person, but replaces", () => {
    const { save } = open();
    for (let i = 0; i < MOST_MEMORIES; i++) save(`k${i}`, "x");
    expect(save("one more", "x")).toBe("full");
    expect(save("k7", "y")).toBe("replaced");
    expect(save("one", "x", { ...ANNA, userId: "telegram:2" })).toBe("saved");
  });

  test("outlives the process", () => {
    const database = memoryStore();
    createMemoryStore(database).save(
      ANNA,
      { key: "k", category: "c", text: "t", isEverywhere: true },
      5,
    );
    const found = createMemoryStore(database).find(ANNA, { words: "", limit: 1 });
    expect(found.take(() => {})).toEqual([
      { key: "k", category: "c", text: "t", isEverywhere: true, savedAt: 5 },
    ]);
  });
});
