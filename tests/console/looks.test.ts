import { expect, test } from "bun:test";
import { readFileSync } from "node:fs";
import { join } from "node:path";

const STYLES = join(import.meta.dir, "../../src/console/styles");
const COLORS = readFileSync(join(STYLES, "colors.css"), "utf8");
const HUES = ["red", "yellow", "green", "cyan", "blue", "magenta"];

/** Light and dark. */
function colorsOf(name: string): readonly [string, string] {
  const [, light, dark] =
    new RegExp(String.raw`--${name}: light-dark\((#\w{6}), (#\w{6})\)`, "u").exec(COLORS) ?? [];
  if (light === undefined || dark === undefined) throw new Error(`no colour --${name}`);
  return [light, dark];
}

function contrast(a: string, b: string): number {
  const [light = 0, dark = 0] = [a, b].map(luminance).toSorted((one, other) => other - one);
  return (light + 0.05) / (dark + 0.05);
}

function luminance(color: string): number {
  const parts = [1, 3, 5].map((at) => {
    const part = Number.parseInt(color.slice(at, at + 2), 16) / 255;
    return part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4;
  });
  const [red = 0, green = 0, blue = 0] = parts;
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}

test("what checks print is read in every colour on every ground that it can have, in both themes", () => {
  const pairs = [
    ...[...HUES.map((hue) => `ink-${hue}`), "quiet", "text"].map((ink) => [ink, "raised"]),
    ...HUES.map((hue) => [`ink-${hue}`, "behind-gray"]),
    ...[...HUES, "gray"].map((hue) => ["text", `behind-${hue}`]),
  ];
  const low = pairs.flatMap(([ink = "", ground = ""]) =>
    [0, 1].flatMap((theme) => {
      const found = contrast(colorsOf(ink)[theme] ?? "", colorsOf(ground)[theme] ?? "");
      return found < 4.5 ? [`${ink} on ${ground}: ${found.toFixed(2)}`] : [];
    }),
  );
  expect(low).toEqual([]);
});

test("every look has a style", () => {
  const css = readFileSync(join(STYLES, "controls.css"), "utf8");
  const names = ["bold", "italic", "underline", "strike", "gray", "on-gray"];
  for (const name of [...names, ...HUES, ...HUES.map((hue) => `on-${hue}`)]) {
    expect(css).toContain(`.look-${name} {`);
  }
});
