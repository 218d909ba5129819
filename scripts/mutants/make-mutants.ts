import { type Node, parseSync, visitorKeys } from "oxc-parser";
import { findSqlClauses } from "./sql-clauses.ts";

/** One small wrong in a source file: this span of it reads otherwise. */
export interface Mutant {
  readonly path: string;
  readonly line: number;
  readonly mutator: string;
  readonly start: number;
  readonly end: number;
  readonly was: string;
  readonly text: string;
}

type Change = Omit<Mutant, "path" | "line" | "was">;

/** Every mutant of a source file, in the order of the text; types and imports have none. */
export function makeMutants(path: string, source: string): Mutant[] {
  const changes: Change[] = [];
  const { program, errors } = parseSync(path, source);
  if (errors[0]) throw new Error(`Cannot parse "${path}": ${errors[0].message}`);
  walk(program, [], (node, parents) => void changes.push(...mutate(node, parents, source)));
  return changes
    .filter(({ start, end, text }) => source.slice(start, end) !== text)
    .toSorted((one, other) => one.start - other.start || one.end - other.end)
    .map(({ mutator, start, end, text }) => {
      const line = source.slice(0, start).split("\n").length;
      const was = source.slice(start, end);
      return { path, line, mutator, start, end, was, text };
    });
}

/** What a file reads like with a mutant in it. */
export function applyMutant(source: string, { start, end, text }: Mutant): string {
  return source.slice(0, start) + text + source.slice(end);
}

function walk(
  node: Node,
  parents: readonly Node[],
  see: (node: Node, up: readonly Node[]) => void,
) {
  if (isOnlyTypes(node)) return;
  see(node, parents);
  const inner = [node, ...parents];
  for (const key of visitorKeys[node.type] ?? []) {
    const children: unknown = Reflect.get(node, key);
    for (const child of [children].flat()) if (isNode(child)) walk(child, inner, see);
  }
}

function isNode(value: unknown): value is Node {
  return typeof value === "object" && value !== null && "type" in value;
}

/** Whether nothing of a node is left when it runs. */
function isOnlyTypes(node: Node): boolean {
  if (node.type === "ImportDeclaration" || node.type === "ExportAllDeclaration") return true;
  const runs = ["TSAsExpression", "TSNonNullExpression", "TSSatisfiesExpression"];
  return node.type.startsWith("TS") && !runs.includes(node.type);
}

function mutate(node: Node, parents: readonly Node[], source: string): Change[] {
  switch (node.type) {
    case "ExpressionStatement":
    case "ThrowStatement":
    case "BreakStatement":
    case "ContinueStatement":
    case "ForOfStatement":
      return isDroppable(node, parents) ? [become("drop a statement", node, "{}")] : [];
    case "IfStatement":
      return [become("drop a statement", node, "{}"), ...negate(node.test, source)];
    case "ReturnStatement":
      if (node.argument === null) return [become("drop a statement", node, "{}")];
      return replaceLiteral(node.argument);
    case "ArrowFunctionExpression":
      return node.body.type === "BlockStatement" ? [] : replaceLiteral(node.body);
    case "VariableDeclaration":
      // What is only held until the end of its block is a statement like others.
      return node.kind.endsWith("using") && /^\w+ _|^await using _/.test(sourceOf(node, source))
        ? [become("drop a statement", node, "{}")]
        : [];
    case "ConditionalExpression":
    case "WhileStatement":
    case "DoWhileStatement":
      return negate(node.test, source);
    case "BinaryExpression":
      return swapOperator(node.left, node.right, node.operator, source);
    case "LogicalExpression":
      if (node.operator === "??") return [];
      return [
        between(node.left, node.right, source, node.operator, node.operator === "&&" ? "||" : "&&"),
      ];
    case "UpdateExpression": {
      const text = sourceOf(node, source);
      const turned = text.replace(/\+\+|--/, (sign) => (sign === "++" ? "--" : "++"));
      return [become("swap an operator", node, turned)];
    }
    case "AssignmentExpression": {
      const swapped = SWAPPED[node.operator];
      if (swapped === undefined) return [];
      return [between(node.left, node.right, source, node.operator, swapped)];
    }
    case "ObjectExpression":
      // A whole method gone is what the compiler says first.
      return node.properties
        .filter((property) => !(property.type === "Property" && property.method))
        .map((property) => become("remove a property", withComma(property, source), ""));
    case "Literal":
    case "TemplateLiteral":
      return findSqlClauses(sourceOf(node, source)).map(({ start, end, text }) => ({
        mutator: "remove a SQL clause",
        start: node.start + start,
        end: node.start + end,
        text,
      }));
    default:
      return [];
  }
}

