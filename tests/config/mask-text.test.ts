import { expect, test } from "bun:test";
import fc from "fast-check";
import { maskConfig, WHOLE_CONFIG } from "../../src/config/keys/keys.ts";
import { knownKeys } from "../../src/config/known-keys.ts";
import { maskPairs, maskText } from "../../src/config/mask-text.ts";
import { maskToml, unmaskToml } from "../../src/config/masked/masked.ts";
import { secretArguments } from "../../src/config/secret.ts";
import { runs } from "../support/long.ts";

const S = "hunter2";

/** Where people put a secret that no key of the configuration is for. */
const PLACES: readonly (readonly [text: string, shown: string])[] = [
  [`postgresql://app:${S}@db.example/app`, "postgresql://[secret]@db.example/app"],
  [`redis://:${S}@cache:6379/0`, "redis://[secret]@cache:6379/0"],
  [`amqp+ssl://a@b:${S}@mq/%2f`, "amqp+ssl://[secret]@mq/%2f"],
  [`--url=https://app:${S}@host/x`, "--url=https://[secret]@host/x"],
  [`wss://host/socket?key=${S}`, "wss://host/socket?[secret]"],
  [`https://host/page#${S}`, "https://host/page#[secret]"],
  [`export TOKEN=${S}; run`, "export TOKEN=[secret]; run"],
  [`API_KEY='${S} and more' run`, "API_KEY='[secret]' run"],
  [`PASSWORD="${S}" run`, 'PASSWORD="[secret]" run'],
  [`run --token ${S} --verbose`, "run --token [secret] --verbose"],
  [`run --token -${S}`, "run --token [secret]"],
  [`run -password  '${S}'`, "run -password  '[secret]'"],
  [`curl -H 'X: Bearer ${S}'`, "curl -H 'X: Bearer [secret]'"],
];
const PAIRS: typeof PLACES = [
  [`# api_key: ${S}`, "# api_key: [secret]"],
  [`# "token" : "${S}"`, '# "token" : "[secret]"'],
  [`{"password": "${S}"}`, '{"password": "[secret]"}'],
  [`curl -H 'X-Api-Key: ${S}'`, "curl -H 'X-Api-Key: [secret]'"],
];

test.each(PLACES)("%j may be shown as %j", (text, shown) => {
  expect(maskText(text)).toBe(shown);
  expect(maskPairs(text)).toBe(shown);
  expect(maskText(shown)).toBe(shown);
});

test.each(PAIRS)("%j in a comment or a command may be shown as %j", (text, shown) => {
  expect(maskPairs(text)).toBe(shown);
  expect(maskPairs(shown)).toBe(shown);
});

test.each([
  "say the key: points of it",
  "# max_tokens = 4096",
  "run --token $TOKEN --api-key env:API_KEY --password ${PASSWORD}",
  "npm run test:long -- --timeout 60000",
  "git@github.com:me/site.git",
  "https://example.org/a/path/of/words-and-2024-11-30",
  "claude-sonnet-4-20250514",
  "thisIsTheLongNameOfSomething",
  "sh -c 'make test && make lint'",
  "registry/image:1.27.3-bookworm",
])("%j says nothing of a secret", (text) => {
  expect(maskText(text)).toBe(text);
});

/** What a key is set to in a comment, and whether that is shown. */
const SET_TO: readonly (readonly [name: string, value: string, isShown: boolean])[] = [
  ["max_tokens_per_day", "0", true],
  ["max_tokens_per_day", "2_000_000", true],
  ["max_tokens_per_day", "100000000", true],
  ["agent.max_tokens_per_day", "0.", true],
  ["context_tokens", "8192", true],
  ["maxOutputTokens", "-1", true],
  ["MAX_TOKEN", "4096", true],
  ["token_limit_per_day", "5", true],
  ["api_key_ttl_s", "3600", true],
  ["password_min_length", "12", true],
  ["cookie_secure", "true", true],
  ["use_auth", "false", true],
  ["token", "0", false],
  ["token", "1234567", false],
  ["token", "123456:AAAAbbbb", false],
  ["password", "4711", false],
  ["passwd_of_max", "4711", false],
  ["max_password", "4711", false],
  ["per_user_secret", "123456", false],
  ["api_keys", "1234567", false],
  ["auth_tokens", "1234567", false],
  ["MS_TOKEN", "1234567", false],
  ["AGE_TOKEN", "1234567", false],
  ["maxPassWord", "4711", false],
  ["token_ttl_s", "3600", true],
  ["TOKEN_BUDGET_PER_DAY", "2000", true],
  ["key", "+12", false],
  ["max_tokens_per_day", "12345678", false],
  ["max_tokens_per_day", "123456:AAAAbbbb", false],
  ["max_tokens_per_day", "1234567-89", false],
  ["max_tokens_per_day", "1234567.8901", false],
  ["max_tokens_per_day", "0x1f2e3d", false],
  ["max_tokens_per_day", "truethat", false],
  ["max_tokens_per_day", "1234567 and more", false],
  ["max_tokens_per_day", S, false],
  ["password_min_length", S, false],
  ["use_auth", "TRUE", false],
  ["use_auth", "falsehood", false],
];

