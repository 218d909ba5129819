import { expect, test } from "bun:test";
import { mkdirSync, truncateSync } from "node:fs";
import { join } from "node:path";
import { sha256 } from "../../src/core/sha256.ts";
import { createRedactor } from "../../src/security/redact/redact.ts";
import {
  createSendFileTool,
  MAX_SENT_BYTES,
  type SentFile,
} from "../../src/tools/files/send-file.ts";
import { tempDir } from "../support/temp.ts";
import { writeTree } from "../support/tree.ts";

const SECRET = "hunter2-of-the-house";
const MIB = 1024 * 1024;

function openTool(files: Readonly<Record<string, string | Uint8Array>> = {}, isLocal = false) {
  const dir = tempDir();
  const root = join(dir.path, "w");
  mkdirSync(root);
  writeTree(root, files);
  const limits = { check: "none", checkTimeoutMs: 1, maxActions: 0 } as const;
  const workspace = { name: "w", root, ...limits, protectedPaths: ["private/**"] };
  const sent: SentFile[] = [];
  const redactor = createRedactor();
  redactor.add(SECRET);
  const send = async (file: SentFile) => void sent.push(file);
  const tool = createSendFileTool(workspace, { send, isLocal }, redactor.redact);
  const run = (path: string, signal = new AbortController().signal) =>
    tool.run({ path }, signal, "call_1");
  return { root, tool, sent, run, [Symbol.dispose]: () => dir[Symbol.dispose]() };
}

test("send_file gives the file with its hash and size, whatever is in it", async () => {
  const bytes = Uint8Array.from({ length: 256 }, (_, i) => i);
  using scene = openTool({ "out/a.bin": bytes });
  expect(await scene.run("./out//a.bin")).toEqual({ ok: true, content: "The user gets it" });
  const absolute = join(scene.root, "out/a.bin");
  const file = { workspace: "w", path: "out/a.bin", absolute };
  expect(scene.sent).toEqual([{ ...file, sha256: sha256(bytes), sizeBytes: 256 }]);
});

test("send_file leaves this machine, unless the person is at it", () => {
  using away = openTool();
  using local = openTool({}, true);
  expect([away.tool.effect({}), local.tool.effect({})]).toEqual(["send", "none"]);
});

test.each([
  [".env", "protected"],
  ["private/a.txt", "protected"],
  ["folder", "not a regular file"],
  ["nothing", "no file"],
])("send_file refuses %s", async (path, reason) => {
  using scene = openTool({ ".env": "x", "private/a.txt": "x", "folder/a": "x" });
  const result = await scene.run(path);
  expect(result.ok ? "" : result.error).toContain(reason);
  expect(scene.sent).toEqual([]);
});

test.each([
  ["a known secret", `x\n${SECRET}\n`],
  ["a key", "-----BEGIN PRIVATE KEY-----\nabc\n-----END PRIVATE KEY-----"],
  ["a secret after rubbish", Buffer.concat([Buffer.from([255, 0, 254]), Buffer.from(SECRET)])],
  ["a secret across two pieces", "x".repeat(MIB - 5) + SECRET],
])("send_file refuses %s, and says nothing of it", async (_, content) => {
  using scene = openTool({ "a.txt": content });
  const result = await scene.run("a.txt");
  expect(result).toMatchObject({ ok: false, errorCode: "denied" });
  expect(JSON.stringify(result)).not.toContain(SECRET);
  expect(scene.sent).toEqual([]);
});

test("send_file takes 50 MB and not a byte more, and ends when cancelled", async () => {
  using scene = openTool({ "a.bin": "" });
  const path = join(scene.root, "a.bin");
  truncateSync(path, MAX_SENT_BYTES + 1);
  expect(await scene.run("a.bin")).toMatchObject({ errorCode: "invalid_args" });
  truncateSync(path, MAX_SENT_BYTES);
  const cancelled = scene.run("a.bin", AbortSignal.abort()).catch(() => "cancelled");
  expect(await cancelled).toBe("cancelled");
  expect((await scene.run("a.bin")).ok).toBe(true);
});
