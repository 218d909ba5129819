import { expect, test } from "bun:test";
import { mkdirSync } from "node:fs";
import { join } from "node:path";
import * as fc from "fast-check";
import { combineFiles, type LoadedConfig } from "../../src/config/load/load.ts";
import type { ConfigFile, Origin } from "../../src/config/places/places.ts";
import type { Config } from "../../src/config/schema/definition.ts";
import { CONFIG_SCHEMA, type SchemaNode } from "../../src/config/schema/schema.ts";
import { runs } from "../support/long.ts";
import { tempDir } from "../support/temp.ts";

/**
 * What a configuration that was only found may do with every key: a new key is missing here until
 * somebody has thought about it.
 */
const TABLE: Readonly<Record<string, string>> = {
  "default.provider": "nothing",
  "default.temperature": "nothing",
  "default.language": "nothing",
  providers: "nothing",
  "reliability.max_retries": "smaller",
  "reliability.initial_backoff_ms": "nothing",
  "reliability.request_timeout_s": "smaller",
  "reliability.fallback_providers": "nothing",
  "security.autonomy": "readonly < supervised < full",
  "sandbox.max_disk_mb": "smaller",
  "sandbox.max_memory_mb": "smaller, 0: of its own",
  "sandbox.max_processes": "smaller",
  "security.allowed_commands": "fewer",
  "security.workspace_only": "true < false",
  "security.http_allowed_hosts": "fewer",
  "security.injection_check": "block < warn < true < review < false",
  "security.http_strip_threshold_kb": "nothing",
  "security.protected_paths": "more",
  "security.sandbox": "bwrap < auto < none",
  "protocol.version": "nothing",
  "protocol.fallback_to_v1": "nothing",
  "protocol.normalize_eol": "nothing",
  "context.max_files": "smaller, 0: of its own",
  "context.max_file_chars": "smaller",
  "context.max_total_chars": "smaller",
  "context.max_log_chars": "smaller",
  "agent.max_tool_iterations": "smaller",
  "agent.max_failed_rounds": "smaller",
  "agent.max_consecutive_tool_failures": "smaller",
  "agent.max_fix_rounds": "smaller",
  "agent.turn_timeout_s": "smaller",
  "agent.max_parallel_turns": "smaller",
  "agent.max_tokens_per_day": "smaller, 0: no limit",
  "agent.max_cost_per_day": "smaller, 0: no limit",
  "online_research.enabled": "false < true",
  "online_research.auto_use_as_context": "false < true",
  "online_research.search": "nothing",
  "online_research.api_key": "nothing",
  "online_research.base_url": "nothing",
  "online_research.max_sources": "smaller",
  "online_research.max_pages": "smaller",
  "online_research.page_max_bytes": "smaller",
  "online_research.timeout_s": "smaller",
  "online_research.context_max_chars": "smaller",
  "online_research.context_max_sources": "smaller",
  "places.nominatim_url": "nothing",
  "places.overpass_url": "nothing",
  "mcp.servers": "nothing",
  "telegram.bot_token": "nothing",
  "telegram.allowed_user_ids": "fewer, keeps first",
  "telegram.api_root": "nothing",
  "telegram.approval_timeout_s": "smaller",
  "telegram.webhook_url": "nothing",
  "transcription.base_url": "nothing",
  "transcription.api_key": "nothing",
  "transcription.model": "nothing",
  "transcription.price_per_minute": "nothing",
  "http.enabled": "nothing",
  "http.host": "nothing",
  "http.port": "nothing",
  "http.public_url": "nothing",
  "http.token": "nothing",
  "trace.enabled": "nothing",
  "trace.raw": "false < true",
  "retention.messages_days": "nothing",
  "retention.history_days": "nothing",
  "retention.traces_days": "nothing",
  "retention.logs_days": "nothing",
  "retention.approvals_days": "nothing",
  "retention.max_mb": "nothing",
  workspaces: "folders",
  "workspaces.name": "nothing",
  "workspaces.path": "nothing",
  "workspaces.check": "nothing",
  "workspaces.check_timeout_s": "smaller",
  "workspaces.check_network": "false < true",
  "workspaces.max_actions": "smaller, 0: of its own",
  "workspaces.check_when": "nothing",
  "workspaces.keep": "fewer",
  "workspaces.generate": "nothing",
  "workspaces.generate_hosts": "fewer",
  "workspaces.on_failing_baseline": "refuse < ask < apply",
  "routines.jobs": "nothing",
};

/** Every key of the schema that a found file can name, with its node. */
function keysOf(node: SchemaNode, path = ""): readonly (readonly [string, SchemaNode])[] {
  return Object.entries(node.properties ?? {}).flatMap(([name, child]) => {
    const key = path === "" ? name : `${path}.${name}`;
    if (!child.strictness) return child.properties ? keysOf(child, key) : [[key, child] as const];
    if (child.strictness.order !== "folders") return [[key, child] as const];
    return [[key, child] as const].concat(keysOf(child.items ?? {}, key));
  });
}

