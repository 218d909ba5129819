import { afterAll, describe, expect, test } from "bun:test";
import { linkSync, readFileSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import { sha256 } from "../../src/core/sha256.ts";
import { createContextCache } from "../../src/planner/context/context-cache.ts";
import { serveRequests } from "../../src/planner/context/serve-requests.ts";
import type { Action } from "../../src/protocol/response.ts";
import { createTools } from "../../src/tools/create.ts";
import { computeChangeSet } from "../../src/transaction/compute/compute.ts";
import { isProtectedPath } from "../../src/workspace/path-guard/path-guard.ts";
import { silentLog } from "../support/silent-log.ts";
import { tempDir } from "../support/temp.ts";
import { toolDeps } from "../support/tool-deps.ts";
import { readTree, writeTree } from "../support/tree.ts";
import { workspaceAt } from "../transaction/scene.ts";

const { signal } = new AbortController();
const MARK = "KEEP-OUT";

/** A workspace `safe` full of traps, and `safevil` beside it, which nothing may reach. */
function layTraps(parent: string): string {
  const root = join(parent, "safe");
  const inside = (path: string) => join(root, path);
  writeTree(parent, { "safevil/b.txt": MARK, "safevil/hard.txt": MARK });
  writeTree(root, {
    "a.txt": "a\n",
    "dir/x.txt": "x\n",
    "bun.lock": "{}\n",
    "nai\u0308ve.txt": "apart\n",
    ".env": MARK,
    "secrets/db": MARK,
    "sub/.git/config": MARK,
    "module/.git": `gitdir: ${MARK}`,
    "own/rules.txt": MARK,
  });
  symlinkSync("../safevil/b.txt", inside("out-file"));
  symlinkSync("../safevil", inside("out-dir"));
  symlinkSync("../safevil/nothing", inside("dangling"));
  symlinkSync("loop", inside("loop"));
  symlinkSync("/proc/self", inside("proc"));
  symlinkSync("/dev/zero", inside("device"));
  symlinkSync(".env", inside("to-secret"));
  symlinkSync("sub/.git", inside("to-git"));
  symlinkSync("dir", inside("to-dir"));
  linkSync(join(parent, "safevil/hard.txt"), inside("hard.txt"));
  Bun.spawnSync(["mkfifo", inside("pipe")]);
  const server = Bun.listen({ unix: inside("socket"), socket: { data() {} } });
  afterAll(() => server.stop());
  return root;
}

const dir = tempDir("papayu-guard-");
afterAll(() => dir[Symbol.dispose]());
const root = layTraps(dir.path);
const workspace = workspaceAt(root, ["own/**"]);
const propose = async () => ({ ok: true, content: "" }) as const;
const files = { send: async () => {}, isLocal: false };
const context = { workspace, userId: "owner", skills: [], propose, files };
const tools = createTools(context, toolDeps(dir.path));

const INVALID = "ERR_INVALID_PATH";
/** It may be written: a new file takes the place of this name, and the other keeps what it has. */
const REPLACED = "replaced";
const PROTECTED = "ERR_PROTECTED_PATH";
/** Refused to writers only. */
const SHOWN = "shown";
const MISSING = "ERR_NOT_FOUND";

const SPELLINGS = [
  ["../safevil/b.txt", "dir/../../safevil/b.txt", "..", "dir/./x.txt", `${root}/a.txt`],
  ["/etc/passwd", "~/x", "~root/x", "C:\\x", "C:/x", "\\\\host\\x", "dir\\..\\..\\x"],
  ["．．/safevil/b.txt", "‥/safevil/b.txt", "․․/x", "dir／..／x", "a\0.txt", "a\n.txt"],
  ["a\u202Etxt.", "a\u200B.txt", ".e\u00ADnv", "\uFEFFa.txt", "CON", "dir/nul.txt", "a.txt."],
  ["a.txt ", "a.txt:stream", ".env::$DATA", ""],
].flat();
const SECRETS = [
  [".env", ".ENV", ".Env.Local", "sub/.env", ".envrc", "secrets/db", "SECRETS/db", "secrets"],
  ["sub/.git/config", ".Git/hooks/post-commit", "module/.git", ".\u017Fsh/config", ".aws/x"],
  [".gnupg/x", ".papa-yu/tx/x", "server.PEM", "a.key", "k.\u212Aey", "c.p12", "c.pfx"],
  ["id_rsa", "id_ed25519.pub", "dir/ID_ECDSA", "own/rules.txt", "OWN/rules.txt"],
  ["kubeconfig", "deploy/kubeconfig.yaml", "prod.kubeconfig", ".streamlit/secrets.toml"],
  ["secrets.yaml", "config/secrets.yml", "keys/service-account.json", "secrets.yaml~"],
  [".secrets.yaml.swp", "secrets.toml.bak", "kubeconfig~", "deploy/kubeconfig.bak"],
  ["service_account_key.json", "x-firebase-adminsdk-1a.json", ".kaggle/kaggle.json"],
  [".huggingface/token", ".dev.vars", ".dev.vars.production", "local.settings.json"],
  [".bash_history", ".psql_history", ".histfile", ".composer/auth.json"],
].flat();

/** Secrets by chance, or named like one; they are read and written. */
const ORDINARY = [
  [
    ".flaskenv",
    ".yarnrc.yml",
    "locales/en/auth.json",
    "signature.asc",
    "a.gpg",
    "credentials/x.ts",
  ],
  ["kubeconfig/load.go", "src/kubeconfig/index.ts", "src/kubeconfig_test.go"],
  [
    "chart/templates/secrets.yaml",
    "chart/templates/api/secrets.yaml",
    "locales/en/secrets.json",
    "schemas/service-account-v1.json",
  ],
  ["src/external-secrets.yaml", "schema.order_history.sql", "src/loadKubeconfig.ts"],
  ["src/kubeconfig.go", "src/secrets.ts", ".dev.vars.example", "search_history.ts", "variables.tf"],
].flat();

/** Path, the code for whoever reads it, the code for whoever writes it. */
const PAYLOADS: readonly (readonly [string, string, string])[] = [
  ...SPELLINGS.map((path) => [path, INVALID, INVALID] as const),
  ...SECRETS.map((path) => [path, PROTECTED, PROTECTED] as const),
  ["x".repeat(241), "ERR_PATH_TOO_LONG", "ERR_PATH_TOO_LONG"],
  ["bun.lock", SHOWN, PROTECTED],
  ["dir/package-lock.json", MISSING, PROTECTED],
  ["out-file", INVALID, INVALID],
  ["out-dir/b.txt", INVALID, INVALID],
  ["out-dir/missing", INVALID, INVALID],
  ["dangling", INVALID, INVALID],
  ["loop", INVALID, INVALID],
  ["loop/x", INVALID, INVALID],
  ["proc/environ", INVALID, INVALID],
  ["device", INVALID, INVALID],
  ["pipe", INVALID, INVALID],
  ["socket", INVALID, INVALID],
  ["to-secret", PROTECTED, INVALID],
  ["to-git/config", PROTECTED, INVALID],
  ["to-dir/x.txt", SHOWN, INVALID],
  ["to-dir/new.txt", MISSING, INVALID],
  ["hard.txt", SHOWN, REPLACED],
  ["a.txt/below", MISSING, INVALID],
];

const KINDS: readonly ((path: string) => Action)[] = [
  (path) => ({ kind: "CREATE_FILE", path, content: "evil\n" }),
  (path) => ({ kind: "UPDATE_FILE", path, content: "evil\n" }),
  (path) => ({ kind: "CREATE_DIR", path }),
  (path) => ({ kind: "DELETE_FILE", path }),
  (path) => ({ kind: "DELETE_DIR", path }),
  (path) => ({ kind: "PATCH_FILE", path, base_sha256: sha256(MARK), patch: "@@\n+evil\n" }),
  (path) => ({
    kind: "REPLACE_RANGE",
    path,
    base_sha256: sha256(MARK),
    start_line: 1,
    end_line: 1,
    content: "evil",
  }),
  (path) => ({
    kind: "EDIT_FILE",
    path,
    base_sha256: sha256(MARK),
    edits: [{ op: "replace", anchor: MARK, before: MARK, after: "evil" }],
  }),
];

test.each(ORDINARY)("The path guard lets %j be", (path) => {
  expect(isProtectedPath(path, [], "write")).toBe(false);
});

describe("The path guard", () => {
  test.each(PAYLOADS.filter(([, , code]) => code !== REPLACED))(
    "refuses all eight actions on %j",
    (path, _, code) => {
      for (const toAction of KINDS) {
        const action = toAction(path);
        const computed = computeChangeSet(workspace, [action]);
        const problems = computed.ok ? [] : computed.problems;
        const codes: readonly string[] = problems.map((it) => it.code);
        expect([action.kind, ...codes]).toEqual([action.kind, code]);
        expect(problems[0]?.message).toMatch(/^Cannot (use|write) "[^]*": .+/);
      }
    },
  );

  test.each([...PAYLOADS])("shows %j to no context request and no tool", async (path, code) => {
    const requests = [{ type: "read_file" as const, path }];
    const [block] = await serveRequests(workspace, requests, createContextCache(silentLog), signal);
    const shown = [block?.header, block?.body].join("\n");
    const run = async (name: string) =>
      tools.find(({ schema }) => schema.name === name)?.run({ path }, signal, "call_1");
    const [read, sent] = [await run("read_file"), await run("send_file")];
    if (code === SHOWN) {
      expect(block?.kind).toBe("file");
      expect([read, sent]).toMatchObject([{ ok: true }, { ok: true }]);
      return;
    }
    expect(shown).toContain(`: ${code}: Cannot `);
    expect(shown).not.toContain(MARK);
    const refused = { errorCode: code === MISSING ? "not_found" : "denied" };
    expect([read, sent]).toMatchObject([refused, refused]);
    if (!path.startsWith("/")) expect(JSON.stringify([shown, read, sent])).not.toContain(dir.path);
  });

  test("finds and lists nothing of what may not be read", async () => {
    const search = { type: "search" as const, query: MARK };
    const requests = [search, { ...search, glob: "../**" }, { ...search, glob: ".env" }];
    const cache = createContextCache(silentLog);
    const blocks = await serveRequests(workspace, requests, cache, signal);
    expect(blocks.map(({ body }) => body)).toEqual([`hard.txt:1|${MARK}`, "", ""]);
    const run = (name: string, args: Readonly<Record<string, unknown>>) =>
      tools.find(({ schema }) => schema.name === name)?.run(args, signal, "call_1");
    expect(await run("search_files", { query: MARK })).toEqual({
      ok: true,
      content: `hard.txt:1: ${MARK}`,
    });
    for (const folder of ["../safevil", "..", "out-dir", "secrets", "sub/.git", "/etc"]) {
      expect(await run("list_files", { folder })).toMatchObject({ errorCode: "not_found" });
    }
    expect(await run("list_files", {})).toEqual({
      ok: true,
      content: ["a.txt", "bun.lock", "dir/x.txt", "hard.txt", "nai\u0308ve.txt"].join("\n"),
    });
  });

  afterAll(() => {
    expect(readTree(join(dir.path, "safevil"))).toEqual({
      "b.txt": `file 644 ${sha256(MARK)}`,
      "hard.txt": `file 644 ${sha256(MARK)}`,
    });
    expect(readFileSync(join(root, ".env"), "utf8")).toBe(MARK);
  });
});
