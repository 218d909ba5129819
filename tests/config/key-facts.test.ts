import { describe, expect, test } from "bun:test";
import { join } from "node:path";
import { Glob } from "bun";
import { Type } from "typebox";
import { isGateKey, isPersonsKey, maskConfig } from "../../src/config/keys/keys.ts";
import { knownKeys } from "../../src/config/known-keys.ts";
import {
  CONFIG_SCHEMA,
  placeAt,
  type SchemaNode,
  stepInto,
  toPlace,
} from "../../src/config/schema/schema.ts";
import * as facts from "../../src/config/schema/schema-facts.ts";
import * as parts from "../../src/config/schema/schema-parts.ts";

describe("a key does not compile", () => {
  const flag = parts.flag("A switch", false);
  const { BY_MODEL, OFF, key } = facts;

  test("in a table, an entry or at the top without its facts", () => {
    const keys = { a: key(flag, OFF, BY_MODEL), b: parts.flag("Another", true) };
    // @ts-expect-error: b has no facts
    parts.table("A table", keys);
    // @ts-expect-error: b has no facts
    parts.entry("An entry", keys);
    // @ts-expect-error: b has no facts
    parts.whole(keys);
    expect(parts.table("A table", { a: keys.a }).properties.a).toMatchObject(BY_MODEL);
  });

  test("without one of them", () => {
    const { owner, gate, writeOnly, restart, runs } = BY_MODEL;
    // @ts-expect-error: no strictness
    key(flag, {}, BY_MODEL);
    // @ts-expect-error: no owner
    key(flag, OFF, { gate, writeOnly, restart, runs });
    // @ts-expect-error: no gate
    key(flag, OFF, { owner, writeOnly, restart, runs });
    // @ts-expect-error: does not say whether it is a secret
    key(flag, OFF, { owner, gate, restart, runs });
    // @ts-expect-error: does not say whether it needs a restart
    key(flag, OFF, { owner, gate, writeOnly, runs });
    // @ts-expect-error: does not say whether it names a program
    key(flag, OFF, { owner, gate, writeOnly, restart });
    // @ts-expect-error: an owner that there is not
    key(flag, OFF, { ...BY_MODEL, owner: "anybody" });
    expect(key(flag, OFF, { owner, gate, writeOnly, restart, runs })).toMatchObject(OFF);
  });

  test("that is secret or a program without saying where that goes", () => {
    const { BY_PERSON, asProgram, secret } = facts;
    // @ts-expect-error: whom is it sent to?
    key(flag, OFF, { ...BY_PERSON, writeOnly: true });
    // @ts-expect-error: who gets the words of its command line?
    key(flag, OFF, { ...BY_PERSON, runs: true });
    // @ts-expect-error: no key decides, and it is not said that none does
    secret([]);
    const token = key(flag, OFF, asProgram(secret(["url"]), ["url", "command"]));
    expect(token).toMatchObject({ writeOnly: true, runs: true, goesBy: ["url", "command"] });
    expect(key(flag, OFF, secret("nowhere"))).toMatchObject({ writeOnly: true, goesBy: [] });
  });

  test("without its meaning, or with neither a default nor an example", () => {
    // @ts-expect-error: nobody knows what it is for
    key(Type.Boolean({ default: true }), OFF, BY_MODEL);
    // @ts-expect-error: a description that the type does not show
    key(Type.Boolean({ description: "A switch", default: true }), OFF, BY_MODEL);
    // @ts-expect-error: neither a default nor an example
    facts.documented(Type.Boolean(), { description: "A switch" });
    // @ts-expect-error: no description
    facts.documented(Type.Boolean(), { default: true });
    const docs = { description: "A switch", examples: [true] };
    expect(key(facts.documented(Type.Boolean(), docs), OFF, BY_MODEL)).toMatchObject(docs);
  });
});

describe("toPlace() takes a node that lacks", () => {
  const open: SchemaNode = { ...facts.OFF, ...facts.BY_MODEL, type: "string" };

  test.each([
    ["owner", { isPersons: true, isInFile: true }],
    ["gate", { gate: true }],
    ["writeOnly", { isSecret: true, isPersons: true }],
    ["restart", { needsRestart: true }],
    ["runs", { namesProgram: true }],
    ["strictness", { strictness: undefined }],
  ] as const)("%s for closed, and the table that it is in", (name, closed) => {
    const { facts: before } = toPlace(open);
    expect(before).toMatchObject({ isPersons: false, gate: false, isSecret: false });
    expect(before).toMatchObject({ needsRestart: false, namesProgram: false });
    const { [name]: _, ...node } = open;
    expect(toPlace(node).facts).toEqual({ ...before, ...closed });
    const { isSecret: __, ...ofTable } = { ...before, ...closed, strictness: undefined };
    const table = toPlace({ properties: { a: open, b: node } });
    expect({ ...table.facts, gate: table.facts.gate === true }).toMatchObject(ofTable);
  });

  test("everything, or misspells it, for closed in all", () => {
    const closed = {
      isPersons: true,
      isInFile: true,
      gate: true,
      isSecret: true,
      needsRestart: true,
      namesProgram: true,
    };
    const none = { strictness: undefined, goesBy: undefined };
    expect(toPlace({}).facts).toEqual({ ...closed, ...none });
    expect(toPlace({ ...open, owner: "Model" }).facts.isPersons).toBe(true);
    expect(stepInto(toPlace({ properties: {} }), "unknown").facts).toMatchObject(closed);
  });
});

