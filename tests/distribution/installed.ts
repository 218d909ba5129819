import { cpSync, mkdirSync, readFileSync, symlinkSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import packageJson from "../../package.json" with { type: "json" };

export const ROOT = resolve(import.meta.dir, "../..");

/** The environment of a machine that has Node, what every system has, and no Bun. */
export function bareEnvironment(home: string): Record<string, string> {
  const node = Bun.which("node");
  if (!node) throw new Error("Cannot test the package: node is not installed");
  const folder = join(home, "only-node");
  mkdirSync(folder, { recursive: true });
  for (const name of ["bun", "bunx"]) {
    if (Bun.which(name, { PATH: "/usr/bin:/bin" })) throw new Error(`${name} is in /usr/bin`);
  }
  symlinkSync(node, join(folder, "node"));
  return { PATH: `${folder}:/usr/bin:/bin`, HOME: home };
}

/** Runs `scripts/build.ts`; what it makes is in `folder`. */
export function build(folder: string, ...what: readonly string[]): void {
  const argv = [process.execPath, join(ROOT, "scripts/build.ts"), ...what, "--into", folder];
  const { exitCode, stderr, stdout } = Bun.spawnSync(argv, { cwd: ROOT });
  if (exitCode !== 0)
    throw new Error(`Cannot build ${what.join(" ")}: ${stderr.toString()}${stdout.toString()}`);
}

/** What `npm pack` made of the project. */
export interface Packed {
  readonly path: string;
  readonly bytes: number;
  readonly files: readonly string[];
}

/** Packs a copy, so that nobody's `dist/` is touched; built already, as `prepack` has it done. */
export function pack(folder: string): Packed {
  const copy = join(folder, "copy");
  build(join(copy, "dist"), "package");
  for (const name of ["package.json", "LICENSE", "README.md", ...packageJson.files]) {
    if (name.startsWith("dist/")) continue;
    const path = name.split("/*")[0] ?? name;
    cpSync(join(ROOT, path), join(copy, path), { recursive: true });
  }
  const argv = ["npm", "pack", "--json", "--ignore-scripts", "--offline"];
  const { stdout, stderr } = Bun.spawnSync(argv, { cwd: copy });
  const [made] = parse(stdout.toString()) ?? [];
  if (!made) throw new Error(`Cannot pack: ${stderr.toString()}`);
  return {
    path: join(copy, made.filename),
    bytes: made.size,
    files: made.files.map(({ path }) => path),
  };
}

interface Made {
  readonly filename: string;
  readonly size: number;
  readonly files: readonly { readonly path: string }[];
}

function parse(text: string): readonly Made[] | undefined {
  return text.startsWith("[") ? JSON.parse(text) : undefined;
}

/**
 * Lays a tarball where `npm install` would, with our own Bun as the one that it depends on; the
 * folder with `node_modules`.
 */
export function install(tarball: string, app: string): string {
  const own = join(app, "node_modules/papayu");
  mkdirSync(own, { recursive: true });
  Bun.spawnSync(["tar", "xzf", tarball, "-C", own, "--strip-components=1"]);
  mkdirSync(join(app, "node_modules/bun/bin"), { recursive: true });
  symlinkSync(process.execPath, join(app, "node_modules/bun/bin/bun.exe"));
  mkdirSync(join(app, "node_modules/.bin"), { recursive: true });
  const { bin } = JSON.parse(readFileSync(join(own, "package.json"), "utf8"));
  symlinkSync(join("../papayu", bin.papayu), join(app, "node_modules/.bin/papayu"));
  return dirname(own);
}

/** How they are answered: the shell, its style and its script. */
export const PAGE = [
  "200 text/html; charset=utf-8",
  "200 text/css; charset=utf-8",
  "200 text/javascript; charset=utf-8",
];

/** The files that the page at an address is begun with, as a browser on this machine gets them. */
export async function loadPage(address: string): Promise<readonly string[]> {
  const { host, port } = new URL(address);
  const get = async (path: string) => {
    const init = { headers: { host, "sec-fetch-mode": "navigate", "sec-fetch-dest": "document" } };
    const response = await fetch(`http://127.0.0.1:${port}${path}`, init);
    return `${response.status} ${response.headers.get("content-type")}\n${await response.text()}`;
  };
  const shell = await get("/");
  const named = [...shell.matchAll(/(?:src|href)="(\/assets\/[^"]+\.(?:js|css))"/gu)];
  return [shell, ...(await Promise.all(named.map(([, path = ""]) => get(path))))];
}
