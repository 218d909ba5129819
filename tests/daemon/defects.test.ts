import { describe, expect, test } from "bun:test";
import { createDefects } from "../../src/daemon/defects.ts";
import { textsIn } from "../../src/texts/texts.ts";

function watch() {
  const scene = { now: 0, logged: [] as string[], notices: [] as string[], gaveUp: 0 };
  const note = createDefects({
    log: (event, fields) =>
      void scene.logged.push(`${event} ${fields?.["code"]} ${fields?.["message"]}`),
    tell: async (text) => void scene.notices.push(text),
    giveUp: () => void scene.gaveUp++,
    texts: textsIn("en").defects,
    now: () => scene.now,
  });
  return { scene, note };
}

describe("createDefects()", () => {
  test("logs each error with its code and tells the same one once an hour", () => {
    const { scene, note } = watch();
    note(new TypeError("x is undefined"));
    note(new TypeError("x is undefined"));
    expect(scene.logged).toEqual(Array(2).fill("INTERNAL_ERROR ERR_INTERNAL x is undefined"));
    expect(scene.notices).toHaveLength(1);
    expect(scene.notices[0]).toContain("goes on");
    expect(scene.notices[0]).toContain("ERR_INTERNAL: x is undefined");
    scene.now = 3_600_000;
    note(new TypeError("x is undefined"));
    expect(scene.notices).toHaveLength(2);
  });

  test("tells no more than five different ones an hour", () => {
    const { scene, note } = watch();
    for (let number = 0; number < 20; number++) note(new Error(`defect ${number}`));
    expect(scene.notices).toHaveLength(5);
    expect(scene.logged).toHaveLength(20);
  });

  test("goes on for ever at a pace, and gives up once in a flood", () => {
    const { scene, note } = watch();
    for (let number = 0; number < 500; number++) {
      scene.now += 2_000;
      note(new Error("again"));
    }
    expect(scene.gaveUp).toBe(0);
    for (let number = 0; number < 500; number++) note("not even an error");
    expect(scene.gaveUp).toBe(1);
    expect(scene.notices.at(-1)).toContain("stops");
  });

  test("goes on when the owner cannot be notified", async () => {
    const note = createDefects({
      log: () => {},
      tell: () => Promise.reject(new Error("no channel")),
      giveUp: () => {},
      texts: textsIn("zh").defects,
      now: () => 0,
    });
    note(new Error("x"));
    await Bun.sleep(0);
  });
});
