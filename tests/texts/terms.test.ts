import { expect, test } from "bun:test";
import { join } from "node:path";

const SRC = join(import.meta.dir, "../../src");

/** One word for one thing, in each language: what is not said, and what is said for it. */
const TERMS: readonly (readonly [language: "ru" | "zh", refused: RegExp, term: string])[] = [
  ["zh", /例行任务|例行公事/u, "定时任务 (routine)"],
  ["zh", /会话/u, "对话 (conversation)"],
  ["zh", /改动|变更(?!集)/u, "更改 (change)"],
  ["zh", /更改集|变动集|修改集/u, "变更集 (change set)"],
  [
    "ru",
    /задани\p{L}* по расписанию|(?:Новое|Сбой) задани\p{L}*|по заданию/u,
    "задача по расписанию (routine)",
  ],
  ["ru", /(?<!\p{L})бесед[аыуе](?!\p{L})/u, "разговор (conversation)"],
];

test.each(TERMS)("%s texts do not say %p: they say %s", async (language, refused) => {
  const found: string[] = [];
  for await (const path of new Bun.Glob("{texts,console/texts}/**/*.ts").scan(SRC)) {
    const text = await Bun.file(join(SRC, path)).text();
    const isWhole =
      !path.includes(language) && /(?:^|\/)(?:en|ru|zh)\.ts$|-(?:en|ru|zh)\.ts$/u.test(path);
    if (isWhole) continue;
    const said = refused.exec(text)?.[0];
    if (said !== undefined) found.push(`${path}: ${said}`);
  }
  expect(found).toEqual([]);
});

/** Names that only this project understood, by a word in them or as a whole, and what says it. */
const NAMES: readonly (readonly [refused: RegExp, term: string])[] = [
  [/(?:^d|D)esks?(?![a-z])/u, "editor: text-editor.ts"],
  [/(?:^e|E)ars?(?![a-z])|^(?:h|H)earing$/u, "observer: running.ts"],
  [/^_?[aA]round$|^[A-Z]\w*Around$/u, "what it is: LoadContext, SurroundingHunks"],
  [/(?:^e|E)xchanges?(?![a-z])/u, "handler: message-handler.ts"],
  [/(?:^j|J)udg/u, "authorize, check, classify or validate: what it does"],
  [
    /^Told$|^Ground$|^Life$|^_?[bB]eside$|^[A-Z]\w*Beside$/u,
    "what it is: NoticeTarget, BaseTree, Heartbeat",
  ],
  [/^AgentDeps$/u, "those of one task: TurnDeps, PlanDeps"],
];

const DECLARED =
  /^\s*(?:export )?(?:abstract )?(?:interface|type|class|(?:async )?function) (\w+)/gmu;

test.each(NAMES)("nothing in src/ is called %p: it is called %s", async (refused) => {
  const found: string[] = [];
  let count = 0;
  for await (const path of new Bun.Glob("**/*.{ts,tsx}").scan(SRC)) {
    const text = await Bun.file(join(SRC, path)).text();
    for (const [, name = ""] of text.matchAll(DECLARED)) {
      count++;
      if (refused.test(name)) found.push(`${path}: ${name}`);
    }
  }
  expect(count).toBeGreaterThan(1000);
  expect(found).toEqual([]);
});
