import { type Expression, parseSync, Visitor } from "oxc-parser";

/** A statement as a source has it. */
export interface Statement {
  /** In one line. */
  readonly sql: string;
  /** What is put in and not known from the file itself, as it is written there. */
  readonly unknown: readonly string[];
}

const BEGINNING = /^\s*(?:SELECT|INSERT|UPDATE|DELETE|WITH)\s/u;

/**
 * The statements of a source: its texts that begin like one. What they are put together from is
 * looked up among the file's constants; of two ways both are given.
 */
export function findStatements(path: string, source: string): readonly Statement[] {
  const { program } = parseSync(path, source);
  const known = new Map<string, readonly string[]>();
  const seen = new Set<string>();
  const found: Statement[] = [];
  const add = (node: Expression) => {
    for (const { text, unknown } of spell(node, known, source)) {
      const sql = text
        .replace(/--[^\n]*\n/gu, " ")
        .replace(/\s+/gu, " ")
        .trim();
      if (!BEGINNING.test(`${sql} `) || seen.has(sql)) continue;
      seen.add(sql);
      found.push({ sql, unknown });
    }
  };
  new Visitor({
    VariableDeclarator({ id, init }) {
      if (id.type === "Identifier" && init) {
        const ways = spell(init, known, source).filter(({ unknown }) => unknown.length === 0);
        if (ways.length > 0)
          known.set(
            id.name,
            ways.map(({ text }) => text),
          );
      }
    },
  }).visit(program);
  new Visitor({
    Literal(node) {
      if (typeof node.value === "string") add(node);
    },
    TemplateLiteral: add,
  }).visit(program);
  return found;
}

interface Spelling {
  readonly text: string;
  readonly unknown: readonly string[];
}

/** Every text that an expression may come to. */
function spell(
  node: Expression,
  known: ReadonlyMap<string, readonly string[]>,
  source: string,
): readonly Spelling[] {
  if (node.type === "Literal" && typeof node.value === "string") {
    return [{ text: node.value, unknown: [] }];
  }
  if (node.type === "ConditionalExpression") {
    return [node.consequent, node.alternate].flatMap((way) => spell(way, known, source));
  }
  if (node.type === "TemplateLiteral") {
    let ways: readonly Spelling[] = [{ text: "", unknown: [] }];
    for (const [index, quasi] of node.quasis.entries()) {
      const put = node.expressions[index];
      const parts = put ? spell(put, known, source) : [{ text: "", unknown: [] }];
      ways = ways.flatMap((way) =>
        parts.map((part) => ({
          text: way.text + (quasi.value.cooked ?? "") + part.text,
          unknown: [...way.unknown, ...part.unknown],
        })),
      );
    }
    return ways;
  }
  const texts = node.type === "Identifier" ? known.get(node.name) : undefined;
  if (texts) return texts.map((text) => ({ text, unknown: [] }));
  const written = source.slice(node.start, node.end);
  return [{ text: `{${written}}`, unknown: [written] }];
}
