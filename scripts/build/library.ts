import { copyFileSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join, relative } from "node:path";

/**
 * Makes what programs import from the package, in `folder`: `index.js` for Node and Bun,
 * `browser.js` for what a browser gets, and the types of both below `types/`.
 */
export async function buildLibrary(root: string, folder: string): Promise<void> {
  rmSync(folder, { recursive: true, force: true });
  const entrypoint = join(root, "src/index.ts");
  for (const [target, name] of [
    ["node", "index"],
    ["browser", "browser"],
  ] as const) {
    await Bun.build({
      entrypoints: [entrypoint],
      outdir: folder,
      naming: { entry: `${name}.js` },
      target,
      format: "esm",
      minify: true,
    });
  }
  writeTypes(root, join(folder, "types"));
}

/** Only what `index.d.ts` leads to; names end in `.js`, which every way to resolve them takes. */
function writeTypes(root: string, folder: string): void {
  const made = mkdtempSync(join(tmpdir(), "papayu-types-"));
  try {
    const options = ["--noEmit", "false", "--declaration", "--emitDeclarationOnly"];
    const project = join(root, "tsconfig.library.json");
    const argv = [join(root, "node_modules/.bin/tsc"), "-p", project, ...options, "--outDir", made];
    const { exitCode, stdout } = Bun.spawnSync(argv);
    if (exitCode !== 0) throw new Error(`Cannot write the types:\n${stdout.toString()}`);
    copyTypes(made, folder, "index.d.ts", new Set());
    copyFileSync(SCHEMA_TYPES, join(folder, "schema-types.d.ts"));
  } finally {
    rmSync(made, { recursive: true, force: true });
  }
}

const SCHEMA_TYPES = join(import.meta.dir, "schema-types.d.ts");
const IMPORT = /(?<=\bfrom "|\bimport\(")(\.[^"]*)\.ts(?=")/gu;

function copyTypes(made: string, folder: string, name: string, copied: Set<string>): void {
  if (copied.has(name)) return;
  copied.add(name);
  const text = readFileSync(join(made, name), "utf8");
  mkdirSync(dirname(join(folder, name)), { recursive: true });
  const schemaTypes = `./${relative(dirname(name), "schema-types.js")}`;
  const own = text.replaceAll(IMPORT, "$1.js").replace('"typebox"', `"${schemaTypes}"`);
  writeFileSync(join(folder, name), own);
  for (const [, path = ""] of text.matchAll(IMPORT)) {
    copyTypes(made, folder, join(dirname(name), `${path}.d.ts`), copied);
  }
}
