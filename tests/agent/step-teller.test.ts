import { expect, test } from "bun:test";
import { stepTeller } from "../../src/agent/plans/apply-flow.ts";
import type { AgentEvent } from "../../src/channels/channel.ts";
import { EN } from "../../src/texts/en.ts";

test("the last lines of a check are told, also where they came while others were on their way", async () => {
  const told: string[] = [];
  const taken = Promise.withResolvers<void>();
  const tell = stepTeller({
    texts: EN,
    async emit(event: AgentEvent) {
      if (event.kind !== "check_output") return;
      told.push(event.text);
      if (told.length === 1) await taken.promise;
    },
  });
  tell({ printed: "1", looks: [] });
  await Bun.sleep(0);
  for (const printed of ["2", "3", "4", "5"]) tell({ printed, looks: [] });
  await Bun.sleep(0);
  expect(told).toEqual(["1"]);
  taken.resolve();
  await Bun.sleep(0);
  expect(told).toEqual(["1", "3\n4\n5"]);
});
