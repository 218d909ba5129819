import { expect, test } from "bun:test";
import { openBench } from "./bench.ts";

const PEOPLE = [1, 2, 3];

test("createTelegramChannel() answers so many chats at a time, and lets all have their turn", async () => {
  let most = 2;
  const begun: string[] = [];
  const ends = new Map<string, () => void>();
  await using bench = await openBench({
    options: { allowedUserIds: () => PEOPLE, maxTurns: () => most },
    async say(text, emit) {
      begun.push(text);
      await new Promise<void>((resolve) => ends.set(text, resolve));
      await emit({ kind: "content", text: `done ${text}` });
    },
  });
  const end = async (text: string) => {
    ends.get(text)?.();
    await bench.api.waitForText(`done ${text}`);
  };
  for (const [person, text] of [
    [1, "a"],
    [2, "b"],
    [3, "c"],
    [1, "a again"],
  ] as const) {
    bench.api.say(person, text);
  }
  await bench.api.waitFor(() => bench.channel.status()["inbox"] === 4 && begun.length === 2);
  expect(begun).toEqual(["a", "b"]);
  await end("a");
  await bench.api.waitFor(() => begun.length === 3);
  expect(begun).toEqual(["a", "b", "c"]); // it has waited longer than what was said again
  most = 3;
  await end("b");
  await bench.api.waitFor(() => begun.length === 4);
  expect(begun.at(-1)).toBe("a again");
  await end("c");
  await end("a again");
});
