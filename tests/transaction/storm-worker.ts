import { chownSync, mkdirSync, rmSync } from "node:fs";
import { join } from "node:path";
import { createDice } from "../support/dice.ts";
import { tempDir } from "../support/temp.ts";
import { readTree, writeTree } from "../support/tree.ts";
import { createModel, type Life, type Model, type Said, type Trouble } from "./storm-model.ts";

/**
 * Lets processes live and die in workspaces until so many were killed, and prints what came of it:
 * `storm-worker.ts FOLDER SEED KILLS [TROUBLE]`.
 */
export interface StormReport {
  readonly seed: number;
  readonly kills: number;
  /** How often each end was said. */
  readonly said: Readonly<Record<string, number>>;
  readonly inconsistent: readonly string[];
  readonly falseWords: readonly string[];
  /** Roll-backs that were given up though nothing prevented them. */
  readonly unneeded: readonly string[];
  /** Lives that ended with an error of their own. */
  readonly threw: readonly string[];
}

const [folder = "", seedText = "", killsText = "", onlyTrouble] = process.argv.slice(2);
const seed = Number(seedText);
const dice = createDice(seed);

/** So many kills one workspace lives through; a long history makes the next life slow. */
const KILLS_EACH = 25;
/** What some life has to come to. */
const ENDS = ["apply committed", "fail rolled_back"];
const MOST_CALM_LIVES = 20;
const NOBODY = 65534;
const IS_SUPERUSER = process.getuid?.() === 0 && onlyTrouble === undefined;

/** Loading one file takes half the time of loading sixty. */
async function bundleLife(): Promise<string> {
  const built = await Bun.build({
    entrypoints: [Bun.fileURLToPath(new URL("./storm-life.ts", import.meta.url))],
    target: "bun",
    outdir: folder,
  });
  const [output] = built.outputs;
  if (!output) throw new Error("nothing was built");
  return output.path;
}

interface StormScene {
  readonly root: string;
  readonly out: string;
  readonly asNobody: boolean;
  readonly model: Model;
  readonly [Symbol.dispose]: () => void;
}

function openStormScene(): StormScene {
  const dir = tempDir("storm-", folder);
  const root = join(dir.path, "ws");
  const out = join(dir.path, "out");
  mkdirSync(root);
  mkdirSync(out);
  writeTree(root, {
    "a.txt": "a\nb\n",
    "d/e.txt": "e\r\nf\r\n",
    "keep.bin": Buffer.from([0, 255]),
  });
  const asNobody = IS_SUPERUSER && dice(2) === 0;
  if (asNobody)
    for (const path of [
      dir.path,
      root,
      out,
      ...["a.txt", "d", "d/e.txt", "keep.bin"].map((name) => join(root, name)),
    ])
      chownSync(path, NOBODY, NOBODY);
  const model = createModel(readTree(root));
  return { root, out, asNobody, model, [Symbol.dispose]: () => dir[Symbol.dispose]() };
}

function chooseTrouble(): Trouble {
  if (onlyTrouble === "full disk") return dice(3) === 0 ? "none" : "full disk";
  return (
    (["none", "none", "few descriptors", "small files", "read-only folder"] as const)[dice(5)] ??
    "none"
  );
}

function wrap(trouble: Trouble, asNobody: boolean): readonly string[] {
  const user = asNobody
    ? ["setpriv", `--reuid=${NOBODY}`, `--regid=${NOBODY}`, "--clear-groups"]
    : [];
  if (trouble === "few descriptors")
    return [...user, "sh", "-c", `ulimit -n ${16 + dice(24)}; exec "$@"`, "sh"];
  if (trouble === "small files")
    return [...user, "sh", "-c", `trap '' XFSZ; ulimit -f ${1 + dice(16)}; exec "$@"`, "sh"];
  return user;
}

/** Where the machine may refuse a part of a roll-back; elsewhere nothing excuses one. */
const MAY_REFUSE: ReadonlySet<Trouble> = new Set(["few descriptors", "small files", "full disk"]);

const said: Record<string, number> = {};
const unneeded: string[] = [];
const threw: string[] = [];
const inconsistent: string[] = [];
const falseWords: string[] = [];

/** @returns whether it was killed */
async function live(
  script: string,
  { root, out, asNobody, model }: StormScene,
  isCalm = false,
): Promise<boolean> {
  const trouble = isCalm ? "none" : chooseTrouble();
  const diesBy = !isCalm && dice(2) === 0 ? dice(60) + 1 : 0;
  const life: Life = { root, out, seed: dice(2 ** 30), ops: 6, dieAt: diesBy, trouble };
  const argv = [...wrap(trouble, asNobody), process.execPath, script, JSON.stringify(life)];
  const child = Bun.spawn(argv, { stdout: "pipe", stderr: "ignore", cwd: root });
  const afterMs = diesBy > 0 ? 5000 : dice(120) ** 2 / 120;
  let text = "";
  let timer: ReturnType<typeof setTimeout> | undefined;
  const decoder = new TextDecoder();
  for await (const chunk of child.stdout) {
    text += decoder.decode(chunk, { stream: true });
    if (!isCalm && timer === undefined && text.includes("\n"))
      timer = setTimeout(() => child.kill("SIGKILL"), afterMs);
  }
  await child.exited;
  clearTimeout(timer);
  for (const line of text.split("\n")) {
    if (!line.endsWith("}")) continue;
    const event: Said = JSON.parse(line);
    model.receive(event);
    if (event.line === "threw") threw.push(`${trouble}: ${event.text}`);
    if ("status" in event) {
      const key = `${event.line === "end" ? event.kind : "recover"} ${event.status}`;
      said[key] = (said[key] ?? 0) + 1;
      if (event.status === "incomplete" && !MAY_REFUSE.has(trouble)) {
        unneeded.push(`${event.line}: ${event.text}`);
      }
    }
  }
  return child.signalCode === "SIGKILL";
}

const script = await bundleLife();
let kills = 0;
let calmLives = MOST_CALM_LIVES;
while (kills < Number(killsText)) {
  using scene = openStormScene();
  for (let lives = 0; lives < 2 * KILLS_EACH && kills < Number(killsText); lives++) {
    if (await live(script, scene)) kills += 1;
    rmSync(scene.out, { recursive: true, force: true });
    mkdirSync(scene.out);
    if (scene.asNobody) chownSync(scene.out, NOBODY, NOBODY);
    if (scene.model.inconsistent.length > 0) break;
  }
  // On a busy machine every life may have ended too soon to come to these.
  const isOver = () =>
    onlyTrouble !== undefined || ENDS.every((end) => (said[end] ?? 0) > 0) || calmLives === 0;
  while (kills >= Number(killsText) && !isOver()) {
    await live(script, scene, true);
    calmLives -= 1;
  }
  inconsistent.push(...scene.model.inconsistent);
  falseWords.push(...scene.model.falseWords);
}
const report: StormReport = { seed, kills, said, inconsistent, falseWords, unneeded, threw };
process.stdout.write(JSON.stringify(report));
