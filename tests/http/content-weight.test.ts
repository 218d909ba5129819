import { describe, expect, test } from "bun:test";
import { createContentWeight } from "../../src/http/html-to-text/content-weight.ts";
import type { PartKind } from "../../src/http/html-to-text/part-kind.ts";
import { createTextBuffer } from "../../src/http/html-to-text/text-buffer.ts";
import { createTextTally } from "../../src/http/html-to-text/text-tally.ts";

/** A page that is written piece by piece, as a reader of its elements does. */
function openPage() {
  const shown: string[] = [];
  const told: string[] = [];
  const buffer = createTextBuffer({
    write: (text) => shown.push(text),
    leaveOut({ kind, links, menus }, text) {
      shown.push(`[${kind} ${menus} ${links}]`);
      told.push(text);
    },
  });
  const tally = createTextTally();
  const saves = { resumed: 0, forgotten: 0 };
  const save = () => ({
    resume: () => void (saves.resumed += 1),
    forget: () => void (saves.forgotten += 1),
  });
  const weight = createContentWeight({ buffer, tally, save });
  const say = (text: string) => {
    buffer.push(text);
    if (tally.add(text.length)) weight.foundContent();
  };
  const link = (text: string, { isContact = false, hasFigures = false, target = "" } = {}) => {
    const close = tally.openLink(isContact);
    buffer.push(text);
    tally.add(text.length);
    if (hasFigures) tally.hadFigures();
    close();
    if (target === "") return;
    buffer.push(` (${target})`);
    weight.wroteAddress(text, target);
  };
  const part = (kind: PartKind, fill: () => void) => {
    const close = weight.open(kind);
    fill();
    close();
  };
  const read = () => {
    weight.finish();
    return shown.join("");
  };
  return { buffer, weight, saves, told, say, link, part, read };
}

const ARTICLE = "a".repeat(1000);

interface Given {
  readonly links: number;
  readonly length: number;
  readonly plain?: number;
  /** How long each piece of the other text is. */
  readonly run?: number;
  readonly isContact?: boolean;
  readonly hasFigures?: boolean;
}

/** What is left of a part of an article with these links and so much other text. */
function fate(
  kind: PartKind,
  { links, length, plain = 0, run = 20, ...how }: Given,
  isInMain = false,
) {
  const page = openPage();
  page.say(ARTICLE);
  const fill = () => {
    for (let at = 0; at < links; at++) page.link("l".repeat(length), how);
    // Short enough to say nothing: it does not run on.
    for (let left = plain; left > 0; left -= run) {
      page.part("part", () => page.say("p".repeat(Math.min(run, left))));
    }
  };
  const whole = () => page.part(kind, fill);
  if (isInMain) page.part("main", whole);
  else whole();
  const text = page.read().replace(ARTICLE, "");
  return text.startsWith("[") ? text : "kept";
}

describe("createContentWeight() leaves out of an article", () => {
  test.each([
    ["a menu of three links", "menu", { links: 3, length: 10 }, "[menu 1 3]"],
    ["no menu of two", "menu", { links: 2, length: 10 }, "kept"],
    ["a menu of links that are short", "menu", { links: 3, length: 40 }, "[menu 1 3]"],
    ["no menu of longer ones", "menu", { links: 3, length: 41 }, "kept"],
    ["a menu with a little text", "menu", { links: 7, length: 10, plain: 30 }, "[menu 1 7]"],
    ["no menu with more", "menu", { links: 7, length: 10, plain: 31 }, "kept"],
    ["no menu with a number to call", "menu", { links: 3, length: 10, isContact: true }, "kept"],
    ["a menu with figures", "menu", { links: 3, length: 10, hasFigures: true }, "[menu 1 3]"],
    ["a menu with a name", "menu", { links: 12, length: 10, plain: 23, run: 23 }, "[menu 1 12]"],
    ["no menu that says more", "menu", { links: 12, length: 10, plain: 24, run: 24 }, "kept"],
    ["a bar of three links", "bar", { links: 3, length: 10 }, "[menu 1 3]"],
    ["no bar of two", "bar", { links: 2, length: 10 }, "kept"],
    ["a bar with a little text", "bar", { links: 8, length: 10, plain: 20 }, "[menu 1 8]"],
    ["no bar with more", "bar", { links: 8, length: 10, plain: 21 }, "kept"],
    ["no bar with figures", "bar", { links: 3, length: 10, hasFigures: true }, "kept"],
    ["a notice with a link", "notice", { links: 1, length: 10, plain: 1490 }, "[notice 0 0]"],
    ["no longer notice", "notice", { links: 1, length: 10, plain: 1491 }, "kept"],
    ["no notice without a link", "notice", { links: 0, length: 0, plain: 100 }, "kept"],
    ["nothing else", "part", { links: 3, length: 10 }, "kept"],
  ] as const)("%s", (_, kind, given, expected) => {
    expect(fate(kind, given)).toBe(expected);
    expect(fate(kind, given, true)).toBe("kept");
  });

  test("what stands around menus, with them", () => {
    const around = (kind: PartKind, menus: number, links: number) => {
      const page = openPage();
      page.say(ARTICLE);
      page.part(kind, () => {
        for (let menu = 0; menu < menus; menu++) {
          page.part("menu", () => ["one", "two", "three"].forEach((text) => page.link(text)));
        }
        for (let at = 0; at < links; at++) page.link("own");
      });
      return page.read().replace(ARTICLE, "");
    };
    expect(around("menu", 1, 0)).toBe("[menu 1 3]");
    expect(around("menu", 1, 1)).toBe("[menu 1 4]");
    expect(around("menu", 2, 1)).toBe("[menu 2 7]");
    expect(around("bar", 1, 2)).toBe("[menu 1 3]ownown");
    expect(around("bar", 1, 3)).toBe("[menu 1 6]");
  });
});

