import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  renameSync,
  rmSync,
  statSync,
  utimesSync,
} from "node:fs";
import { join, resolve } from "node:path";

const ROOT = resolve(import.meta.dir, "../..");
const BUNDLER = Bun.fileURLToPath(import.meta.resolve("./bundle-papayu.ts"));
const PLACES = Bun.fileURLToPath(import.meta.resolve("./source-places.ts"));
const MOST_KEPT = 12;

/** The program as it is in the sources: for tests of how it starts, and what it loads. */
export const SOURCE_MAIN = join(ROOT, "src/main.ts");

/**
 * The program for tests of what it does: bundled and translated, for a process that reads and translates
 * the sources one by one works twice as long until it is ready. The long forms run the sources.
 */
export function papayuProgram(): string {
  if (process.env["LONG"] || process.env["LONG_FIGURES"]) return SOURCE_MAIN;
  program ??= bundleProgram(ROOT);
  return program;
}

/** Of this test file; the sources stay as they are meanwhile. */
let program: string | undefined;

/** The bundle of a project's `src/main.ts`; it lies under a hash of all that it is made of. */
export function bundleProgram(root: string): string {
  const cache = join(root, "node_modules/.cache/papayu-program");
  const folder = join(cache, hashSources(root));
  const main = join(folder, "main.js");
  if (existsSync(main)) {
    utimesSync(folder, new Date(), new Date());
    return main;
  }
  mkdirSync(cache, { recursive: true });
  removeOld(cache);
  // Under its name only when it is whole: other test files want it at the same time.
  const made = mkdtempSync(join(cache, "making-"));
  try {
    chmodSync(made, 0o755); // some tests start it as another user
    const command = [process.execPath, BUNDLER, root, made];
    const { exitCode, stderr } = Bun.spawnSync(command, { cwd: root });
    if (exitCode !== 0) throw new Error(`Cannot bundle the program: ${stderr.toString()}`);
    renameSync(made, folder);
  } catch (error) {
    rmSync(made, { recursive: true, force: true });
    if (!existsSync(main)) throw error;
  }
  return main;
}

/**
 * Everything that a bundle is made of; the bundler refuses to read anything else. A file is known by
 * its inode and the times of its last changes: to read them all costs each test file more than a start.
 */
function hashSources(root: string): string {
  const options = { recursive: true, encoding: "utf8" } as const;
  const sources = ["src", "schemas"].flatMap((folder) =>
    readdirSync(join(root, folder), options).map((name) => join(folder, name)),
  );
  const hash = new Bun.CryptoHasher("sha256").update(`${root} ${Bun.version} ${Bun.revision}`);
  const single = ["package.json", "bun.lock", "tsconfig.json", BUNDLER, PLACES];
  for (const name of [...sources.toSorted(), ...single]) {
    const { ino, size, mtimeNs, ctimeNs } = statSync(resolve(root, name), { bigint: true });
    hash.update(`\n${name} ${ino} ${size} ${mtimeNs} ${ctimeNs}`);
  }
  return hash.digest("hex");
}

/** All but the newest: what other versions of the sources, and copies of the project, run. */
function removeOld(cache: string): void {
  const made = readdirSync(cache).map((name) => {
    const path = join(cache, name);
    return { path, usedAt: statSync(path, { throwIfNoEntry: false })?.mtimeMs ?? 0 };
  });
  const newestFirst = made.toSorted((one, other) => other.usedAt - one.usedAt);
  for (const { path } of newestFirst.slice(MOST_KEPT)) {
    rmSync(path, { recursive: true, force: true });
  }
}
