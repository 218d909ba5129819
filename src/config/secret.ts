import { closeSync, constants, fstatSync, openSync, readFileSync } from "node:fs";
import { isAbsolute } from "node:path";
import { errorMessage, type Failure } from "../core/app-error.ts";
import type { Environment } from "../core/environment.ts";
import { expandHome } from "./paths.ts";
import { CONFIG_SCHEMA, type Place, stepInto, toPlace } from "./schema/schema.ts";
import { isTable, valueAt } from "./value-at.ts";

/** A secret, `undefined` where there is none, or why it cannot be had. */
export type SecretResult = { readonly ok: true; readonly value: string | undefined } | Failure;

const MAX_BYTES = 64 * 1024;

/**
 * The secret behind `env:NAME`, `file:PATH` (for the owner only) or a literal; "" means none.
 * A failure is ERR_SECRET_UNAVAILABLE and names the variable or the file, never the value.
 *
 * @param options.home the person's home folder, for `~`
 */
export function resolveSecret(
  reference: string,
  { env, home }: { readonly env: Environment; readonly home: string },
): SecretResult {
  if (reference === "") return { ok: true, value: undefined };
  if (reference.startsWith("env:")) return fromEnvironment(reference.slice(4), env);
  if (reference.startsWith("file:")) return fromFile(expandHome(reference.slice(5), home));
  return { ok: true, value: reference };
}

/**
 * {@link resolveSecret} of what is sent to a server, which no header can have with a line break or a
 * letter beyond Latin-1 in it: pasted, it has one now and then.
 */
export function resolveKey(
  reference: string,
  sources: { readonly env: Environment; readonly home: string },
): SecretResult {
  const secret = resolveSecret(reference, sources);
  if (!secret.ok || !UNSENDABLE.test(secret.value ?? "")) return secret;
  const named = isLiteralSecret(reference) ? "in the configuration" : `"${reference}"`;
  const reason =
    "it has a character that a key cannot have, such as a line break or a Cyrillic letter";
  return unavailable(`Cannot use the secret ${named}: ${reason}; write it anew`);
}

/** Control characters but a tab, and whatever is no single byte. */
const UNSENDABLE = /[^\t\x20-\x7e\x80-\xff]/u;

/** Every reference to a secret in a configuration, or in what a file says, with its key. */
export function secretReferences(config: unknown): readonly SecretReference[] {
  return secretsBelow(config, toPlace(CONFIG_SCHEMA), "");
}

interface SecretReference {
  readonly key: string;
  readonly reference: string;
}

function secretsBelow(value: unknown, place: Place, key: string): readonly SecretReference[] {
  if (typeof value === "string") return place.facts.isSecret ? [{ key, reference: value }] : [];
  if (!isTable(value)) return [];
  return Object.entries(value).flatMap(([step, each]) => {
    if (isOrdinary(place, step, each)) return [];
    const given = Array.isArray(value) ? valueAt(each, ["name"]) : undefined;
    const name = typeof given === "string" ? given : step;
    return secretsBelow(each, stepInto(place, step), key === "" ? name : `${key}.${name}`);
  });
}

/**
 * Variables and headers may be anything. None is shown; but a literal counts as a secret, to be masked
 * in all that is said, by its name alone: "production" is no secret.
 */
function isOrdinary({ node, facts }: Place, name: string, value: unknown): boolean {
  const isEntry = facts.isSecret && !node.properties && typeof value === "string";
  return isEntry && isLiteralSecret(value) && !isSecretUnder(name, value);
}

/**
 * Whether a name says that what stands behind it is a secret. `true` is none, nor is a number behind
 * the name of a limit, `max_tokens_per_day = 0`; behind `token` or `password` a number may be one.
 */
export function isSecretUnder(name: string, value: string): boolean {
  if (!isSecretName(name) || /^(?:true|false)$/u.test(value)) return false;
  return !(isAmount(value) && isLimitName(name));
}

function isSecretName(name: string): boolean {
  return /token|key|secret|passw|auth|cookie|credential/iu.test(name);
}

/** So many digits before its zeros has no token, and hardly a limit has more. */
const MOST_DIGITS = 7;

