import { expect, test } from "bun:test";
import { countedTeller } from "../../src/agent/counted.ts";
import type { AgentEvent } from "../../src/channels/channel.ts";

test("countedTeller() tells nothing in the first second, then a number four times in one, and minds no failure", async () => {
  const told: AgentEvent[] = [];
  let time = 0;
  const tell = countedTeller(
    (event) => {
      told.push(event);
      throw new Error("nobody there");
    },
    () => time,
  );
  for (; time < 2000; time += 10) tell({ counted: time, of: 2000 });
  await Promise.resolve();
  expect(told).toEqual(
    [1000, 1250, 1500, 1750].map((counted) => ({ kind: "counted", counted, of: 2000 })),
  );
});