describe("createContentWeight() leaves the addresses out of a list of links", () => {
  /** How many of so many addresses are left out of a part with so much other text. */
  const lost = (links: number, text: number, target: number, plain = 0) => {
    const page = openPage();
    page.say(ARTICLE);
    page.part("part", () => {
      for (let at = 0; at < links; at++) {
        page.link("l".repeat(text), { target: "t".repeat(target) });
      }
      for (let left = plain; left > 0; left -= 50) {
        page.part("part", () => page.say("p".repeat(Math.min(50, left))));
      }
    });
    return page.read().split("[address").length - 1;
  };

  test.each([
    ["three links", [3, 10, 50], 3],
    ["two", [2, 10, 50], 0],
    ["as long as what says so", [4, 10, 12], 4],
    ["shorter", [4, 10, 11], 0],
    ["text of nearly 400 signs", [3, 140, 50, 399], 3],
    ["text of 400", [3, 140, 50, 400], 0],
    ["more in links than beside them", [3, 100, 50, 299], 3],
    ["as much", [3, 100, 50, 300], 0],
  ] as const)("with %s", (_, [links, text, target, plain], expected) => {
    expect(lost(links, text, target, plain)).toBe(expected);
  });

  test("without counting those of a menu in it", () => {
    const page = openPage();
    page.say(ARTICLE);
    page.part("part", () => {
      page.part("menu", () => {
        for (const text of ["one", "two", "three"]) page.link(text, { target: "/".repeat(40) });
      });
      for (const text of ["x", "y", "z"]) page.link(text, { target: "/s" });
    });
    expect(page.read().replace(ARTICLE, "")).toBe("[menu 1 3]x (/s)y (/s)z (/s)");
  });
});

test("createContentWeight() leaves long addresses out of an article, and of nothing else", () => {
  const shown = (prose: number, target: number) => {
    const page = openPage();
    page.link("early", { target: "t".repeat(target) });
    page.say("a".repeat(prose));
    page.link("late", { target: "t".repeat(target) });
    return page.read().split("[address").length - 1;
  };
  expect([shown(400, 61), shown(400, 60), shown(399, 61), shown(399, 60)]).toEqual([2, 0, 0, 0]);
});

test("createContentWeight() leaves nothing out of a page that says nothing else", () => {
  const shown = (length: number) => {
    const page = openPage();
    for (let left = length; left > 0; left -= 50) {
      page.part("part", () => page.say("p".repeat(Math.min(50, left))));
    }
    page.part("menu", () => ["one", "two", "three"].forEach((text) => page.link(text)));
    return page.read().replaceAll("p", "");
  };
  expect([shown(399), shown(400)]).toEqual(["onetwothree", "[menu 1 3]"]);
  // What is in links counts as well.
  const page = openPage();
  page.link("l".repeat(390));
  page.say("p".repeat(10));
  page.part("menu", () => ["one", "two", "three"].forEach((text) => page.link(text)));
  expect(page.read()).toStartWith("[menu 1 3]");
});

test("createContentWeight() keeps no more undecided than it may, and keeps that then", () => {
  for (const isArticle of [false, true]) {
    const page = openPage();
    if (isArticle) page.say(ARTICLE);
    const close = page.weight.open("menu");
    const most = 256 * 1024;
    page.buffer.push("x".repeat(most));
    page.weight.flush();
    expect(page.buffer.pendingLength()).toBe(most);
    page.buffer.push("x");
    page.weight.flush();
    expect(page.buffer.pendingLength()).toBe(0);
    for (const text of ["one", "two", "three"]) page.link(text);
    close();
    expect(page.read()).toEndWith("xonetwothree");
  }
});

test("createContentWeight() brings back what it left out of what is too much to be decided", () => {
  const page = openPage();
  page.part("menu", () => ["one", "two", "three"].forEach((text) => page.link(text)));
  const close = page.weight.open("menu");
  page.buffer.push("x".repeat(256 * 1024 + 1));
  page.weight.flush();
  close();
  expect(page.read().replace(/x+/u, "x")).toBe("onetwothreex");
});

