import { describe, expect, test } from "bun:test";
import * as fc from "fast-check";
import {
  createCutSecrets,
  findCutShapes,
  MARK,
  noteParts,
} from "../../src/security/redact/cut-secrets.ts";
import { createDumped } from "../../src/security/redact/dumped.ts";
import { BACKSLASHES, BLANKS, createEscaped } from "../../src/security/redact/escaped.ts";
import { createFinder, type Stretch, united } from "../../src/security/redact/finder.ts";
import { createRedactor } from "../../src/security/redact/redact.ts";
import { longEnough, spellingsOf } from "../../src/security/redact/spellings.ts";
import { runs } from "../support/long.ts";

const numRuns = runs(150, 3000);
const text = (chars: string, maxLength: number, minLength = 0) =>
  fc.string({ unit: fc.constantFrom(...chars.split("")), minLength, maxLength });

/** All places of the words, also those that begin within another. */
function placesOf(words: readonly string[], whole: string): Stretch[] {
  return words.flatMap((word) =>
    Array.from({ length: whole.length }, (_, start) => ({
      start,
      end: start + word.length,
    })).filter(({ start }) => whole.startsWith(word, start)),
  );
}

/** Where the longest end begins that one of the words goes on from. */
function openIn(words: readonly string[], whole: string): number {
  const starts = Array.from({ length: whole.length }, (_, start) => start);
  const isOpen = (start: number) => {
    const end = whole.slice(start);
    return words.some((word) => word.length > end.length && word.startsWith(end));
  };
  return starts.find(isOpen) ?? whole.length;
}

function covered(stretches: readonly Stretch[]): number[] {
  const places = stretches.flatMap(({ start, end }) =>
    Array.from({ length: end - start }, (_, at) => start + at),
  );
  return [...new Set(places)].toSorted((a, b) => a - b);
}

test("united() covers what its stretches do, in order and without a touch to spare", () => {
  const stretch = fc.tuple(fc.nat(20), fc.integer({ min: 1, max: 5 }));
  fc.assert(
    fc.property(fc.array(stretch, { maxLength: 6 }), (pairs) => {
      const all = pairs.map(([start, length]) => ({ start, end: start + length }));
      const one = united(all);
      expect(covered(one)).toEqual(covered(all));
      expect(one).toEqual(one.toSorted((a, b) => a.start - b.start));
      expect(covered(one)).toHaveLength(one.reduce((sum, { start, end }) => sum + end - start, 0));
    }),
    { numRuns },
  );
});

test("createFinder() finds all places of its texts, and where one may go on", () => {
  const words = fc.array(text("ab.", 4, 1), { minLength: 1, maxLength: 3 });
  fc.assert(
    fc.property(words, text("ab.", 12), (wanted, whole) => {
      const finder = createFinder();
      expect([finder.find(whole), finder.longest()]).toEqual([[], 0]);
      expect(finder.startOfOpen(whole)).toBe(whole.length);
      finder.add(wanted.slice(0, 1));
      finder.find(whole);
      finder.add(wanted);
      expect(covered(finder.find(whole))).toEqual(covered(placesOf(wanted, whole)));
      expect(finder.startOfOpen(whole)).toBe(openIn(wanted, whole));
      expect(finder.longest()).toBe(Math.max(...wanted.map(({ length }) => length)));
      for (const word of wanted) expect(finder.mayGoOn(0, word.charCodeAt(0))).toBe(true);
      expect(finder.mayGoOn(97, 120)).toBe(false);
    }),
    { numRuns },
  );
});

