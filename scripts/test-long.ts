/**
 * The long forms of tests that `npm test` runs as a sample, one after another, each with a line of
 * figures. `npm run test:long -- NAME…` runs some of them; `TEST_LONG_SCALE=0.1` a tenth of each.
 */
interface LongForm {
  readonly name: string;
  readonly file: string;
  /** What makes the test long; a number is scaled. */
  readonly env: Readonly<Record<string, string | number>>;
}

const LONG_FORMS: readonly LongForm[] = [
  { name: "crash", file: "tests/transaction/crash.test.ts", env: { CRASH_STEPS: "all" } },
  { name: "fault", file: "tests/transaction/fault.test.ts", env: { FAULTS: "all" } },
  { name: "race", file: "tests/transaction/race.test.ts", env: { RACE_SWAPS: 10_000 } },
  {
    name: "undo",
    file: "tests/transaction/undo.properties.test.ts",
    env: { PAPAYU_UNDO_RUNS: 500 },
  },
  { name: "kill", file: "tests/transaction/random-kill.test.ts", env: { KILLS: 300 } },
  { name: "storm", file: "tests/transaction/storm.test.ts", env: { STORM_KILLS: 10_000 } },
  {
    name: "durability",
    file: "tests/e2e/durability.test.ts",
    env: { UPDATES: 100_000, KILLS: 400 },
  },
  { name: "reads", file: "tests/workspace/read-race.test.ts", env: { READS: 10_000_000 } },
  { name: "walks", file: "tests/repository/walks.test.ts", env: { LONG: "all" } },
  { name: "commits", file: "tests/e2e/real-commits.test.ts", env: { COMMITS: 60, LONG: "all" } },
  { name: "page", file: "tests/page", env: { LONG: "all" } },
  { name: "truth", file: "tests/truth", env: { TRUTH_STOPS: 40, LONG: "all" } },
  // Every row by every way, and many samples, where `npm test` takes some.
  ...[
    "agent",
    "channels",
    "cli",
    "config",
    "console",
    "e2e",
    "http",
    "patch",
    "planner",
    "protocol",
    "providers",
    "routines",
    "security",
    "store",
    "system",
    "tools",
    "transaction",
    "workspace",
  ].map((room) => ({ name: `all-${room}`, file: `tests/${room}`, env: { LONG: "all" } })),
];

const asked = process.argv.slice(2);
const scale = Number(process.env["TEST_LONG_SCALE"] ?? 1);
const unknown = asked.filter((name) => !LONG_FORMS.some((form) => form.name === name));
if (unknown.length > 0) {
  const names = LONG_FORMS.map(({ name }) => name).join(", ");
  console.error(`Cannot run "${unknown.join(" ")}": the long forms are ${names}`);
  process.exit(2);
}

let failures = 0;
for (const form of LONG_FORMS) {
  if (asked.length > 0 && !asked.includes(form.name)) continue;
  if (!(await runLong(form))) failures += 1;
}
process.exit(failures === 0 ? 0 : 1);

async function runLong({ name, file, env }: LongForm): Promise<boolean> {
  const scaled = Object.entries(env).map(([key, value]) => {
    return [key, typeof value === "number" ? `${Math.max(1, Math.round(value * scale))}` : value];
  });
  const startedAt = performance.now();
  const child = Bun.spawn([process.execPath, "test", "--timeout", "36000000", file], {
    cwd: `${import.meta.dir}/..`,
    env: { ...process.env, ...Object.fromEntries(scaled), LONG_FIGURES: "1" },
    stdout: "pipe",
    stderr: "pipe",
  });
  const [out, err] = await Promise.all([child.stdout.text(), child.stderr.text()]);
  const isGood = (await child.exited) === 0;
  const seconds = Math.round((performance.now() - startedAt) / 1000);
  const figures = out.match(/^figures .*$/gm)?.map((line) => line.slice("figures ".length)) ?? [];
  const counts = err.match(/^ *\d+ (?:pass|fail)$/gm)?.map((line) => line.trim()) ?? [];
  const tail = [...counts, ...figures].join(" · ");
  console.log(
    `${isGood ? "ok  " : "FAIL"} ${name.padEnd(10)} ${`${seconds}`.padStart(6)} s  ${tail}`,
  );
  if (!isGood) console.log(out + err);
  return isGood;
}