test("createContentWeight() has what it leaves out count as not said", () => {
  const page = openPage();
  page.say(ARTICLE);
  page.part("menu", () => ["one", "two", "three"].forEach((text) => page.link(text)));
  expect(page.saves).toEqual({ resumed: 1, forgotten: 1 });
  page.part("menu", () => page.link("one"));
  expect(page.saves).toEqual({ resumed: 1, forgotten: 1 });
});

test("createContentWeight() spends on addresses 2,000 signs and a twentieth of an article", () => {
  const page = openPage();
  page.say(ARTICLE);
  // After 41 links 2,050 signs of 2,070; after 42 more than the article may spend.
  for (let at = 0; at < 50; at++) page.link("l".repeat(10), { target: "t".repeat(50) });
  expect(page.read().split("[address 0 0]")).toHaveLength(50 - 41 + 1);
  expect(page.told).toEqual(
    Array.from({ length: 50 - 41 }, () => `${"l".repeat(10)} (${"t".repeat(50)})`),
  );
});

test("createContentWeight() says of an address that was not written that it was too long", () => {
  const page = openPage();
  page.say("x");
  page.weight.withheldAddress("here (https://long.example/)");
  page.say("y");
  expect(page.read()).toContain("[long 0 0]");
  expect(page.told).toEqual(["here (https://long.example/)"]);
});

test("createContentWeight() keeps a part that has prose, and what is around it", () => {
  const page = openPage();
  page.say(ARTICLE);
  page.part("menu", () => {
    page.part("bar", () => page.say("b".repeat(100)));
    for (const text of ["one", "two", "three"]) page.link(text);
  });
  expect(page.read()).toEndWith("bonetwothree");
});

test("createContentWeight() has no text run on into a part or across its end", () => {
  for (const isBefore of [false, true]) {
    const page = openPage();
    page.say(ARTICLE);
    page.part("menu", () => {
      for (let at = 0; at < 12; at++) page.link("l".repeat(10));
      if (isBefore) page.say("o".repeat(12));
      page.part("part", () => page.say("p".repeat(12)));
      if (!isBefore) page.say("q".repeat(12));
    });
    expect(page.read()).toContain("[menu 1 12]");
  }
});

test("createContentWeight() counts to a list of links the short ones in it", () => {
  const page = openPage();
  page.say(ARTICLE);
  const three = () => {
    for (let at = 0; at < 3; at++) page.link("l".repeat(10), { target: "t".repeat(11) });
  };
  page.part("part", () => {
    page.part("part", three);
    three();
  });
  expect(page.read().split("[address")).toHaveLength(7);
});

test("createContentWeight() leaves no address out of a list of links with prose in it", () => {
  for (const isDeep of [false, true]) {
    const page = openPage();
    page.say(ARTICLE);
    page.part("part", () => {
      if (isDeep) page.part("part", () => page.say("p".repeat(120)));
      else page.say("p".repeat(120));
      for (let at = 0; at < 3; at++) page.link("l".repeat(100), { target: "t".repeat(50) });
    });
    expect(page.read()).not.toContain("[address");
  }
});

test("createContentWeight() leaves nothing out behind what was too much, but of an article", () => {
  for (const isArticle of [false, true]) {
    const page = openPage();
    if (isArticle) page.say(ARTICLE);
    page.part("part", () => {
      page.buffer.push("x".repeat(256 * 1024 + 1));
      page.weight.flush();
    });
    page.part("menu", () => ["one", "two", "three"].forEach((text) => page.link(text)));
    expect(page.read()).toEndWith(isArticle ? "x[menu 1 3]" : "xonetwothree");
  }
});

test("createContentWeight() counts of a part what was left out in it, and not before it", () => {
  const page = openPage();
  page.say(ARTICLE);
  page.part("menu", () => ["a", "b", "c"].forEach((sign) => page.link(sign.repeat(40))));
  page.part("menu", () => {
    page.part("menu", () => ["one", "two", "three"].forEach((text) => page.link(text)));
    page.link("own");
  });
  expect(page.read().replace(ARTICLE, "")).toBe("[menu 1 3][menu 1 4]");
  // Five links of 201 signs together are one too long for a menu.
  const deep = openPage();
  deep.say(ARTICLE);
  deep.part("menu", () => {
    deep.part("menu", () => {
      deep.part("menu", () => ["a", "b", "c"].forEach((sign) => deep.link(sign.repeat(40))));
      deep.link("d".repeat(40));
    });
    deep.link("e".repeat(41));
  });
  expect(deep.read().replace(ARTICLE, "")).toBe(`[menu 1 4]${"e".repeat(41)}`);
});

test("createContentWeight() takes for no article what was too much to be decided", () => {
  const page = openPage();
  page.part("part", () => {
    page.buffer.push("x".repeat(256 * 1024 + 1));
    page.weight.flush();
  });
  page.say(ARTICLE);
  page.link("late", { target: "t".repeat(100) });
  expect(page.read()).toEndWith(`late (${"t".repeat(100)})`);
});
