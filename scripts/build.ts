/**
 * What people install, in `dist/`: `bun run build` makes the package's program and library, and a
 * single file for this machine; `bun run build TARGET…` single files for others (`linux-arm64`,
 * `darwin-x64`, `all` …); `bun run build package` what `npm pack` takes along, which calls it.
 * `--into FOLDER` makes it there instead.
 */
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { parseArgs } from "node:util";
import type { Build } from "../src/system/own/own.ts";
import { OWN_PROGRAMS } from "../src/system/own/programs.ts";
import { buildConsole, embedConsole, SMALLEST } from "./build/console.ts";
import { assertLean, leanClient } from "./build/lean-client.ts";
import { buildLibrary } from "./build/library.ts";
import { renderMan } from "./build/man.ts";

const ROOT = resolve(import.meta.dir, "..");
const SRC = join(ROOT, "src");

/** Machines that a single file can be made for, as it is named for them, and as Bun names them. */
const TARGETS = {
  "linux-x64": "bun-linux-x64",
  "linux-x64-musl": "bun-linux-x64-musl",
  "linux-arm64": "bun-linux-arm64",
  "linux-arm64-musl": "bun-linux-arm64-musl",
  "darwin-x64": "bun-darwin-x64",
  "darwin-arm64": "bun-darwin-arm64",
  "windows-x64": "bun-windows-x64",
} as const satisfies Readonly<Record<string, Bun.Build.CompileTarget>>;

type Target = keyof typeof TARGETS;

const { values, positionals: asked } = parseArgs({
  args: process.argv.slice(2),
  options: { into: { type: "string", default: join(ROOT, "dist") } },
  allowPositionals: true,
});
const DIST = resolve(values.into);
const own = `${process.platform}-${process.arch}`;
const named = asked.length === 0 ? ["package", own] : asked;
const wanted = named.flatMap((name) => (name === "all" ? Object.keys(TARGETS) : [name]));
const unknown = wanted.filter((name) => name !== "package" && !isTarget(name));
if (unknown.length > 0) {
  const known = ["package", "all", ...Object.keys(TARGETS)].join(", ");
  console.error(`Cannot build "${unknown.join(" ")}": there are ${known}`);
  process.exit(2);
}

const commit = Bun.spawnSync(["git", "-C", ROOT, "rev-parse", "--short=12", "HEAD"]);
const pageFolder = mkdtempSync(join(tmpdir(), "papayu-page-"));
const page = embedConsole(pageFolder, await buildConsole(pageFolder, SMALLEST));
const base = { commit: commit.success ? commit.stdout.toString().trim() : "" };

for (const name of wanted) {
  if (name === "package") console.log(await buildPackage());
  if (isTarget(name)) console.log(await buildSingle(name));
}
rmSync(pageFolder, { recursive: true, force: true });
writeSums();

function isTarget(name: string): name is Target {
  return Object.hasOwn(TARGETS, name);
}

/** `dist/program/`: files that Bun runs, `main.js` first; `dist/library/`: what is imported. */
async function buildPackage(): Promise<string> {
  const program = await bundle({
    entrypoints: [join(SRC, "main.ts"), ...Object.values(OWN_PROGRAMS).map((it) => join(SRC, it))],
    outdir: join(DIST, "program"),
    naming: { entry: "[name].js", chunk: "[name]-[hash].js", asset: "page/[name]-[hash].[ext]" },
    target: "bun",
    splitting: true,
    ...toDefines({ ...base, form: "package", target: "" }),
  });
  await buildLibrary(ROOT, join(DIST, "library"));
  writeFileSync(join(DIST, "papayu.1"), renderMan());
  return `dist/program: ${program} kB, dist/library`;
}

/** Everything in one file, Bun with it, translated ahead. */
async function buildSingle(target: Target): Promise<string> {
  const name = `papayu-${target}${target.startsWith("windows") ? ".exe" : ""}`;
  await bundle({
    entrypoints: [join(SRC, "single.ts")],
    target: "bun",
    splitting: true,
    bytecode: true,
    compile: {
      target: TARGETS[target],
      outfile: join(DIST, name),
      // Whoever started it may stand in anybody's folder: see `LAUNCH_FLAGS`.
      autoloadDotenv: false,
      autoloadBunfig: false,
      autoloadTsconfig: false,
      autoloadPackageJson: false,
    },
    ...toDefines({ ...base, form: "single", target }, readShipped()),
  });
  return `dist/${name}`;
}

function toDefines(build: Build, files?: Readonly<Record<string, string>>) {
  return {
    define: {
      PAPAYU_BUILD: JSON.stringify(build),
      ...(files && { PAPAYU_FILES: JSON.stringify(files) }),
    },
  };
}

/** Makes it new in a place of its own first, so that nobody starts half of it; its size in kB. */
async function bundle(options: Bun.BuildConfig): Promise<number> {
  const { outdir } = options;
  if (outdir) rmSync(outdir, { recursive: true, force: true });
  mkdirSync(DIST, { recursive: true });
  const result = await Bun.build({
    format: "esm",
    minify: true,
    plugins: [page, leanClient],
    ...options,
  });
  assertLean();
  const bytes = result.outputs.reduce((sum, { size }) => sum + size, 0);
  return Math.round(bytes / 1000);
}

/** The files of the folders that come with papa-yu. */
function readShipped(): Readonly<Record<string, string>> {
  const folders = ["skills", "workspaces/sample"];
  const paths = folders.flatMap((folder) =>
    [...new Bun.Glob("**/*").scanSync({ cwd: join(ROOT, folder) })].map((it) => `${folder}/${it}`),
  );
  return Object.fromEntries(
    paths.toSorted().map((path) => [path, readFileSync(join(ROOT, path), "utf8")]),
  );
}

/** `sha256sum -c` reads it. */
function writeSums(): void {
  const singles = readdirSync(DIST).filter((name) => name.startsWith("papayu-"));
  const lines = singles.toSorted().map((name) => {
    const hash = new Bun.CryptoHasher("sha256").update(readFileSync(join(DIST, name)));
    return `${hash.digest("hex")}  ${name}\n`;
  });
  if (lines.length > 0) writeFileSync(join(DIST, "SHA256SUMS"), lines.join(""));
}
