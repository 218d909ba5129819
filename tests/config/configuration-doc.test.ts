import { describe, expect, test } from "bun:test";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { Glob } from "bun";
import { renderAllowed } from "../../src/config/load/render-allowed.ts";
import {
  CONFIG_SCHEMA,
  type Place,
  type SchemaNode,
  stepInto,
  toPlace,
} from "../../src/config/schema/schema.ts";

const ROOT = join(import.meta.dir, "../..");
const DOC = readFileSync(join(ROOT, "docs/configuration.md"), "utf8");
const TOOLS = readFileSync(join(ROOT, "docs/tools.md"), "utf8");

test("docs/configuration.md has a section for every table, as the schema renders it", () => {
  const start = DOC.indexOf("### `[");
  const end = DOC.indexOf("A workspace cannot be the root");
  const tables = Object.entries(CONFIG_SCHEMA.properties ?? {});
  const rendered = tables.map(([name, node]) => renderSection(...toTable(name, node)));
  const [found, wanted] = [DOC.slice(start, end), `${rendered.join("\n")}\n`];
  expect(linesBeside(wanted, found), "docs/configuration.md lacks").toEqual([]);
  expect(linesBeside(found, wanted), "docs/configuration.md has besides").toEqual([]);
  expect(found === wanted ? "" : "the same lines in another order").toBe("");
});

test("docs/configuration.md has a row for what a found file can make stricter, as the schema renders it", () => {
  const section = DOC.split("| it may set | of these keys |\n|---|---|\n")[1]?.split("\n\n")[0];
  const rows = new Map<string, string[]>();
  for (const [name, { facts }] of keysBelow(toPlace(CONFIG_SCHEMA), "")) {
    const what = renderStrictness(facts.strictness);
    if (what !== undefined) rows.getOrInsert(what, []).push(`\`${name}\``);
  }
  const rendered = [...rows].map(([what, keys]) => `| ${what} | ${keys.join(", ")} |`);
  expect(section?.split("\n").toSorted()).toEqual(rendered.toSorted());
});

describe("docs/configuration.md names", () => {
  const keys = [...keysBelow(toPlace(CONFIG_SCHEMA), "")];

  test("the gates", () => {
    const gates = keys.flatMap(([name, { facts }]) => {
      if (typeof facts.gate === "boolean") return facts.gate ? [`\`${name}\``] : [];
      return facts.gate.map((value) => `\`${name} = ${JSON.stringify(value)}\``);
    });
    const list = `takes \`--yes\` where there is none: ${gates.join(", ")}.`;
    expect(missingIn(DOC, list)).toBe("");
  });

  test("the secrets", () => {
    // Tables of secrets are named next to them.
    const secrets = keys.filter(([, { facts, node }]) => facts.isSecret && node.type !== "object");
    const names = new Set(secrets.map(([name]) => `\`${name.split(".").at(-1)}\``));
    const sorted = [...names].toSorted((a, b) => a.localeCompare(b));
    const list = `\n${sorted.join(", ")} and the values of an MCP server's`;
    expect(missingIn(DOC, list)).toBe("");
  });

  test("what needs a restart", () => {
    const later = keys.filter(([, { facts }]) => facts.needsRestart).map(([name]) => `\`${name}\``);
    expect(missingIn(DOC, `| after \`papayu restart\` | ${later.join(", ")} |`)).toBe("");
  });
});

test("docs/tools.md names the tables and keys that only a person sets", () => {
  const owned = Object.entries(CONFIG_SCHEMA.properties ?? {}).flatMap(([name, node]) => {
    const keys = Object.entries(node.properties ?? {});
    const persons = keys.filter(([, key]) => toPlace(key).facts.isPersons);
    if (persons.length === keys.length) return toPlace(node).facts.isPersons ? [`\`${name}\``] : [];
    return persons.map(([key]) => `\`${name}.${key}\``);
  });
  const list = `${owned.slice(0, -1).join(", ")} and ${owned.at(-1)}. A key`;
  expect(missingIn(TOOLS, list)).toBe("");
});

