import { KINDS, type Kind } from "./kinds.ts";

/** For light and for dark; on every ground of a line they have a contrast of at least 4.5. */
const COLORS: Readonly<Record<Exclude<Kind, "plain">, readonly [light: string, dark: string]>> = {
  comment: ["#4c5561", "#c0c6ce"],
  string: ["#0d5e36", "#2de187"],
  keyword: ["#792caf", "#d8baee"],
  number: ["#864003", "#fcb97e"],
  function: ["#11529c", "#a3c9f5"],
  type: ["#095c6d", "#50d6f1"],
  tag: ["#a01c3d", "#f2b5c4"],
  name: ["#6b5106", "#f3be20"],
  escape: ["#981b6e", "#f2b5de"],
};

/** The styles of coloured code; they come with the review, so that the first page is none the larger. */
export const COLOR_CSS = KINDS.flatMap((kind) =>
  kind === "plain" ? [] : [`.k-${kind}{color:light-dark(${COLORS[kind].join()})}`],
).join("\n");
