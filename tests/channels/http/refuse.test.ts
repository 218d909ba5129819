import { describe, expect, test } from "bun:test";
import { join } from "node:path";
import {
  nothingAt,
  orFailure,
  refuse,
  refuseForDefect,
  toSpoken,
} from "../../../src/channels/http/refuse.ts";
import { AppError } from "../../../src/core/app-error.ts";
import type { Language } from "../../../src/core/language.ts";
import { refusedWordsIn } from "../../../src/texts/refused/refused.ts";
import { textsIn } from "../../../src/texts/texts.ts";

const HTTP = join(import.meta.dir, "../../../src/channels/http");
const LANGUAGES: readonly Language[] = ["en", "ru", "zh"];

/** Signs of one language that no sentence of another has. */
const OWN: Readonly<Record<Language, RegExp>> = {
  en: /\b(?:the|is|are|of|and|to|no|there)\b/u,
  ru: /\p{Script=Cyrillic}/u,
  zh: /\p{Script=Han}/u,
};

/** Names of commands and requests, which are the same everywhere. */
const LITERAL = /papayu open|GET \/api\/work\/ID/gu;

const speakIn = (language: Language, response: Response) =>
  toSpoken(response, { language: () => language, texts: () => textsIn(language) });

/** Every sentence of the table with what a person would have in it. */
function sentencesIn(language: Language): readonly (readonly [string, string])[] {
  return Object.entries(refusedWordsIn(language)).map(([name, said]) => {
    if (typeof said === "string") return [name, said];
    return [name, String(Reflect.apply(said, undefined, [5, 6, 7]))];
  });
}

describe("orFailure()", () => {
  const failing = (error: Error) => Promise.reject<Response>(error);
  const unset = new AppError("ERR_SECRET_UNAVAILABLE", "the variable KEY is not set");
  const full = Object.assign(new Error("database or disk is full"), { code: "SQLITE_FULL" });

  test("tells the owner what failed, the database as well, and lets a defect be one", async () => {
    const logged: unknown[] = [];
    const log = (...line: unknown[]) => void logged.push(line);
    for (const [error, said] of [
      [unset, "KEY is not set"],
      [full, "disk is full"],
    ] as const) {
      const told = await speakIn("en", await orFailure(failing(error), undefined, log));
      expect(told.status).toBe(500);
      expect(await told.text()).toContain(said);
      expect(JSON.stringify(logged.at(-1))).toContain(said);
    }
    const defect = new Error("boom");
    const caught = await orFailure(failing(defect), undefined, log).catch(
      (error: unknown) => error,
    );
    expect(caught).toBe(defect);
    const good = new Response("x");
    expect(await orFailure(Promise.resolve(good), undefined, log)).toBe(good);
    expect(logged).toHaveLength(2);
  });

  test("tells nobody else of this machine, and the log what it was", async () => {
    const logged: unknown[] = [];
    const answer = await orFailure(
      failing(unset),
      "telegram:7",
      (...line) => void logged.push(line),
    );
    const told = await speakIn("en", answer);
    expect(await told.text()).not.toContain("KEY");
    expect(JSON.stringify(logged)).toContain("HTTP_ERROR");
    expect(JSON.stringify(logged)).toContain("KEY");
  });
});

describe.each(LANGUAGES)("what is refused in %s", (language) => {
  test("has nothing of another language", () => {
    for (const [name, said] of sentencesIn(language)) {
      for (const other of LANGUAGES.filter((each) => each !== language)) {
        expect(said.replaceAll(LITERAL, ""), name).not.toMatch(OWN[other]);
      }
    }
  });

  test("goes out so, with its status, what stands beside it and its headers", async () => {
    const refused = refuse(
      422,
      (words) => words.fileTooLarge(20),
      (said) => ({ quoted: said }),
    );
    refused.headers.set("x-content-type-options", "nosniff");
    const spoken = await speakIn(language, refused);
    const error = refusedWordsIn(language).fileTooLarge(20);
    expect(await spoken.json()).toEqual({ ok: false, error, quoted: error });
    expect(spoken.status).toBe(422);
    expect(spoken.headers.get("x-content-type-options")).toBe("nosniff");
    expect(spoken.headers.get("content-type")).toStartWith("application/json");
  });

  test("says of a defect where to read of it, and nothing of what it was about", async () => {
    const logged: unknown[] = [];
    const log = (...line: unknown[]) => void logged.push(line);
    const spoken = await speakIn(language, refuseForDefect(new Error("boom at /home/anna"), log));
    expect(spoken.status).toBe(500);
    expect(logged).toEqual([["HTTP_DEFECT", { reason: "boom at /home/anna" }]]);
    const text = await spoken.text();
    expect(text).toContain("HTTP_DEFECT");
    expect(text).not.toContain("boom");
  });
});

test("toSpoken() leaves alone what is no refusal", async () => {
  const found = nothingAt("GET", "/x");
  expect(await speakIn("ru", found)).toBe(found);
});

/** What brings its own words to a refusal, which has to name one of the table. */
const UNSPOKEN: readonly RegExp[] = [
  /\b(?:refuse|busy)\([^=;]*=>\s*["'`]/u,
  /\b(?:refuse|busy)\([^=;]*\(\)\s*=>/u,
  /Response\.json\(\s*\{\s*ok: false/u,
];

test("nobody but refuse.ts answers with a sentence of its own", async () => {
  expect('refuse(404, () => "nothing")').toMatch(UNSPOKEN[0] ?? /$^/u);
  expect("busy((_, texts) => `nothing`)").toMatch(UNSPOKEN[0] ?? /$^/u);
  expect("refuse(404, () => error.message)").toMatch(UNSPOKEN[1] ?? /$^/u);
  const found: string[] = [];
  for await (const path of new Bun.Glob("**/*.ts").scan(HTTP)) {
    if (path === "refuse.ts") continue;
    const text = await Bun.file(join(HTTP, path)).text();
    for (const pattern of UNSPOKEN) found.push(...(pattern.exec(text) ?? []));
    // Beside 400, which no page of ours gets, the console has reasons for persons alone.
    const isOfConsole = path.startsWith("console/");
    if (isOfConsole) found.push(...(/\bmisuse\((?!400\b)[^,]*/u.exec(text) ?? []));
  }
  expect(found).toEqual([]);
});