describe("createEscaped()", () => {
  const OF = [
    ["backslashes", BACKSLASHES, "\\", "abcabd", 6],
    ["blanks", BLANKS, " \n\t", "abcabdabcabc", 12],
  ] as const;

  test.each(OF)(
    "finds words with %s in them, and where one may go on",
    (_, filler, chars, word) => {
      // Words and parts of them among others and fillers: what random signs alone hardly ever make.
      const piece = fc.oneof(
        text(chars, 3),
        text("abcd", 3),
        fc.tuple(fc.nat(6), fc.nat(12)).map(([from, to]) => word.slice(from, to)),
        fc.array(text(chars, 2), { minLength: 12, maxLength: 12 }).map((gaps) => {
          return word
            .split("")
            .map((letter, at) => letter + (gaps[at] ?? ""))
            .join("");
        }),
      );
      fc.assert(
        fc.property(fc.array(piece, { maxLength: 6 }), (pieces) => {
          const whole = pieces.join("");
          const escaped = createEscaped(filler);
          escaped.add([`${word.slice(0, 3)}${chars.charAt(0)}${word.slice(3)}`, "abc"]);
          const kept = Array.from({ length: whole.length }, (__, at) => at).filter(
            (at) => !chars.includes(whole.charAt(at)),
          );
          const bare = kept.map((at) => whole.charAt(at)).join("");
          const all = placesOf([word], bare).map(({ start, end }) => ({
            start: kept[start] ?? 0,
            end: (kept[end - 1] ?? 0) + 1,
          }));
          const broken = all.filter(({ start, end }) => end - start > word.length);
          const found = covered(escaped.find(whole));
          expect(covered(all)).toEqual(expect.arrayContaining(found));
          expect(found).toEqual(expect.arrayContaining(covered(broken)));
          const open = openIn([word], bare);
          const hasFiller = bare.length < whole.length;
          expect(escaped.startOfOpen(whole)).toBe(
            hasFiller && open < bare.length ? (kept[open] ?? 0) : whole.length,
          );
        }),
        { numRuns },
      );
    },
  );

  test.each(OF)("looks for no word that is too short, of %s", (_, filler, chars, word, most) => {
    const between = `${word.slice(0, 3)}${chars.charAt(0)}${word.slice(3)}`;
    const short = createEscaped(filler);
    short.add([word.slice(0, most - 1)]);
    expect(short.find(between)).toEqual([]);
    const exact = createEscaped(filler);
    exact.add([word]);
    expect(exact.find(`x${between}x`)).toEqual([{ start: 1, end: between.length + 1 }]);
  });
});

describe("createCutSecrets()", () => {
  const WORD = "abcdefghijkl";
  const HEX = Buffer.from(WORD).toString("hex");
  const cut = createCutSecrets();
  cut.add({ words: [WORD, "with a\\nblank"], digits: [HEX, "zz:zz:zz:zz"] });

  test("finds what is left before a mark and behind it, if it is as long as a secret", () => {
    for (const [before, after] of [
      ["", ""],
      ["\n", "\n"],
    ]) {
      for (let length = 1; length <= WORD.length; length++) {
        const is = length >= 6 && length < WORD.length;
        const start = `..${WORD.slice(0, length)}`;
        const end = `${WORD.slice(-length)}..`;
        expect(united(cut.find(`${start}${before}${MARK}`))).toEqual(
          is ? [{ start: 2, end: start.length }] : [],
        );
        const from = 1 + (after?.length ?? 0);
        expect(united(cut.find(`${MARK}${after}${end}`))).toEqual(
          is ? [{ start: from, end: from + length }] : [],
        );
      }
    }
    expect(cut.find(`${WORD.slice(0, 7)} ${MARK}`)).not.toEqual([]);
    expect(cut.find(WORD.slice(0, 7))).toEqual([]);
    expect(createCutSecrets().find(`${WORD.slice(0, 7)}${MARK}`)).toEqual([]);
  });

  test("finds the longest that is left, and at each mark", () => {
    const many = createCutSecrets();
    many.add({ words: ["xabcdefgh1", "abcdefgh2", "fgh"], digits: [] });
    const shown = `xabcdefgh${MARK} and ${MARK}cdefgh2 ${MARK}`;
    expect(united(many.find(shown))).toEqual([
      { start: 0, end: 9 },
      { start: 16, end: 23 },
    ]);
  });

  test.each([
    ["backslashes", "abc\\\\d\\efg", WORD.slice(0, 7), 0],
    ["line ends", "abc\r\n  defg", WORD.slice(0, 7), 0],
    ["digits with signs", "61 62,63:64%65\\x66 67", HEX.slice(0, 14), 0],
    ["digits with prefixes", "0x61, 0x62, 0X63, 0x64", HEX.slice(0, 8), 2],
    ["large digits", HEX.slice(0, 22).toUpperCase(), HEX.slice(0, 22), 0],
    ["large digits with signs", "%61%62%63%64%65%66%67%68%69%6A%6B", HEX.slice(0, 22), 1],
  ])("reads over %s, both ways", (_, written, bare, from) => {
    const end = 3 + written.length;
    expect(united(cut.find(`.. ${written}${MARK}`))).toEqual([{ start: 3 + from, end }]);
    const known = createCutSecrets();
    // The same as the end of a word.
    known.add({ words: [`q${bare}`], digits: [`0${bare}`] });
    const [found] = united(known.find(`${MARK}${written} ..`));
    expect(found).toEqual({ start: 1, end: 1 + written.length });
  });

  test("finds a word that is nothing but backslashes", () => {
    const odd = createCutSecrets();
    odd.add({ words: ["\\".repeat(8)], digits: [] });
    expect(united(odd.find(`${"\\".repeat(7)}${MARK}`))).toEqual([{ start: 0, end: 7 }]);
  });

  test("takes a gap that is wider than any wrapping for an end", () => {
    const gap = (width: number) => cut.find(`abc${" ".repeat(width)}defgh${MARK}`).length > 0;
    expect([gap(199), gap(200)]).toEqual([true, false]);
    const wide = WORD.slice(0, 9).split("").join(" ".repeat(50));
    expect(united(cut.find(wide + MARK))).toEqual([{ start: 0, end: wide.length }]);
  });

  test("looks for a word that has blanks or backslashes itself without them, too", () => {
    for (const left of ["with a\\nbl", "witha\\nbl", "with anbl"])
      expect(cut.find(`${left}${MARK}`)).not.toEqual([]);
  });
});

