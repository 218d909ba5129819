import { describe, expect, test } from "bun:test";
import { existsSync, linkSync, mkdirSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import { resolvePath } from "../../src/workspace/path-guard/path-guard.ts";
import {
  BUILT_IN_PROTECTED,
  isProtectedPath,
} from "../../src/workspace/path-guard/protected-paths.ts";
import { tempDir } from "../support/temp.ts";
import { writeTree } from "../support/tree.ts";
import { workspaceAt } from "../transaction/scene.ts";

function codeOf(root: string, path: string, purpose: "read" | "write"): string {
  const result = resolvePath(workspaceAt(root), path, purpose);
  return result.ok ? "ok" : result.code;
}

describe("resolvePath()", () => {
  test("gives the normalised path, the absolute one and what is there", () => {
    using dir = tempDir();
    writeTree(dir.path, { "src/a.ts": "abc" });
    const workspace = workspaceAt(dir.path);
    for (const purpose of ["read", "write"] as const) {
      const found = resolvePath(workspace, "./src//a.ts", purpose);
      expect(found).toMatchObject({ ok: true, path: "src/a.ts", stat: { size: 3 } });
      const missing = resolvePath(workspace, "src/b/c.ts", purpose);
      const absolute = join(dir.path, "src/b/c.ts");
      expect(missing).toEqual({ ok: true, path: "src/b/c.ts", absolute, stat: undefined });
      expect(resolvePath(workspace, "src", purpose).ok).toBe(true);
    }
  });

  test("refuses what the text of a path gives away", () => {
    using dir = tempDir();
    for (const purpose of ["read", "write"] as const) {
      expect(codeOf(dir.path, "../x", purpose)).toBe("ERR_INVALID_PATH");
      expect(codeOf(dir.path, "/etc/passwd", purpose)).toBe("ERR_INVALID_PATH");
      expect(codeOf(dir.path, "x".repeat(241), purpose)).toBe("ERR_PATH_TOO_LONG");
      expect(codeOf(dir.path, "a/.git/config", purpose)).toBe("ERR_PROTECTED_PATH");
    }
    expect(codeOf(dir.path, "bun.lock", "read")).toBe("ok");
    expect(codeOf(dir.path, "bun.lock", "write")).toBe("ERR_PROTECTED_PATH");
  });

  test("tells a link on the way from what is no file, and names no place of this machine", () => {
    using dir = tempDir();
    writeTree(dir.path, { "d/x": "x" });
    symlinkSync("d", join(dir.path, "to-dir"));
    const workspace = workspaceAt(dir.path);
    expect(resolvePath(workspace, "to-dir/x", "write")).toMatchObject({
      code: "ERR_INVALID_PATH",
      reason: '"to-dir" is a symbolic link; name what it points to',
    });
    const fault = Object.assign(new Error(`EIO: i/o error, stat '${dir.path}/d/x'`), {
      code: "EIO",
    });
    const unreadable = () => {
      throw fault;
    };
    expect(resolvePath(workspace, "d/x", "read", unreadable)).toMatchObject({
      code: "ERR_IO",
      reason: "EIO: i/o error, stat 'd/x'",
    });
  });

  test("reads through links that stay inside, and through no other", () => {
    using dir = tempDir("papayu-safe");
    using twin = tempDir("papayu-safe");
    writeTree(dir.path, { "a.txt": "a", ".env": "SECRET=1", "d/x": "x" });
    writeTree(twin.path, { "b.txt": "b" });
    const link = (target: string, path: string) => symlinkSync(target, join(dir.path, path));
    link("a.txt", "to-file");
    link("d", "to-dir");
    link(".env", "to-secret");
    link(join(twin.path, "b.txt"), "out-file");
    link(twin.path, "out-dir");
    link("/proc/self", "proc");
    link("nowhere", "dangling");
    link("loop", "loop");
    const codes = [
      "to-file",
      "to-dir/x",
      "to-secret",
      "out-file",
      "out-dir/b.txt",
      "proc/environ",
    ].map((path) => codeOf(dir.path, path, "read"));
    expect(codes).toEqual([
      "ok",
      "ok",
      "ERR_PROTECTED_PATH",
      "ERR_INVALID_PATH",
      "ERR_INVALID_PATH",
      "ERR_INVALID_PATH",
    ]);
    for (const path of ["dangling", "loop", "out-dir/missing"]) {
      expect([path, codeOf(dir.path, path, "read")]).toEqual([path, "ERR_INVALID_PATH"]);
    }
    expect(codeOf(dir.path, "to-dir/missing", "read")).toBe("ok");
  });

  test("does not take a folder with the same beginning for the workspace", () => {
    using parent = tempDir();
    writeTree(parent.path, { "safe/a": "a", "safevil/b": "b" });
    symlinkSync("../safevil/b", join(parent.path, "safe/b"));
    expect(codeOf(join(parent.path, "safe"), "b", "read")).toBe("ERR_INVALID_PATH");
  });

  test("writes through no link and to no special file, but to one of several names", async () => {
    using dir = tempDir();
    writeTree(dir.path, { "a.txt": "a", "h1.txt": "h" });
    mkdirSync(join(dir.path, "d"));
    symlinkSync("a.txt", join(dir.path, "to-file"));
    symlinkSync("d", join(dir.path, "to-dir"));
    symlinkSync("nowhere", join(dir.path, "dangling"));
    linkSync(join(dir.path, "h1.txt"), join(dir.path, "h2.txt"));
    expect(await Bun.spawn(["mkfifo", join(dir.path, "pipe")]).exited).toBe(0);
    for (const path of ["to-file", "to-dir/new", "dangling", "pipe", "a.txt/below"]) {
      expect([path, codeOf(dir.path, path, "write")]).toEqual([path, "ERR_INVALID_PATH"]);
    }
    expect(codeOf(dir.path, "pipe", "read")).toBe("ERR_INVALID_PATH");
    expect(codeOf(dir.path, "h1.txt", "read")).toBe("ok");
    expect(codeOf(dir.path, "h1.txt", "write")).toBe("ok");
  });

  test("reads a name in whatever Unicode form it is, and makes no second one beside it", () => {
    using dir = tempDir();
    const [composed, apart] = ["caf\u00e9/na\u00efve.md", "cafe\u0301/nai\u0308ve.md"];
    writeTree(dir.path, { [apart]: "abc" });
    for (const path of [composed, apart]) {
      expect(resolvePath(workspaceAt(dir.path), path, "read")).toMatchObject({
        path: composed,
        stat: { size: 3 },
      });
    }
    // A disk that takes both forms for one has no second one to make.
    const isOne = existsSync(join(dir.path, composed));
    for (const path of [composed, "caf\u00e9/new.md"]) {
      expect(codeOf(dir.path, path, "write")).toBe(isOne ? "ok" : "ERR_INVALID_PATH");
    }
    expect(codeOf(dir.path, "th\u00e9.md", "write")).toBe("ok");
  });

  test("writes no other spelling of a name where the disk takes both for one", () => {
    using dir = tempDir();
    writeTree(dir.path, { "Docs/README.md": "abc" });
    const isOne = existsSync(join(dir.path, "docs"));
    for (const path of ["Docs/readme.md", "docs/new.md", "DOCS"]) {
      expect(codeOf(dir.path, path, "write")).toBe(isOne ? "ERR_INVALID_PATH" : "ok");
    }
    expect(codeOf(dir.path, "Docs/README.md", "write")).toBe("ok");
  });

  test("holds the workspace's own globs for reading and writing", () => {
    using dir = tempDir();
    const workspace = workspaceAt(dir.path, ["private/**", "*.secret.md"]);
    for (const path of ["private", "PRIVATE/a/b", "notes/x.Secret.md"]) {
      expect(resolvePath(workspace, path, "read")).toMatchObject({ code: "ERR_PROTECTED_PATH" });
    }
    expect(resolvePath(workspace, "src/private/a", "write").ok).toBe(true);
  });
});

describe("isProtectedPath()", () => {
  const always = `.env .ENV .env.local .env.production a/.env server.pem k.KEY c.p12 c.pfx id_rsa
    id_rsa.pub id_ed25519 id_ecdsa_sk secrets secrets/db.txt a/Secrets/b .git .git/config a/.git
    .ssh/config .npmrc a/.netrc _netrc .git-credentials .pypirc .dockercfg .docker/config.json prod.env
    .env~ .env-cmdrc env.local id_dsa my-Credentials.prod.json terraform.tfstate x.tfstate.backup
    .htpasswd db.kdbx app.keystore store.jks .kube/config .azure/x .config/gcloud/y .mozilla/z
    .config/google-chrome/Default/Cookies .pgpass .cargo/credentials.toml .vault-token
    id_rsa.bak .id_rsa.swp #.npmrc# .#.env server.pem.old .ssh.bak/config .gnupg/x .aws/credentials .envrc .papa-yu/tx/x sub/.papa-yu/lock .\u017fsh/config .En\u0056 k.\u212aey`.split(
    /\s+/,
  );
  test.each(always)("refuses %p to readers and writers", (path) => {
    expect(isProtectedPath(path, [], "read")).toBe(true);
    expect(isProtectedPath(path, [], "write")).toBe(true);
  });

  test.each([
    ".env copy",
    ".env copy 2",
    ".env - Copy",
    ".env (copy)",
    "a/.env (1)",
    ".npmrc (another copy)",
    ".netrc (3rd copy)",
    ".env копия",
    "server.pem (1)/x",
  ])("refuses %p, the copy of a file manager", (path) => {
    expect(isProtectedPath(path, [], "read")).toBe(true);
  });

  test("lets what only speaks of such a file pass", () => {
    expect(isProtectedPath("api.key rotation.md", [], "read")).toBe(false);
    expect(isProtectedPath("the .env file.md", [], "read")).toBe(false);
  });

  const never = `.env.example src/env.ts .gitignore .github/workflows/ci.yml keys.ts monkey
    secrets.ts my-secrets/a .docker/compose.yml src/credentials.ts credentials.md vite-env.d.ts
    app.env.ts i18n.keys.ts .config/nvim/init.lua .cargo/config.toml terraform.tfvars pem.ts lock.ts environment .envoy git/config`.split(
    /\s+/,
  );
  test.each(never)("lets %p pass", (path) => {
    expect(isProtectedPath(path, [], "write")).toBe(false);
  });

  test.each(
    `bun.lock bun.lockb a/package-lock.json npm-shrinkwrap.json yarn.lock pnpm-lock.yaml
    pnpm-lock.feature.yaml deno.lock Cargo.lock go.sum go.work.sum uv.lock poetry.lock pylock.toml
    pylock.dev.toml Pipfile.lock MODULE.bazel.lock Gemfile.lock composer.lock packages.lock.json
    gradle.lockfile buildscript-gradle.lockfile .terraform.lock.hcl Package.resolved
    conda-lock.yml stack.yaml.lock flake.lock`.split(/\s+/u),
  )("lets %p be read but not written", (path) => {
    expect(isProtectedPath(path, [], "read")).toBe(false);
    expect(isProtectedPath(path, [], "write")).toBe(true);
  });
});

test("BUILT_IN_PROTECTED names nothing that is not protected", () => {
  const open = BUILT_IN_PROTECTED.filter(
    (name) => !isProtectedPath(name.replace("*", "x"), [], "read"),
  );
  expect(open).toEqual([]);
});
