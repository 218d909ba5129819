/**
 * What each test file costs in processor seconds, its children's with it, dearest first: wall time
 * says little on a machine that does other things as well. `npm run test:cost tests/patch` measures
 * one room.
 */
const [where = "tests", shown = "40"] = process.argv.slice(2);
const root = `${import.meta.dir}/..`;
const found = where.endsWith(".ts")
  ? [where]
  : await Array.fromAsync(new Bun.Glob(`${where}/**/*.test.ts`).scan({ cwd: root }));

interface Cost {
  readonly file: string;
  readonly cpuSeconds: number;
  readonly wallSeconds: number;
  readonly tests: number;
}

const costs: Cost[] = [];
for (const file of found) costs.push(await measure(file));
costs.sort((a, b) => b.cpuSeconds - a.cpuSeconds);
console.log("cpu s  wall s  tests  file");
for (const { file, cpuSeconds, wallSeconds, tests } of costs.slice(0, Number(shown))) {
  console.log(
    `${cpuSeconds.toFixed(2).padStart(5)}  ${wallSeconds.toFixed(2).padStart(6)}  ${`${tests}`.padStart(5)}  ${file}`,
  );
}
const total = costs.reduce((sum, { cpuSeconds }) => sum + cpuSeconds, 0);
console.log(`${total.toFixed(1)} processor seconds in ${costs.length} files, one at a time`);

async function measure(file: string): Promise<Cost> {
  const startedAt = performance.now();
  const child = Bun.spawn([process.execPath, "test", "--timeout", "600000", `./${file}`], {
    cwd: root,
    stdout: "ignore",
    stderr: "pipe",
  });
  const said = await child.stderr.text();
  if ((await child.exited) !== 0) console.error(`${file} failed:\n${said.slice(-2000)}`);
  const { user, system } = child.resourceUsage()?.cpuTime ?? { user: 0, system: 0 };
  return {
    file,
    cpuSeconds: Number(BigInt(user) + BigInt(system)) / 1e6,
    wallSeconds: (performance.now() - startedAt) / 1000,
    tests: Number(/^Ran (\d+) tests?/m.exec(said)?.[1] ?? 0),
  };
}
