import { mkdirSync, readdirSync, readFileSync, renameSync, rmSync } from "node:fs";
import { isAbsolute, join } from "node:path";
import { AppError } from "../../core/app-error.ts";
import { isListOf, isObject, isOneOf, isText, parseJsonAs } from "../../core/guards.ts";
import { readOrEmpty } from "../read-or-empty.ts";
import { EMBEDDED, type EmbeddedConsole } from "./embedded-console.ts";
import { LAUNCH_FLAGS } from "./own.ts";

/** A file of the page, as it lies there. */
export interface ConsoleFile {
  /** For `Bun.file`; inside the single file, too. */
  readonly path: string;
  readonly type: string;
  readonly encoding?: "br";
}

/** The page of the web console: one document, and files whose names change with what is in them. */
export interface ConsoleFiles {
  readonly shell: string;
  file(name: string): ConsoleFile | undefined;
}

/** Where the page is kept that was made from the sources. */
const FOLDER = "console";
const MADE = "made.json";
/** The folder with `src/` in it, where the sources run. */
const ROOT = join(import.meta.dir, "../../..");
/** What the page is made of. */
const SOURCES = [
  "src/console",
  "src/core",
  "src/texts",
  "package.json",
  "scripts/build/console.ts",
];

/**
 * The page that comes with this program. Where the sources run it is made of them, once: it is kept
 * in the home under a hash of all that it is made of.
 *
 * @throws AppError ERR_IO when it cannot be made
 */
export async function openConsoleFiles(home: string): Promise<ConsoleFiles> {
  return toFiles(EMBEDDED ? inProgram(EMBEDDED) : await makeOnce(join(home, FOLDER)));
}

/** Bun names what lies beside a program by the way to it from there. */
function inProgram({ shell, files }: EmbeddedConsole): EmbeddedConsole {
  const placed = Object.entries(files).map(([name, file]) => {
    const path = isAbsolute(file.path) ? file.path : join(import.meta.dir, file.path);
    return [name, { ...file, path }] as const;
  });
  return { shell, files: Object.fromEntries(placed) };
}

async function makeOnce(folder: string): Promise<EmbeddedConsole> {
  const key = hashSources();
  const place = join(folder, key);
  const found = readMade(place);
  if (found) return found;
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  const making = join(folder, `making-${process.pid}`);
  rmSync(making, { recursive: true, force: true });
  // In a process of its own: what it takes to translate the page does not stay with the daemon.
  const script = join(ROOT, "scripts/build/console.ts");
  const child = Bun.spawn([process.execPath, ...LAUNCH_FLAGS, script, making], {
    stdin: "ignore",
    stdout: "ignore",
    stderr: "pipe",
  });
  const said = await child.stderr.text();
  if ((await child.exited) !== 0) {
    rmSync(making, { recursive: true, force: true });
    throw new AppError("ERR_IO", `Cannot make the page of the console: ${said.trim()}`);
  }
  for (const name of readdirSync(folder)) {
    if (join(folder, name) !== making) rmSync(join(folder, name), { recursive: true, force: true });
  }
  renameSync(making, place);
  const made = readMade(place);
  if (!made) throw new AppError("ERR_IO", `Cannot read the page of the console in "${place}"`);
  return made;
}

/** Content, not times: a checkout that goes back to another commit makes nothing anew. */
function hashSources(): string {
  const hash = new Bun.CryptoHasher("sha256").update(Bun.version);
  for (const source of SOURCES) {
    const paths = source.includes(".") ? [""] : readdirSync(join(ROOT, source), ALL);
    for (const path of paths.filter((each) => each === "" || each.includes(".")).toSorted()) {
      hash.update(`\n${source}/${path}\n`).update(readFileSync(join(ROOT, source, path)));
    }
  }
  return hash.digest("hex").slice(0, 16);
}

const ALL = { recursive: true, encoding: "utf8" } as const;

const isMade = isObject({
  shell: isText,
  files: isListOf(isObject({ name: isText, type: isText, encoding: isOneOf("br") })),
});

/** Nothing there, or half of it: then it is made anew. */
function readMade(folder: string): EmbeddedConsole | undefined {
  const made = parseJsonAs(readOrEmpty(join(folder, MADE)), isMade);
  const files = made?.files.map(({ name, type, encoding }) => {
    return [name, { path: join(folder, `${name}.br`), type, encoding }] as const;
  });
  return made && { shell: made.shell, files: Object.fromEntries(files ?? []) };
}

function toFiles({ shell, files }: EmbeddedConsole): ConsoleFiles {
  const byName = new Map(Object.entries(files));
  return { shell, file: (name) => byName.get(name) };
}