test("maskConfig() masks what is said to be secret or not said to be shown, whatever it is", () => {
  const shown = { ...facts.OFF, ...facts.BY_PERSON };
  const place = toPlace({
    properties: { shown, secret: { ...shown, writeOnly: true }, forgotten: { type: "string" } },
  });
  const value = { shown: "a", secret: "b", forgotten: "c", unknown: 4, reference: "env:A" };
  expect(maskConfig({ ...value, list: ["d"], table: { a: { b: true } } }, place)).toEqual({
    shown: "a",
    secret: "[secret]",
    forgotten: "[secret]",
    unknown: "[secret]",
    reference: "env:A",
    list: ["[secret]"],
    table: { a: { b: "[secret]" } },
  });
});

test("every key of the schema says all of its facts and what it means, and shows a value", () => {
  const open = keysOf(CONFIG_SCHEMA).filter(
    ([, { owner, gate, writeOnly, restart, runs, strictness, description, ...node }]) =>
      !["model", "person", "file"].includes(owner ?? "") ||
      [gate, writeOnly, restart, runs, strictness, description].includes(undefined) ||
      (node.default === undefined && node.examples === undefined),
  );
  expect(open.map(([name]) => name)).toEqual([]);
});

test("every key of the schema that may have a secret in it names keys of its table: secret([…]), asProgram(…, […])", () => {
  const wrong = knownKeys().flatMap(({ key, facts: { isSecret, namesProgram, goesBy } }) => {
    if (goesBy === undefined) return isSecret || namesProgram ? [key] : [];
    const table = key.slice(0, key.lastIndexOf(".") + 1);
    const isKey = (name: string) => knownKeys().some((each) => each.key === table + name);
    return goesBy.every(isKey) ? [] : [key];
  });
  expect(wrong).toEqual([]);
});

test("every key of the schema is read outside the schema", async () => {
  const src = join(import.meta.dir, "../../src");
  const words = new Set<string>();
  for await (const file of new Glob("**/*.ts").scan(src)) {
    if (file.startsWith("config/schema/")) continue;
    for (const word of (await Bun.file(join(src, file)).text()).match(/\w+/gu) ?? [])
      words.add(word);
  }
  const keys = keysOf(CONFIG_SCHEMA).map(([name]) => name);
  expect(keys.filter((name) => !words.has(name.split(".").at(-1) ?? ""))).toEqual([]);
});

test("every secret of the schema is a person's", () => {
  const secrets = keysOf(CONFIG_SCHEMA).filter(([, { writeOnly }]) => writeOnly !== false);
  expect(secrets.length).toBeGreaterThan(5);
  for (const [, node] of secrets) expect(node.owner).toBe("person");
});

test("placeAt() gives an entry that people name the facts of its key, and its keys their own", () => {
  expect(placeAt(["routines", "jobs", "tidy"]).facts.isPersons).toBe(false);
  expect(placeAt(["routines", "jobs", 0, "trigger_secret"]).facts.isPersons).toBe(true);
  expect(placeAt(["mcp", "servers", "m", "env", "_A"]).facts).toMatchObject({
    isPersons: true,
    gate: false,
    isSecret: true,
    needsRestart: false,
    namesProgram: true,
  });
});

test.each([
  ["security.autonomy", "full", true],
  ["security.autonomy", "readonly", false],
  ["security.autonomy", undefined, false],
  ["security", "{ autonomy = 'full' }", true],
  ["security", undefined, false],
  ["telegram.bot_token", "env:A", true],
  ["telegram", undefined, true],
  ["http.host", undefined, true],
  ["http.port", "1", false],
  ["providers.p.base_url", "https://x.example", false],
])("isGateKey(%p, %p) is %p", (name, value, isGate) => {
  expect(isGateKey(name, value)).toBe(isGate);
});

test("maskConfig() shows the hash of a list of tools, and nothing else that looks like a key", () => {
  const hash = new Bun.CryptoHasher("sha256").update("list").digest("hex");
  const server = placeAt(["mcp", "servers", "own"]);
  const value = { tools_sha256: hash, cwd: hash };
  expect(maskConfig(value, server)).toEqual({ tools_sha256: hash, cwd: "[secret]" });
  expect(maskConfig(`${hash}0`, stepInto(server, "tools_sha256"))).toBe("[secret]");
});

test("isPersonsKey() takes a table with one key that is a person's for a person's", () => {
  expect(isPersonsKey("default")).toBe(true);
  expect(isPersonsKey("context")).toBe(false);
  expect(isPersonsKey("security .autonomy")).toBe(true);
});

/** Every key of the configuration, those of entries among them. */
function keysOf(node: SchemaNode, path = ""): readonly (readonly [string, SchemaNode])[] {
  const { properties = {}, items = {}, additionalProperties: named } = node;
  const entry = typeof named === "object" ? named : items;
  const below = entry.properties ? keysOf(entry, `${path}.NAME`) : [];
  return Object.entries(properties).reduce((keys, [name, child]) => {
    const key = `${path}.${name}`;
    const own = child.properties ? [] : [[key, child] as const];
    return keys.concat(own, keysOf(child, key));
  }, below);
}
