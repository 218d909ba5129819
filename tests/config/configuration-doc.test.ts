import { expect, test } from "bun:test";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { Glob } from "bun";
import { renderAllowed } from "../../src/config/load/render-allowed.ts";
import { CONFIG_SCHEMA, type SchemaNode } from "../../src/config/schema/schema.ts";

const ROOT = join(import.meta.dir, "../..");
const DOC = readFileSync(join(ROOT, "docs/configuration.md"), "utf8");

test("docs/configuration.md lists every key with its default and what is allowed, and no other", () => {
  expect(documentedKeys()).toEqual(schemaKeys());
});

test("docs/configuration.md names every key that a found file may make stricter, and no other", () => {
  const section = DOC.split("## A file that lies around")[1]?.split("\nNo other key")[0] ?? "";
  const named = [...section.matchAll(/^\| .* \| (`.*`) \|$/gm)].flatMap(([, keys = ""]) =>
    keys.split(", ").map((key) => key.replaceAll("`", "")),
  );
  expect(named.toSorted()).toEqual(orderedKeys(CONFIG_SCHEMA, "").toSorted());
});

function orderedKeys(node: SchemaNode, path: string): readonly string[] {
  return Object.entries(node.properties ?? {}).flatMap(([name, child]) => {
    const key = path === "" ? name : `${path}.${name}`;
    if (!child.strictness) return child.properties ? orderedKeys(child, key) : [];
    if (child.strictness.order === "folders") return orderedKeys(child.items ?? {}, `${key}.NAME`);
    return child.strictness.order === "none" ? [] : [key];
  });
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

/** Table and key to "default | allowed". */
function documentedKeys(): Record<string, string> {
  const keys: Record<string, string> = {};
  for (const section of DOC.split("\n### ").slice(1)) {
    const table = /^`(\[.*\])`/.exec(section)?.[1];
    for (const row of section.matchAll(/^\| `(\w+)` \| (.*?) \| (.*?) \| .+ \|$/gm)) {
      if (!row[1]?.startsWith("PAPAYU_")) keys[`${table} ${row[1]}`] = `${row[2]} | ${row[3]}`;
    }
  }
  return keys;
}

function schemaKeys(): Record<string, string> {
  const keys: Record<string, string> = {};
  for (const [name, node] of Object.entries(CONFIG_SCHEMA.properties ?? {})) {
    const [header, table] = toTable(name, node);
    for (const [key, rule] of Object.entries(table.properties ?? {})) {
      keys[`${header} ${key}`] = renderRow(rule, table.required?.includes(key) === true);
    }
  }
  return keys;
}

function toTable(name: string, node: SchemaNode): [string, SchemaNode] {
  if (typeof node.additionalProperties === "object") {
    return [`[${name}.NAME]`, node.additionalProperties];
  }
  if (node.items) return [`[[${name}]]`, node.items];
  const servers = node.properties?.["servers"]?.additionalProperties;
  if (typeof servers === "object") return [`[${name}.servers.NAME]`, servers];
  const jobs = node.properties?.["jobs"]?.items;
  return jobs ? [`[[${name}.jobs]]`, jobs] : [`[${name}]`, node];
}

function renderRow(rule: SchemaNode, isRequired: boolean): string {
  if (rule.default !== undefined) {
    const { examples: _, ...plain } = rule;
    return `\`${JSON.stringify(rule.default)}\` | ${renderAllowed(plain)}`;
  }
  return `${isRequired ? "required" : "none"} | ${renderAllowed(rule)}`;
}
