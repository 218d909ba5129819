import { copyFileSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join, relative } from "node:path";
import type { BunPlugin } from "bun";

/** What the library takes from its surroundings: the only part that is another in a browser. */
const SURROUNDINGS = { "node:buffer": ["Buffer", "isAscii"], "node:dns/promises": ["lookup"] };
const NAMES = Object.values(SURROUNDINGS).flat().join();
const HOLDER = "./surroundings.js";

/**
 * Makes what programs import from the package, in `folder`: `index.js` for Node and Bun,
 * `browser.js` for what a browser gets, and the types of both below `types/`. Both are the same
 * `core.js`, over what each has around it: it weighs 90 kB of the package.
 */
export async function buildLibrary(root: string, folder: string): Promise<void> {
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true });
  await bundle(folder, "core", "browser", join(root, "src/index.ts"), [HELD, APART]);
  writeFileSync(
    join(folder, HOLDER),
    `export let ${NAMES};export function surround(by){({${NAMES}}=by)}\n`,
  );
  for (const [target, name] of [
    ["node", "index"],
    ["browser", "browser"],
  ] as const) {
    const around = `around-${target}`;
    const made = join(folder, `${around}.ts`);
    const imports = Object.entries(SURROUNDINGS).map(
      ([from, of]) => `import {${of.join()}} from "${from}";`,
    );
    writeFileSync(made, `${imports.join("")}import{surround}from"${HOLDER}";surround({${NAMES}});`);
    await bundle(folder, around, target, made, [APART]);
    rmSync(made);
    // In this order: the core may use what is around it as soon as it is loaded.
    writeFileSync(join(folder, `${name}.js`), `import"./${around}.js";export*from"./core.js";\n`);
  }
  writeTypes(root, join(folder, "types"));
}

/** Where the core asks its surroundings for something, it asks the one file that holds it. */
const HELD: BunPlugin = {
  name: "surroundings",
  setup(build) {
    build.onResolve({ filter: /^node:/u }, ({ path }) => {
      if (!Object.hasOwn(SURROUNDINGS, path)) throw new Error(`The library may not need ${path}`);
      return { path: HOLDER, external: true };
    });
  },
};

/** The holder stands once, so that both sides mean the same. */
const APART: BunPlugin = {
  name: "apart",
  setup(build) {
    build.onResolve({ filter: /surroundings\.js$/u }, () => ({ path: HOLDER, external: true }));
  },
};

async function bundle(
  outdir: string,
  name: string,
  target: "node" | "browser",
  entrypoint: string,
  plugins: BunPlugin[],
): Promise<void> {
  await Bun.build({
    entrypoints: [entrypoint],
    outdir,
    naming: { entry: `${name}.js` },
    target,
    format: "esm",
    plugins,
    minify: true,
  });
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
