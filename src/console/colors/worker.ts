/** The worker that colours whole files, so that no scroll waits for a grammar. */
import { createJavaScriptRegexEngine } from "@shikijs/engine-javascript";
import { createShikiPrimitive, type ThemeRegistrationRaw } from "@shikijs/primitive";
import type { ColorRequest } from "./colors.ts";
import { KINDS, PLAIN_SCOPES, SCOPES } from "./kinds.ts";
import { GRAMMARS } from "./languages.ts";
import { type LineColors, paintLines } from "./paint-lines.ts";

/** A theme whose colours are the numbers of kinds. */
const THEME: ThemeRegistrationRaw = {
  name: "kinds",
  fg: toColor(0),
  bg: "#ffffff",
  settings: [
    { scope: [...PLAIN_SCOPES], settings: { foreground: toColor(0) } },
    ...KINDS.flatMap((kind, number) =>
      kind === "plain"
        ? []
        : [{ scope: [...SCOPES[kind]], settings: { foreground: toColor(number) } }],
    ),
  ],
};

const painter = createShikiPrimitive({
  themes: [THEME],
  langs: [],
  engine: createJavaScriptRegexEngine({ forgiving: true }),
});

function toColor(number: number): string {
  return `#0000${number.toString(16).padStart(2, "0")}`;
}

/** Where a grammar's answer has the number of its colour: bits 15 to 23. */
function foregroundOf(metadata: number): number {
  return (metadata >>> 15) & 0x1ff;
}

async function paint({ language, texts }: ColorRequest): Promise<readonly (LineColors | null)[]> {
  const loaded = await GRAMMARS[language]();
  painter.loadLanguageSync(...loaded.default);
  const { colorMap } = painter.setTheme("kinds");
  const kinds = colorMap.map((color) => Number.parseInt(color?.slice(1) ?? "", 16) || 0);
  const grammar = painter.getLanguage(loaded.default.at(-1)?.name ?? language);
  const kindOf = (metadata: number) => kinds[foregroundOf(metadata)] ?? 0;
  return texts.map((text) =>
    text === null ? null : paintLines(text, grammar, kindOf, () => performance.now()),
  );
}

/** They are handed over, and not copied. */
function buffersOf(side: LineColors | null): Transferable[] {
  return side ? [side.starts.buffer, side.ends.buffer, side.kinds.buffer] : [];
}

self.addEventListener("message", ({ data }: MessageEvent<ColorRequest>) => {
  const { id } = data;
  void paint(data).then(
    (sides) => self.postMessage({ id, sides }, { transfer: sides.flatMap(buffersOf) }),
    () => self.postMessage({ id, sides: null }, { transfer: [] }),
  );
});
