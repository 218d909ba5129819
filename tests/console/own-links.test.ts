import { expect, test } from "bun:test";
import { readFileSync } from "node:fs";
import { join } from "node:path";

const CONSOLE = join(import.meta.dir, "../../src/console");

/** Whose links lead elsewhere: to a place on the page itself, and to what an answer names. */
const ELSEWHERE = ["app/app.tsx", "pages/chat/blocks-view.tsx"];

test("every link to a page of the console is a Link, which knows where the Mini App has it", async () => {
  const files = await Array.fromAsync(new Bun.Glob("**/*.tsx").scan(CONSOLE));
  const linking = files.filter((file) =>
    /\bhref=/u.test(readFileSync(join(CONSOLE, file), "utf8")),
  );
  expect(linking.toSorted()).toEqual(["acts/link.tsx", ...ELSEWHERE].toSorted());
  const [app = ""] = ELSEWHERE;
  expect(readFileSync(join(CONSOLE, app), "utf8").match(/\bhref=\S+/gu)).toEqual([
    'href="#content">',
  ]);
});