/** What is looked for in a document and is not there, without the document. */
function missingIn(document: string, wanted: string): string {
  return document.includes(wanted) ? "" : wanted;
}

function linesBeside(text: string, other: string): readonly string[] {
  const known = new Set(other.split("\n"));
  return text.split("\n").filter((line) => !known.has(line));
}

/** Every key with its facts; what people name themselves as NAME. */
function* keysBelow(place: Place, path: string): Generator<readonly [string, Place]> {
  const { node, facts } = place;
  if (path !== "" && !node.properties) yield [path, place];
  const isNamed = node.items?.properties ?? Object(node.additionalProperties).properties;
  if (isNamed) yield* keysBelow({ ...stepInto(place, 0), facts }, `${path}.NAME`);
  for (const name of Object.keys(node.properties ?? {})) {
    yield* keysBelow(stepInto(place, name), path === "" ? name : `${path}.${name}`);
  }
}

test("docs/configuration.md lists every environment variable, and no other", () => {
  const sources = [...new Glob("**/*.ts").scanSync(join(ROOT, "src/config"))].map((file) => {
    return readFileSync(join(ROOT, "src/config", file), "utf8");
  });
  const table = DOC.match(/^\| `PAPAYU_\w+`/gm)?.join("\n") ?? "";
  expect(variables(table)).toEqual(variables(sources.join("\n")));
});

function variables(text: string): string[] {
  return [...new Set(text.match(/\bPAPAYU_[A-Z0-9_]+/g))].toSorted();
}

/** What a table says of itself, and a row for every key. */
function renderSection(header: string, table: SchemaNode, named: SchemaNode): string {
  const rows = Object.entries(table.properties ?? {}).map(([name, node]) => {
    const isRequired = table.required?.includes(name) === true;
    return `| \`${name}\` | ${renderRow(node, isRequired)} | ${node.description}${renderLink(node)} |`;
  });
  const rule = named.description === undefined ? "" : `. NAME is ${named.description}`;
  return `### \`${header}\`
${table.description}${renderLink(table)}${rule}

| key | default | allowed | meaning |
|---|---|---|---|
${rows.join("\n")}
`;
}

function renderLink({ seeAlso }: SchemaNode): string {
  return seeAlso === undefined ? "" : ` ([${seeAlso.split("#")[0]}](${seeAlso}))`;
}

function renderStrictness(strictness: SchemaNode["strictness"]): string | undefined {
  switch (strictness?.order) {
    case "smaller":
      if (strictness.zero === undefined) return "a smaller number";
      return `a smaller number${strictness.zero === "no limit" ? "; 0 is the largest" : ", where neither is 0"}`;
    case "fewer":
      return `leave out entries${strictness.keeps === "first" ? ", but not the first, who is the owner" : ""}`;
    case "more":
      return "add entries";
    case "listed":
      return `one further left: ${strictness.values?.map((value) => `\`${JSON.stringify(value)}\``).join(", ")}`;
    default:
      return undefined;
  }
}

/** The header of a table, its keys, and what its names may be. */
function toTable(name: string, node: SchemaNode): [string, SchemaNode, SchemaNode] {
  if (typeof node.additionalProperties === "object") {
    return [`[${name}.NAME]`, node.additionalProperties, node.propertyNames ?? {}];
  }
  if (node.items) return [`[[${name}]]`, node.items, {}];
  const { servers, jobs } = node.properties ?? {};
  if (typeof servers?.additionalProperties === "object") {
    return [`[${name}.servers.NAME]`, servers.additionalProperties, servers.propertyNames ?? {}];
  }
  return jobs?.items ? [`[[${name}.jobs]]`, jobs.items, {}] : [`[${name}]`, node, {}];
}

function renderRow(rule: SchemaNode, isRequired: boolean): string {
  if (rule.default !== undefined) {
    // A default shows what a value looks like, but for one that is none.
    const isShown = rule.default === "" && rule.pattern !== undefined;
    const { examples: _, ...plain } = rule;
    return `\`${JSON.stringify(rule.default)}\` | ${renderAllowed(isShown ? rule : plain)}`;
  }
  return `${isRequired ? "required" : "none"} | ${renderAllowed(rule)}`;
}