function render({ strictness }: SchemaNode): string {
  const { order = "nothing", values = [], zero } = strictness ?? {};
  if (order === "none") return "nothing";
  if (order === "listed") return values.join(" < ");
  if (strictness?.keeps !== undefined) return `${order}, keeps ${strictness.keeps}`;
  return zero === undefined ? order : `${order}, 0: ${zero}`;
}

test("every key of schemas/config.schema.json says what a found file can do with it", () => {
  const keys = keysOf(CONFIG_SCHEMA);
  expect(Object.fromEntries(keys.map(([name, node]) => [name, render(node)]))).toEqual(TABLE);
});

/** How loose a configuration is in a key, written down once more: the lower the stricter. */
const RANKS: Readonly<Record<string, (config: Config) => number>> = {
  "security.autonomy": ({ security }) =>
    ["readonly", "supervised", "full"].indexOf(security.autonomy),
  "security.sandbox": ({ security }) => ["bwrap", "auto", "none"].indexOf(security.sandbox),
  "security.workspace_only": ({ security }) => (security.workspace_only ? 0 : 1),
  "security.injection_check": ({ security: { injection_check: check } }) => {
    if (check === "block") return 0;
    if (check === false) return 3;
    return check === "review" ? 2 : 1;
  },
  "agent.max_tokens_per_day": ({ agent }) => agent.max_tokens_per_day || Infinity,
  "sandbox.max_memory_mb": ({ sandbox }) => sandbox.max_memory_mb, // 0 stays, and nothing becomes 0
  "context.max_files": ({ context }) => context.max_files, // the same
  "agent.max_cost_per_day": ({ agent }) => agent.max_cost_per_day || Infinity,
};

/** Orders that are compared without a line in {@link RANKS}. */
const PLAIN = /^(?:nothing|smaller|more|fewer.*|false < true)$/u;

function assertRanked(name: string): void {
  if (RANKS[name] || PLAIN.test(TABLE[name] ?? "")) return;
  throw new Error(`${name} is "${TABLE[name]}": say in RANKS how loose a value of it is`);
}

const WORDS = ["a", "offline", "ls", "git", "a.example", ".b.example", "https://x.example"];

/** Texts that a node allows: its examples, and what people write elsewhere. */
function textsOf({ enum: values, pattern = "", examples = [] }: SchemaNode): readonly string[] {
  const fits = new RegExp(pattern, "u");
  return values ?? [...new Set([...examples.map(String), ...WORDS])].filter((it) => fits.test(it));
}

/** Values that fit a node: its bounds, its words, and a few of what people put into lists. */
function valueOf(node: SchemaNode): fc.Arbitrary<unknown> {
  if (node.anyOf) return fc.oneof(...node.anyOf.map(valueOf));
  const { minimum = 0, maximum = 0, type } = node;
  if (type === "boolean") return fc.boolean();
  if (type === "integer") {
    return fc.oneof(fc.constantFrom(minimum, maximum), fc.integer({ min: minimum, max: maximum }));
  }
  if (type === "number") return fc.constantFrom(minimum, minimum + 0.5, maximum);
  if (type === "array" && node.items?.type === "integer") {
    return fc.subarray([1, 2, 3]);
  }
  if (type === "array") return fc.subarray([...textsOf(node.items ?? {})]);
  // A name that nothing else has would be refused.
  return fc.constantFrom(...(node.pattern || node.enum ? textsOf(node) : ["a", "offline"]));
}

const PROVIDERS = {
  a: { base_url: "https://x.example", model: "m" },
  offline2: { base_url: "https://y.example", model: "m" },
};

/** A file: any part of the plain keys, and some of what people add by name. */
const anyFile: fc.Arbitrary<Record<string, unknown>> = fc
  .record(
    Object.fromEntries(
      Object.entries(CONFIG_SCHEMA.properties ?? {}).flatMap(([name, node]) => {
        if (!node.properties || name === "mcp" || name === "routines") return [];
        const keys = Object.entries(node.properties).filter(
          ([key]) => !["fallback_providers", "webhook_url"].includes(key),
        );
        const model = Object.fromEntries(keys.map(([key, child]) => [key, valueOf(child)]));
        return [[name, fc.record(model, { requiredKeys: [] })]];
      }),
    ),
    { requiredKeys: [] },
  )
  .chain((plain) =>
    fc
      .record({
        mcp: fc.constantFrom({}, { servers: { evil: { command: "evil" } } }),
        routines: fc.constantFrom(
          {},
          { jobs: [{ name: "j", schedule: "* * * * *", mode: "ask", task: "x" }] },
        ),
        workspaces: fc.array(
          fc.record({
            path: fc.constantFrom(".", "./sub", "../other", "/etc", "./.git", "~"),
            check: fc.constantFrom([], false, [["sh"]]),
            check_network: fc.boolean(),
            check_timeout_s: fc.integer({ min: 1, max: 3600 }),
            max_actions: fc.integer({ min: 0, max: 200 }),
            check_when: fc.constantFrom("before", "after"),
            keep: fc.subarray(["a.lock", "**/*.snap", "src/gen/**"]),
            generate: fc.constantFrom([], false, [["sh"]]),
            generate_hosts: fc.subarray([
              "packages.example.com",
              ".example.org",
              "evil.example.com",
            ]),
            on_failing_baseline: fc.constantFrom(...BASELINE),
          }),
          { maxLength: 3 },
        ),
      })
      .map(({ workspaces, ...named }) => {
        const entries = workspaces.map((entry, index) =>
          Object.assign(entry, { name: `w${index}` }),
        );
        return Object.assign(named, plain, { providers: PROVIDERS, workspaces: entries });
      }),
  );