test.each(SET_TO)("behind the name %s in a comment %j is shown: %p", (name, value, isShown) => {
  const quoted = JSON.stringify(value);
  // With blanks in it, it is one value in quotes alone.
  const ways = value.includes(" ") ? [quoted] : [value, quoted];
  const texts = ways.flatMap((set) => [`# ${name} = ${set} # so far`, `# ${name}: ${set}`]);
  const option = `run --${name.replaceAll(".", "-")} ${quoted}`;
  for (const text of [...texts, option]) {
    const shown = maskPairs(text);
    expect(shown).toBe(isShown ? text : text.replace(value, "[secret]"));
    expect(maskPairs(shown)).toBe(shown);
  }
  const args = [`--${name.replaceAll(".", "-")}`, value];
  expect(secretArguments(args)).toEqual(isShown ? [] : [value]);
});

test("numbers and switches of the configuration are shown where they are commented out", () => {
  const lines = knownKeys().flatMap(({ key: name, node }) => {
    const last = name.split(".").at(-1) ?? "";
    if (node.type === "boolean") return [`# ${last} = true`];
    if (node.type !== "integer" && node.type !== "number") return [];
    return [`# ${last} = ${JSON.stringify(node.default ?? 4096)}`, `# ${name}: 0`];
  });
  expect(lines.some((line) => line.includes("max_tokens_per_day"))).toBe(true);
  const masking = maskToml(`${lines.join("\n")}\n`, (text) => text);
  expect(masking).toMatchObject({ ok: true, masked: { masks: [] } });
});

const LETTERS = "abcdefghijkmnpqrstuvwxyzABCDEFGHJKLMNPQRSTUVWXYZ23456789";
const chance = fc
  .array(fc.constantFrom(...LETTERS.split("")), {
    minLength: 24,
    maxLength: 64,
  })
  .map((letters) => letters.join(""))
  .filter((word) => (word.match(/\d/gu)?.length ?? 0) > 1);
const around = fc.constantFrom(
  (secret: string) => `["run", "${secret}"]`,
  (secret: string) => `["run", "-p${secret}"]`,
  (secret: string) => `["sh", "-c", "x ${secret} | y"]`,
  (secret: string) => `"https://host/hooks/${secret}/x"`,
  (secret: string) => `"${secret}"`,
  (secret: string) => `"plain" # ${secret}`,
  (secret: string) => `"plain" # of me: ${secret}.`,
  (secret: string) => `[["deep", ["${secret}"]]]`,
);

test("a word that nobody made up is shown nowhere in a configuration, and comes back byte for byte", () => {
  fc.assert(
    fc.property(chance, around, (secret, put) => {
      const text = `[workspaces.x]\ncheck = ${put(secret)}\n`;
      const masking = maskToml(text, (found) => found);
      if (!masking.ok) throw new Error(masking.problem.message);
      expect(masking.masked.text).not.toContain(secret);
      expect(unmaskToml(masking.masked, masking.masked.text, () => (found) => found)).toEqual({
        ok: true,
        text,
      });
    }),
    { numRuns: runs(200, 5000) },
  );
});

test("of a foreign file all is shown that it would run, and no key of its own", () => {
  const hidden = `curl https://x/?a#${S} TOKEN="$(evil)"`;
  const server = {
    command: "npx",
    args: ["--key", hidden, "sh", "-c", hidden],
    env: { NODE_OPTIONS: "--require ./evil.js", API_TOKEN: hidden },
    bearer_token: S,
  };
  const config = { mcp: { servers: { a: server } }, workspaces: [{ check: ["--token", hidden] }] };
  expect(maskConfig(config, WHOLE_CONFIG, true)).toEqual({
    mcp: { servers: { a: { ...server, bearer_token: "[secret]" } } },
    workspaces: [{ check: ["--token", hidden] }],
  });
  expect(JSON.stringify(maskConfig(config, WHOLE_CONFIG))).not.toContain(S);
});
