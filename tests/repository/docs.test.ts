import { expect, test } from "bun:test";

test("no page holds both sides of a merge", async () => {
  const unsettled: string[] = [];
  for await (const path of new Bun.Glob("{*,docs/**/*,skills/**/*}.md").scan(".")) {
    const text = await Bun.file(path).text();
    if (/^(?:<{7} |={7}$|>{7} )/mu.test(text)) unsettled.push(path);
  }
  expect(unsettled).toEqual([]);
});
