import { describe, expect, test } from "bun:test";
import * as fc from "fast-check";
import { findOverruns } from "../../src/planner/offline/find-overruns.ts";
import { maskCode } from "../../src/planner/offline/mask-code.ts";
import { measureEffort } from "../support/effort.ts";

const HEAD = "for (let i = 0; i <= xs.length; i++)";

describe("findOverruns()", () => {
  test.each([
    `${HEAD} { sum += xs[i].price; }`,
    `${HEAD} sum += xs[i];`,
    `${HEAD} {\n  sum += xs[i]\n}`,
    `${HEAD} { sum *= xs[i] + 1; }`,
    `${HEAD} { xs[i].visit(); }`,
    `${HEAD} { xs[i]!.visit(); }`,
    `${HEAD} { if (xs[i].open) count++; }`,
    `${HEAD} { for (const y of xs[i].ys) all.push(y); }`,
    `${HEAD} { const x = xs[i];\n  sum += x.price; }`,
    `${HEAD} { const x: Item = xs[i]\n  names.add(x.name) }`,
    `${HEAD} { out += \`<li>\${xs[i].name}</li>\`; }`,
    `${HEAD} { grid[xs[i][0]] = true; }`,
    "for (var i=0;i<=xs.length;++i){xs[i]()}",
    "for (let i: number = 0; i <= xs.length; i += 1) { xs[i].go(); }",
    "for (let k = 0; k <= this.all.items.length; k++) { n += this.all.items[k].n; }",
    "for (let $ = 0; $ <= $s.length; $++) { n += $s[$].n; }",
    `/* it's */ x = /"[/]/; ${HEAD} { sum += xs[i].n; } // don't`,
  ])("finds %s", (source) => {
    const found = findOverruns(source);
    expect(found).toHaveLength(1);
    expect(source.slice(found[0]?.offset).startsWith("<=")).toBe(true);
  });

  test.each([
    // other bounds, other beginnings, other steps
    "for (let i = 0; i < xs.length; i++) { n += xs[i].n; }",
    "for (let i = 0; i <= xs.length - 1; i++) { n += xs[i].n; }",
    "for (let i = 1; i <= xs.length; i++) { n += xs[i].n; }",
    "for (let i = 0; i <= xs.length / 2; i++) { n += xs[i].n; }",
    "for (let i = 0; i <= xs.length && ok; i++) { n += xs[i].n; }",
    "for (let i = 0; i <= xs.length; i += 2) { n += xs[i].n; }",
    "for (let i = 0; i <= xs.lengths; i++) { n += xs[i].n; }",
    // 1-based, or beside the element
    `${HEAD} { n += xs[i - 1].n; }`,
    `${HEAD} { n += xs[i].n - xs[i - 1].n; }`,
    `${HEAD} { n += ys[i].n; }`,
    `${HEAD} { n += a.xs[i].n; }`,
    `${HEAD} { n += xs[i + 1].n; }`,
    `${HEAD} { console.log(i); }`,
    `${HEAD} { rows[i] = [i]; }`,
    // a sentinel after the end
    `${HEAD} { if (i === xs.length) flush(); else add(xs[i].n); }`,
    `${HEAD} { const x = xs[i]; if (x === undefined) continue; add(x.n); }`,
    `${HEAD} { if (!xs[i]) break; add(xs[i].n); }`,
    `${HEAD} { if (xs[i]) add(xs[i].n); }`,
    `${HEAD} { const x = xs[i]; if (x) { add(x.n); } }`,
    `${HEAD} { const x = xs[i]; if (x) add(x.n); }`,
    `${HEAD} { xs[i] && add(xs[i].n); }`,
    `${HEAD} { n += xs[i] ?? 0; }`,
    `${HEAD} { n += xs[i]?.n ?? 0; }`,
    `${HEAD} { n += xs[i] || 0; }`,
    `${HEAD} { n += i < xs.length ? xs[i].n : 0; }`,
    `${HEAD} { if (s[i] === "," || i === n) parts.push(s.slice(start, i)); }`,
    `${HEAD} { if (known[i]) add(xs[i].n); }`,
    `${HEAD} { later(() => xs[i].n); }`,
    `${HEAD} { try { add(xs[i].n); } catch {} }`,
    `${HEAD} { while (ready()) { } xs[i].go(); }`,
    `${HEAD} { if (isEnd(i)) return; xs[i].go(); }`,
    // the array grows or is written
    `${HEAD} { xs.push(make()); xs[i].go(); }`,
    `${HEAD} { xs[i] = make(); xs[i].go(); }`,
    `${HEAD} { xs = grow(xs); xs[i].go(); }`,
    `${HEAD} { i--; xs[i].go(); }`,
    // no code
    `// ${HEAD} { n += xs[i].n; }`,
    `/* ${HEAD} { n += xs[i].n; } */`,
    `const s = "${HEAD} { n += xs[i].n; }";`,
    `const s = \`${HEAD} { n += xs[i].n; }\`;`,
    `${HEAD} { /* xs[i].n */ log("xs[i].n"); }`,
    // no end
    `${HEAD} { n += xs[i].n;`,
    `${HEAD} n += xs[i].n`,
    HEAD,
  ])("leaves alone %s", (source) => {
    expect(findOverruns(source)).toEqual([]);
  });

  test("tells line, array and index of every loop of a file", () => {
    const loop = "for (let n = 0; n <= a.b.length; n++) {\r\n  a.b[n].x();\r\n}\r\n";
    const found = findOverruns(`${loop}\r\n${loop}`);
    expect(found).toEqual([
      { offset: 18, line: 1, array: "a.b", index: "n" },
      { offset: 79, line: 5, array: "a.b", index: "n" },
    ]);
  });

  test("ends quickly on hostile input", () => {
    const effort = measureEffort();
    for (const part of [
      "for (let i = 0; i <= xs.length; i++) {",
      "`${",
      "a/",
      "/[",
      "'",
      "for(",
      "<=x.length ",
      "x.",
    ]) {
      findOverruns(`i <= xs.length; ${part.repeat(200_000 / part.length)}`);
    }
    expect(effort()).toBeLessThan(6000);
  });
});

describe("maskCode()", () => {
  test("blanks comments, strings, templates and regular expressions, not substitutions", () => {
    expect(maskCode("a('x'); // y\nb = `t${c[`n`]}t` / 2, /r'/.d")).toBe(
      "a(   );     \nb =     c[   ]    / 2,     .d",
    );
  });

  test("keeps length and line breaks of any text", () => {
    const piece = fc.constantFrom(
      "`",
      "${",
      "}",
      "{",
      '"',
      "'",
      "/",
      "*",
      "//",
      "\\",
      "\n",
      "\r\n",
      "a",
      "[",
      " ",
    );
    fc.assert(
      fc.property(fc.array(piece), (pieces) => {
        const source = pieces.join("");
        const mask = maskCode(source);
        expect(mask.length).toBe(source.length);
        expect(mask.replace(/[^\r\n]/g, " ")).toBe(source.replace(/[^\r\n]/g, " "));
      }),
    );
  });
});