function isAmount(value: string): boolean {
  if (!/^[+-]?\d[\d_]{0,18}(?:\.\d{0,6})?$/u.test(value)) return false;
  const digits = value.replaceAll(/\D/gu, "");
  return digits.replace(/0+$/u, "").length <= MOST_DIGITS;
}

const MEASURE =
  /^(?:limit|count|budget|quota|length|len|size|bytes|chars|kb|mb|ttl|timeout|age|attempts|retries|days|hours|minutes|seconds|s|ms)$/u;
/** Says it of tokens alone: a password may be Max's. */
const BOUND = /^(?:max|min)$/u;

/** How many tokens as models count them, or a measure of something secret: `key_ttl_s`. */
function isLimitName(name: string): boolean {
  const apart = name.replaceAll(/(?<=[a-z\d])(?=[A-Z])/gu, "_").toLowerCase();
  const words = apart.split(/[^a-z\d]+/u).filter((word) => word !== "");
  const secret = words.filter(isSecretName);
  if (secret.length === 0) return false; // it is cut apart: maxPassWord
  const isOfTokens = secret.every((word) => /tokens?$/u.test(word));
  if (!isOfTokens) return MEASURE.test(words.at(-1) ?? "");
  const behind = words.slice(words.findIndex(isSecretName) + 1); // MS_TOKEN is one of Microsoft
  return (
    words.some((word) => word.endsWith("tokens") || BOUND.test(word)) ||
    behind.some((word) => MEASURE.test(word))
  );
}

/**
 * The words of a command line that are secrets by the name before them, `--token VALUE`,
 * `--api-key=VALUE`, `SECRET=VALUE` or `Authorization: Bearer VALUE`; of a word with a name in it the part behind. What is short or has
 * two hyphens is an option.
 */
export function secretArguments(args: readonly string[]): readonly string[] {
  return args.flatMap((word, index) => {
    const before = args[index - 1] ?? "";
    const [, name = "", value = ""] = /^([^=:\s]+)(?:=|:\s*)(.+)$/su.exec(word) ?? [];
    if (isSecretUnder(name, value) && !isAddress(word))
      return [value.replace(/^(?:bearer|basic)\s+/iu, "")];
    const isNamed = /^--?[\w-]+$/u.test(before) && isSecretUnder(before, word);
    return isNamed && !/^--|^-.{0,6}$/su.test(word) ? [word] : [];
  });
}

function isAddress(word: string): boolean {
  return /^[a-z][a-z0-9+.-]*:\/\//iu.test(word);
}

/** Whether a secret is written in the configuration itself. */
export function isLiteralSecret(reference: string): boolean {
  return reference !== "" && !/^(env|file):/.test(reference);
}

function fromEnvironment(name: string, env: Environment): SecretResult {
  const value = env[name]?.trim();
  if (value) return { ok: true, value };
  return unavailable(`Cannot read the secret "env:${name}": the variable is not set; set it`);
}

function fromFile(path: string): SecretResult {
  const action = `Cannot read the secret "file:${path}"`;
  if (!isAbsolute(path)) return unavailable(`${action}: give an absolute path or one from ~/`);
  let descriptor: number | undefined;
  try {
    // Not blocking: opening a pipe would wait for a writer.
    descriptor = openSync(path, constants.O_RDONLY | constants.O_NONBLOCK);
    const status = fstatSync(descriptor);
    if (!status.isFile()) return unavailable(`${action}: it is not a file`);
    if ((status.mode & 0o077) !== 0) {
      return unavailable(`${action}: others can read it; run chmod 600 "${path}"`);
    }
    if (status.size > MAX_BYTES) return unavailable(`${action}: it is over ${MAX_BYTES} bytes`);
    const value = readFileSync(descriptor, "utf8").trim();
    return value === "" ? unavailable(`${action}: it is empty`) : { ok: true, value };
  } catch (error) {
    return unavailable(`${action}: ${errorMessage(error)}`);
  } finally {
    if (descriptor !== undefined) closeSync(descriptor);
  }
}

function unavailable(message: string): Failure {
  return { ok: false, code: "ERR_SECRET_UNAVAILABLE", message };
}