test("noteParts() notes all that are as long as the shortest secret", () => {
  const parts = new Set<string>();
  noteParts(parts, "abcdefgh");
  noteParts(parts, "short");
  expect([...parts]).toEqual(["abcdef", "bcdefg", "cdefgh"]);
});

test("findCutShapes() finds the beginning of a key up to a mark", () => {
  const cases: Readonly<Record<string, string>> = {
    "a sk-abcd": "sk-abcd",
    "a sk-abc": "",
    "a xsk-abcd": "sk-abcd",
    "tvly-abcd": "tvly-abcd",
    "a ghp_abcd": "ghp_abcd",
    "a github_pat_abcd": "github_pat_abcd",
    "a AKIAABCD": "AKIAABCD",
    "a AKIAABC": "",
    "123456:abcdef": "123456:abcdef",
    "123456:abcde": "",
    "é1234567:abcdef": "1234567:abcdef",
    xoxb_abcdef: "",
  };
  for (const [before, expected] of Object.entries(cases)) {
    for (const end of [MARK, `\n${MARK}`]) {
      const whole = `${before}${end} and ${before}${end}`;
      const found = findCutShapes(whole).map(({ start, end: to }) => whole.slice(start, to));
      expect([before, found]).toEqual([before, expected === "" ? [] : [expected, expected]]);
    }
  }
  const long = (length: number) => findCutShapes(`sk-${"a".repeat(length - 3)}${MARK}`);
  expect([long(200), long(201)]).toEqual([[{ start: 0, end: 200 }], []]);
});

describe("createDumped() finds the rows", () => {
  const SECRET = "Zq7-hunter2/Yx+9w8v7u6t5";
  const dumped = createDumped();
  dumped.add(SECRET);
  const toRow = (bytes: Buffer, at: number, width: number, isSwapped: boolean) => {
    const row = bytes.subarray(at, at + width);
    const words = (row.toString("hex").match(/.{1,4}/gu) ?? []).map((word) =>
      isSwapped ? (word.match(/../gu) ?? []).toReversed().join("") : word,
    );
    return `${at.toString(16).padStart(8, "0")}: ${words.join(" ")}  ${row.toString("latin1")}`;
  };

  test("that have a byte of a secret, and no other, in either order of bytes", () => {
    for (const isSwapped of [false, true]) {
      for (let before = 0; before < 20; before++) {
        const bytes = Buffer.from(`${"~".repeat(before)}${SECRET}${"~".repeat(60 - before)}`);
        const rows = Array.from({ length: Math.ceil(bytes.length / 16) }, (_, at) =>
          toRow(bytes, at * 16, 16, isSwapped),
        );
        const whole = `head\n${rows.join("\n")}\nend`;
        const expected = rows.filter((_, at) => {
          return at * 16 < before + SECRET.length && (at + 1) * 16 > before;
        });
        const found = dumped.find(whole).map(({ start, end }) => whole.slice(start, end));
        expect({ before, found }).toEqual({ before, found: expected });
      }
    }
    expect(dumped.find("no dump")).toEqual([]);
    expect(createDumped().find("00000000: 4142 4344\n")).toEqual([]);
  });

  test("beside a cut that has a part of a secret, of its bytes or its text", () => {
    const found = (whole: string) =>
      united(dumped.find(whole)).map(({ start, end }) => whole.slice(start, end));
    const head = "00000000: 5a71 372d 6875  Zq7-hu";
    expect(found(`${head}\n${MARK}`)).toEqual([head]);
    expect(found(`${head}\n`)).toEqual([]);
    const short = "00000000: 5a71 372d 68  Zq7-h";
    expect(found(`${short}\n${MARK}`)).toEqual([]);
    const tail = `${MARK}00000010: 7637 7536 7435  v7u6t5`;
    expect(found(tail)).toEqual([tail]);
    expect(found(`${MARK}00000010: 3775 3674 35  7u6t5`)).toEqual([]);
    // Only the text of a row is left, and the next row shows that it was one.
    const next = "00000010: 7e7e 7e7e 7e7e  ~~~~~~";
    expect(found(`"${MARK}hunter2/Yx+\n${next}`)).toEqual([`"${MARK}hunter2/Yx+`]);
    expect(found(`"${MARK}hunter2/Yx+\n\n${next}`)).toEqual([]);
  });
});