/** A call of `super` and a directive cannot go without the file being no program any more. */
function isDroppable(node: Node, [parent]: readonly Node[]): boolean {
  if (node.type !== "ExpressionStatement") return true;
  if ("directive" in node && node.directive) return false;
  if (parent?.type === "ArrowFunctionExpression") return false;
  return !(node.expression.type === "CallExpression" && node.expression.callee.type === "Super");
}

function negate(test: Node, source: string): Change[] {
  const text = sourceOf(test, source);
  // The comparison alone is swapped already: the same mutant twice says nothing twice.
  if (test.type === "BinaryExpression" && /^[!=]==?$/.test(test.operator)) return [];
  if (test.type === "UnaryExpression" && test.operator === "!") {
    return [become("negate a condition", test, sourceOf(test.argument, source))];
  }
  return [become("negate a condition", test, `!(${text})`)];
}

const SWAPPED: Readonly<Record<string, string>> = {
  "===": "!==",
  "!==": "===",
  "<": "<=",
  "<=": "<",
  ">": ">=",
  ">=": ">",
  "+": "-",
  "-": "+",
  "*": "/",
  "/": "*",
  "%": "*",
  "+=": "-=",
  "-=": "+=",
};

function swapOperator(left: Node, right: Node, operator: string, source: string): Change[] {
  const swapped = SWAPPED[operator];
  if (swapped === undefined) return [];
  // The sum of texts is no sum: a difference of them is NaN, which everything notices.
  if (operator === "+" && (isText(left) || isText(right))) return [];
  return [between(left, right, source, operator, swapped)];
}

function isText(node: Node): boolean {
  if (node.type === "TemplateLiteral") return true;
  if (node.type === "BinaryExpression") return isText(node.left) || isText(node.right);
  return node.type === "Literal" && typeof node.value === "string";
}

function replaceLiteral(node: Node): Change[] {
  if (node.type === "TemplateLiteral") return [become("replace a returned literal", node, '""')];
  if (node.type !== "Literal") return [];
  if (typeof node.value === "boolean") {
    return [become("replace a returned literal", node, `${!node.value}`)];
  }
  if (typeof node.value === "number") {
    return [become("replace a returned literal", node, `${node.value + 1}`)];
  }
  if (typeof node.value !== "string") return [];
  return [become("replace a returned literal", node, node.value === "" ? '"?"' : '""')];
}

/** Another operator between two operands, whatever is around it. */
function between(left: Node, right: Node, source: string, from: string, to: string): Change {
  const gap = source.slice(left.end, right.start);
  const at = left.end + gap.indexOf(from);
  const mutator = /[&|]/.test(from) ? "swap && and ||" : "swap an operator";
  return { mutator, start: at, end: at + from.length, text: to };
}

function withComma({ start, end }: Node, source: string): { start: number; end: number } {
  const comma = /^\s*,/.exec(source.slice(end));
  return { start, end: end + (comma?.[0].length ?? 0) };
}

function become(mutator: string, span: { start: number; end: number }, text: string): Change {
  return { mutator, start: span.start, end: span.end, text };
}

function sourceOf({ start, end }: { start: number; end: number }, source: string): string {
  return source.slice(start, end);
}