const BASELINE = ["refuse", "ask", "apply"] as const;

function toFile(dir: string, value: unknown, origin: Origin): ConfigFile {
  const path = join(dir, "config.toml");
  return { path, shown: "config.toml", real: path, toml: { text: "", value }, origin };
}

function at(config: Config, name: string): unknown {
  const [first = "", second = ""] = name.split(".");
  const table: unknown = Reflect.get(config, first);
  return second === "" ? table : Reflect.get(Object(table), second);
}

test("combineFiles(): whatever a found file says, every key is at least as strict as the owner's", async () => {
  using dir = tempDir();
  for (const name of ["found/sub", "found/.git", "other", "home"]) {
    mkdirSync(join(dir.path, name), { recursive: true });
  }
  const options = { cwd: join(dir.path, "found"), home: join(dir.path, "home"), env: {} };
  const load = (own: unknown, found?: unknown): Promise<LoadedConfig> =>
    combineFiles(options, {
      owner: toFile(join(dir.path, "other"), own, "home"),
      ...(found !== undefined && { found: toFile(join(dir.path, "found"), found, "folder") }),
    });
  const compare = async (own: Record<string, unknown>, found: Record<string, unknown>) => {
    const { config: owner } = await load(own);
    const { config } = await load(own, found);
    expect((await load(own, {})).config).toEqual(owner);
    for (const [name] of keysOf(CONFIG_SCHEMA)) {
      if (name.startsWith("workspaces")) continue;
      const [before, after] = [at(owner, name), at(config, name)];
      const rank = RANKS[name];
      if (rank) expect(rank(config)).toBeLessThanOrEqual(rank(owner));
      else if (TABLE[name]?.startsWith("fewer"))
        expect(before).toEqual(expect.arrayContaining([after].flat()));
      else if (TABLE[name] === "more")
        expect(after).toEqual(expect.arrayContaining([before].flat()));
      else if (TABLE[name] === "smaller") expect(Number(after)).toBeLessThanOrEqual(Number(before));
      else if (TABLE[name] === "false < true")
        expect(after === true && before === false).toBe(false);
      else expect([name, after]).toEqual([name, before]);
    }
    // The first is the owner, who is told what the others do.
    expect(config.telegram.allowed_user_ids[0]).toBe(owner.telegram.allowed_user_ids[0]);
    for (const [index, before] of owner.workspaces.entries()) {
      const {
        check_timeout_s,
        check_network,
        max_actions,
        keep,
        generate_hosts,
        on_failing_baseline,
        ...rest
      } = config.workspaces[index] ?? before;
      expect(before.keep).toEqual(expect.arrayContaining(keep));
      expect(before.generate_hosts).toEqual(expect.arrayContaining(generate_hosts));
      const rankOf = (word: string) => BASELINE.findIndex((each) => each === word);
      expect(rankOf(on_failing_baseline)).toBeLessThanOrEqual(rankOf(before.on_failing_baseline));
      expect(before).toMatchObject(rest);
      expect(check_timeout_s).toBeLessThanOrEqual(before.check_timeout_s);
      expect(check_network && !before.check_network).toBe(false);
      expect(max_actions === 0).toBe(before.max_actions === 0);
      expect(max_actions).toBeLessThanOrEqual(before.max_actions);
    }
    for (const entry of config.workspaces.slice(owner.workspaces.length)) {
      expect([join(dir.path, "found"), join(dir.path, "found/sub")]).toContain(entry.path);
      expect(entry).toMatchObject({ check: [], check_network: false, max_actions: 0, keep: [] });
      expect(entry).toMatchObject({ generate: [], generate_hosts: [] });
      expect(["ask", "refuse"]).toContain(entry.on_failing_baseline);
      expect(entry.check_timeout_s).toBeLessThanOrEqual(120);
    }
  };
  const names = keysOf(CONFIG_SCHEMA).map(([name]) => name);
  for (const name of names) if (!name.startsWith("workspaces")) assertRanked(name);
  await fc.assert(fc.asyncProperty(anyFile, anyFile, compare), { numRuns: runs(50, 150) });
});
