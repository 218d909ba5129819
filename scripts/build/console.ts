/**
 * The page of the web console, as it is served: `bun scripts/build/console.ts FOLDER` makes it there.
 * `scripts/build.ts` puts it into what people install; from the sources the daemon has it made when
 * the page is asked for.
 */
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { basename, extname, join, resolve } from "node:path";
import { brotliCompressSync, constants } from "node:zlib";
import type { BuildArtifact, BunPlugin } from "bun";

const CONSOLE = resolve(import.meta.dir, "../../src/console");

const TYPES: Readonly<Record<string, string>> = {
  ".js": "text/javascript; charset=utf-8",
  ".css": "text/css; charset=utf-8",
  ".svg": "image/svg+xml",
};

const OTHER_TYPE = "application/octet-stream";

/** A tenth smaller than gzip in the same time. */
const QUICK = 9;
/** Another tenth smaller, in thirty times as long: for what is made once and kept by many. */
export const SMALLEST = 11;

/** A file of the page in the folder, and how it is sent. */
export interface MadeFile {
  readonly name: string;
  readonly type: string;
  readonly encoding: "br";
}

/** What a folder with the page has in it; `made.json` says it. */
export interface MadeConsole {
  readonly shell: string;
  readonly files: readonly MadeFile[];
}

/** Makes the page in a folder: its shell, and files under hashed names, compressed by Brotli. */
export async function buildConsole(folder: string, quality = QUICK): Promise<MadeConsole> {
  mkdirSync(folder, { recursive: true });
  // The worker is built by itself: nothing that it shares makes the first page larger.
  const outputs = [
    ...(await bundle("main.tsx", "styles/main.css")),
    ...(await bundle("colors/worker.ts")),
  ];
  const compressed = { params: { [constants.BROTLI_PARAM_QUALITY]: quality } };
  const entries = new Map<string, string>();
  const files: MadeFile[] = [];
  const write = (name: string, bytes: Uint8Array) => {
    if (files.some((file) => file.name === name)) return;
    writeFileSync(join(folder, `${name}.br`), brotliCompressSync(bytes, compressed));
    files.push({ name, type: TYPES[extname(name)] ?? OTHER_TYPE, encoding: "br" });
  };
  for (const output of outputs) {
    const name = basename(output.path);
    write(name, new Uint8Array(await output.arrayBuffer()));
    const [entry = "", place] = name.startsWith("worker-") ? ["worker", ""] : ["main", "/assets/"];
    if (output.kind !== "chunk") entries.set(`${entry}${extname(name)}`, `${place}${name}`);
  }
  const icon = readFileSync(join(CONSOLE, "shell/icon.svg"));
  const iconName = `icon-${Bun.hash(icon).toString(36)}.svg`;
  write(iconName, icon);
  entries.set("icon.svg", `/assets/${iconName}`);
  const shell = readFileSync(join(CONSOLE, "shell/shell.html"), "utf8").replaceAll(
    /\{\{(.+?)\}\}/gu,
    (_, name) => entries.get(name) ?? fail(name),
  );
  const made = { shell, files: files.toSorted((one, other) => (one.name < other.name ? -1 : 1)) };
  writeFileSync(join(folder, "made.json"), JSON.stringify(made));
  return made;
}

async function bundle(...names: readonly string[]): Promise<readonly BuildArtifact[]> {
  const { outputs } = await Bun.build({
    entrypoints: names.map((name) => join(CONSOLE, name)),
    root: CONSOLE,
    target: "browser",
    format: "esm",
    splitting: true,
    minify: true,
    publicPath: "/assets/",
    naming: { entry: "[name]-[hash].[ext]", chunk: "[name]-[hash].[ext]" },
    define: { "process.env.NODE_ENV": '"production"' },
    jsx: { runtime: "automatic", importSource: "preact", development: false },
    plugins: [withoutCpp],
  });
  return outputs;
}

/** For what Ruby has of C++ in its strings: a grammar of 54 kB, which no other language loads. */
const withoutCpp: BunPlugin = {
  name: "no grammar of C++",
  setup(build) {
    build.onLoad({ filter: /@shikijs\/langs\/dist\/cpp\.mjs$/u }, () => ({
      loader: "js",
      contents: "export default [];",
    }));
  },
};

/** Puts a page that was made in a folder into a program, in the place of none. */
export function embedConsole(folder: string, { shell, files }: MadeConsole): BunPlugin {
  const imports = files.map(
    ({ name }, at) =>
      `import file${at} from ${JSON.stringify(join(folder, `${name}.br`))} with { type: "file" };`,
  );
  const table = files.map(
    ({ name, type, encoding }, at) =>
      `${JSON.stringify(name)}: { path: file${at}, ...${JSON.stringify({ type, encoding })} },`,
  );
  const contents = `${imports.join("\n")}
export const EMBEDDED = { shell: ${JSON.stringify(shell)}, files: {${table.join("\n")}} };`;
  return {
    name: "the page is in the program",
    setup(build) {
      build.onLoad({ filter: /\/system\/own\/embedded-console\.ts$/u }, () => ({
        loader: "js",
        contents,
      }));
    },
  };
}

function fail(name: string): never {
  throw new Error(`Cannot build the page: no "${name}" was made`);
}

if (import.meta.main) {
  const [folder] = process.argv.slice(2);
  if (folder === undefined) throw new Error("Cannot build the page: name the folder to make it in");
  await buildConsole(resolve(folder));
}