test("createRedactor() masks the lines of a secret that are long enough to be one by themselves", () => {
  const redactor = createRedactor();
  const [long, other] = ["0123456789abcdef", "fedcba9876543210"];
  redactor.add(`${long}\r\nshort line here\n${other}`);
  expect(redactor.redact(`a ${long} b short line here c ${other}`)).toBe(
    "a [secret] b short line here c [secret]",
  );
  const single = createRedactor();
  single.add("0123456789abcdef!");
  expect(single.redact("a 0123456789abcdef b")).toBe("a 0123456789abcdef b");
});

describe("spellingsOf()", () => {
  test.each([
    ["a strict library's URL", "it's (a) word!*~", "it%27s%20%28a%29%20word%21%2A%7E"],
    ["the same in small digits", "it's (a) word!*~", "it%27s%20%28a%29%20word%21%2a%7e"],
    ["the same as a form", "it's (a) word!*~", "it%27s+%28a%29+word%21%2A%7E"],
    ["a URL that keeps its slashes", "a/b c/d", "a/b%20c/d"],
    ["a whole URL", "a?b=c d", "a?b=c%20d"],
    ["JSON of ASCII alone", "p\u00e4ss\u043c", "p\\u00e4ss\\u043c"],
    ["the same in large digits", "p\u00e4ss\u043c", "p\\u00E4ss\\u043C"],
    ["HTML by numbers", `a'b"c<d`, "a&#39;b&#34;c&lt;d"],
    ["the lines of networks", "one\ntwo", "one\r\ntwo"],
    ["letters taken apart", "p\u00e4ssword", "pa\u0308ssword"],
    ["letters put together", "pa\u0308ssword", "p\u00e4ssword"],
    ["JSON in JSON in JSON", 'a"b"cd', String.raw`a\\\"b\\\"cd`],
  ])("has %s", (_, secret, spelled) => {
    expect(spellingsOf(secret).words).toContain(spelled);
  });

  test.each(["616263646566", "61 62 63 64 65 66", "%61%62%63%64%65%66", "61:62:63:64:65:66"])(
    "has digits as %s",
    (digits) => {
      expect(spellingsOf("abcdef").digits).toContain(digits);
      expect(spellingsOf("jklmno").digits).toContain(
        digits.replaceAll(/6(\d)/gu, (_all, digit: string) => {
          return `6${(Number(digit) + 9).toString(16).toUpperCase()}`;
        }),
      );
    },
  );

  test("has no word twice, and none that is too short", () => {
    const { words } = spellingsOf("abcdef");
    expect(new Set(words).size).toBe(words.length);
    expect(longEnough(["12345", "123456", "123456", ""])).toEqual(["123456"]);
  });
});

test("findCut() gives a place where a text can be cut in two and still be masked as one", () => {
  const redactor = createRedactor();
  for (const secret of ["hunter2-hunter2", "two words here"]) redactor.add(secret);
  const { redact, findCut } = redactor;
  const pieces = [
    "hunter2-hunter2",
    "two words here",
    "two wor",
    "sk-proj-AbCd_1234-efgh5678",
    "ghp_0123456789abcdefABCDEF0123456789abcd",
    "Authorization: Bearer abc.def",
    "authorization: basic dXNlcjpwYXNz",
    "bearer abcdefghijklmnopqrst",
    "authorization",
    "a plain word",
    "123456789:AAF-abc_defghijklmnopqrstuvwxyz12",
  ];
  const gap = fc.constantFrom(" ", ", ", "\n", " and ");
  const piece = fc.tuple(fc.constantFrom(...pieces), gap).map((both) => both.join(""));
  fc.assert(
    fc.property(fc.array(piece, { minLength: 1, maxLength: 5 }), fc.nat(200), (all, at) => {
      const whole = all.join("");
      const end = Math.min(at, whole.length);
      const cut = findCut(whole, end);
      expect(cut).toBeLessThanOrEqual(end);
      expect(redact(whole.slice(0, cut)) + redact(whole.slice(cut))).toBe(redact(whole));
    }),
    { numRuns },
  );
  // Each of them while it arrives, alone and behind one that is found before.
  for (const each of pieces) {
    for (const whole of [`a ${each} z`, `sk-proj-AbCd_1234-efgh5678 ${each}, z`]) {
      for (let end = 0; end <= whole.length; end++) {
        const arrived = whole.slice(0, end);
        // A word that may go on is held back by who asks.
        const cut = findCut(arrived, arrived.search(/\S*$/u));
        expect(redact(whole.slice(0, cut)) + redact(whole.slice(cut))).toBe(redact(whole));
      }
    }
  }
  const plain = "nothing to hide in here";
  for (let end = 0; end <= plain.length; end++) expect(findCut(plain, end)).toBe(end);
});
