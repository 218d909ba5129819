import type { Dice } from "../../support/dice.ts";

/** How a file of one language is written. */
export interface Style {
  readonly comment: (words: string) => string;
  readonly indent: string;
  readonly end: string;
}

/** A file of functions that are much alike, and where the body of each one is. */
export interface Program {
  readonly lines: readonly string[];
  /** First line of a body and the line behind it, as indexes. */
  readonly bodies: readonly { readonly from: number; readonly to: number }[];
  readonly style: Style;
}

const NOUNS =
  "account amount answer batch buffer cache channel client column count cursor entry event field filter folder frame handle header index item key label layer limit line list member message method mode model name node number offset option order owner packet page panel path payload period point policy price query queue range record reply report request result role route row sample scope section segment series server session shape slot source stage state step store stream table target task term token total track tree trigger unit user value vector version view widget window worker zone".split(
    " ",
  );
const VERBS =
  "add apply attach build cancel check clear close collect commit compare compute copy count create decode delete detach drop emit encode enter expand fetch fill find flush format gather handle hide import insert join load lock mark match merge move notify open parse pause pick plan print push read reduce refresh release remove render repeat replace report reset resolve restore resume retry revoke save scan search select send serve show skip sort split start stop store submit sync track trim unlock update validate verify visit wait watch write".split(
    " ",
  );

/** Comments of ten languages and more. */
export const STYLES: readonly Style[] = [
  { comment: (words) => `// ${words}`, indent: "  ", end: ";" },
  { comment: (words) => `# ${words}`, indent: "    ", end: "" },
  { comment: (words) => `-- ${words}`, indent: "  ", end: ";" },
  { comment: (words) => `/* ${words} */`, indent: "\t", end: ";" },
  { comment: (words) => `<!-- ${words} -->`, indent: "  ", end: "" },
  { comment: (words) => `; ${words}`, indent: "  ", end: "" },
  { comment: (words) => `% ${words}`, indent: "    ", end: "." },
  { comment: (words) => `(* ${words} *)`, indent: "  ", end: ";" },
  { comment: (words) => `{- ${words} -}`, indent: "    ", end: "" },
  { comment: (words) => `{/* ${words} */}`, indent: "  ", end: ";" },
  { comment: (words) => `''' ${words}`.slice(2), indent: "    ", end: "" },
  { comment: (words) => `<%# ${words} %>`, indent: "  ", end: "" },
];

export function oneFrom<T>(dice: Dice, items: readonly T[]): T {
  const item = items[dice(items.length)];
  if (item === undefined) throw new Error("nothing to choose from");
  return item;
}

export function noun(dice: Dice): string {
  return oneFrom(dice, NOUNS);
}

/** A name of two words. */
export function name(dice: Dice): string {
  return `${oneFrom(dice, VERBS)}${noun(dice).replace(/^./, (c) => c.toUpperCase())}`;
}

/** A statement, most of them different from all others. */
export function statement(dice: Dice, end: string): string {
  const [a, b, c] = [noun(dice), noun(dice), name(dice)];
  switch (dice(6)) {
    case 0:
      return `const ${a} = ${c}(${b})${end}`;
    case 1:
      return `${c}(${a}, ${dice(90)})${end}`;
    case 2:
      return `${a}.${b} = ${c}(${a}.${noun(dice)})${end}`;
    case 3:
      return `let ${a} = "${b} ${noun(dice)}"${end}`;
    case 4:
      return `${c}("${a}", ${b})${end}`;
    default:
      return `${a}.${c}()${end}`;
  }
}

/** Functions with blank lines, comments and blocks; some lines are in several of them. */
export function makeProgram(dice: Dice, style: Style = oneFrom(dice, STYLES)): Program {
  const lines: string[] = [style.comment(`About ${noun(dice)} and ${noun(dice)}`), ""];
  const bodies: { from: number; to: number }[] = [];
  const common = Array.from({ length: 3 }, () => statement(dice, style.end));
  for (let count = 2 + dice(4); count > 0; count--) {
    if (dice(3) === 0) lines.push(style.comment(`${name(dice)} of the ${noun(dice)}`));
    lines.push(`function ${name(dice)}(${noun(dice)}) {`);
    const from = lines.length;
    for (let left = 5 + dice(9); left > 0; left--) lines.push(...bodyLines(dice, style, common));
    bodies.push({ from, to: lines.length });
    lines.push("}", "");
  }
  return { lines: lines.slice(0, -1), bodies, style };
}

function bodyLines(dice: Dice, style: Style, common: readonly string[]): readonly string[] {
  const { indent, end, comment } = style;
  const own = () => indent + (dice(12) === 0 ? oneFrom(dice, common) : statement(dice, end));
  switch (dice(9)) {
    case 0:
      return [own(), ""];
    case 1:
      return [`${indent}if (${noun(dice)}) {`, indent + own(), indent + own(), `${indent}}`];
    case 2:
      return [indent + comment(`the ${noun(dice)} of a ${noun(dice)}`), own()];
    default:
      return [own()];
  }
}
