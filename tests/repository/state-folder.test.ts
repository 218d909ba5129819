import { expect, test } from "bun:test";
import { join } from "node:path";
import { Glob } from "bun";

const SRC = join(import.meta.dir, "../../src");

/** Builds or holds a name below the state folder of a workspace. */
const KNOWS_STATE =
  /\b(?:STATE_DIR|openStateFolder|openStateSubfolder|inStateFolder|inStateSubfolder|ensureStateSubdir|transactionPath|journalPath|imagesPath|OBJECTS|slotOf)\b/u;

/** Whatever opens, lists, makes or removes something by its path. */
const BY_PATH =
  /(?<!function )\b((?:open|readFile|writeFile|appendFile|mkdir|mkdtemp|readdir|opendir|lstat|stat|unlink|rename|rm|rmdir|link|symlink|exists|chmod|chown|lchown|access|cp|copyFile|truncate|utimes|realpath)Sync|Bun\.file|Bun\.write|createReadStream|createWriteStream|readPlainFile|openPlainFile|writeDurably|openDirectory|beginJournal|reopenJournal|writeImages|writeNew|takeLock|new Database)\(\s*([^,;]*)/gu;

/** An entry of a folder that is held open, or a file that is open already. */
const IS_HELD = /^(?:(?:\w+\.)?(?:at|touch|entry)\(|fd\b)/u;

/** Every other call, with its reason. */
const ALLOWED: ReadonlyMap<string, readonly string[]> = new Map([
  // The folder itself is what is compared, not what is below it.
  ["transaction/journal/foreign.ts", ["lstatSync(root"]],
  ["workspace/identity.ts", ["statSync(a)", "statSync(b)", "statSync(root)"]],
  // SQLite opens by a path; what it opened is compared with the entry of the held folder.
  ["transaction/lock.ts", ["takeLock(path", "lstatSync(path)"]],
  // The functions behind beginJournal, writeImages and writeNew, to which an entry is given.
  ["transaction/journal/write-journal.ts", ["openSync(path", "lstatSync(path"]],
  ["transaction/stage/objects.ts", ["openSync(path"]],
  ["transaction/stage/stage.ts", ["openSync(path"]],
  // The entries of folders that it has just opened, each refused if it is a link.
  [
    "workspace/state-folder.ts",
    ["mkdirSync(path", "lstatSync(ignoreFile", "writeDurably(ignoreFile"],
  ],
  ["trace/trace-files.ts", ["openPlainFile(path"]],
  // What a person wrote, read and never obeyed as state; refused where a link is on the way.
  ["workspace/skills/skills.ts", ["existsSync(path)", "realpathSync(", "readdirSync(path"]],
  // Looks for second names of secrets in the whole workspace; opens no file, follows no link.
  ["workspace/path-guard/second-names.ts", ["readdirSync(folder", "lstatSync(join(base"]],
  // Made a line above as an entry of the held folder, and named by what that gave.
  ["tools/command/snapshot.ts", ["lstatSync(probe)", "rmdirSync(probe)"]],
]);

/** A path to the state folder as text leads around the door, wherever it is put together. */
const AS_PATH: ReadonlyMap<string, string> = new Map([
  ["transaction/lock.ts", "SQLite opens by a path"],
  ["workspace/state-folder.ts", "the door itself, for its messages"],
  ["workspace/state-dir.ts", "for a sandbox, which takes paths"],
  ["tools/command/run-argv.ts", "for a sandbox, which takes paths"],
  ["transaction/check.ts", "for a sandbox, which takes paths"],
  ["system/probes/probes.ts", "a workspace made for the probes"],
]);

test("what lies below a state folder is opened as an entry of a folder held open", async () => {
  const wrong: string[] = [];
  for (const [file, text] of await sources()) {
    if (!KNOWS_STATE.test(text)) continue;
    for (const [call, , path = ""] of text.matchAll(BY_PATH)) {
      if (IS_HELD.test(path)) continue;
      if (ALLOWED.get(file)?.some((known) => call.startsWith(known))) continue;
      wrong.push(`${file}: ${call}`);
    }
  }
  expect(wrong).toEqual([]);
});

test("nobody else puts a path to a state folder together", async () => {
  const found = (await sources()).filter(([, text]) =>
    /join\([^()]*(?:STATE_DIR|"\.papa-yu["/])|`\$\{[^}]*\}\/\$\{STATE_DIR\}|\/\.papa-yu\/\$\{/u.test(
      text,
    ),
  );
  expect(found.map(([file]) => file).filter((file) => !AS_PATH.has(file))).toEqual([]);
});

test("the search for such calls finds one that goes by a path", () => {
  const bypass = 'const text = readFileSync(join(root, STATE_DIR, "x"), "utf8");';
  const [found] = bypass.matchAll(BY_PATH);
  expect(KNOWS_STATE.test(bypass)).toBe(true);
  expect(found && IS_HELD.test(found[2] ?? "")).toBe(false);
});

/** Without comments. */
async function sources(): Promise<readonly (readonly [string, string])[]> {
  const files = await Array.fromAsync(new Glob("**/*.ts").scan(SRC));
  expect(files.length).toBeGreaterThan(50);
  return Promise.all(
    files.toSorted().map(async (file) => {
      const text = await Bun.file(join(SRC, file)).text();
      return [file, text.replaceAll(/\/\*[\s\S]*?\*\/|^\s*\/\/.*$/gmu, "")] as const;
    }),
  );
}
