/** Loaded before a program: writes down every process that it starts. */
import { appendFileSync } from "node:fs";

const log = process.env["SPAWNS_LOG"] ?? "";

for (const name of ["spawn", "spawnSync"] as const) {
  const real: unknown = Reflect.get(Bun, name);
  if (typeof real !== "function") throw new Error(`there is no Bun.${name}`);
  const counted = (...args: readonly unknown[]) => {
    appendFileSync(log, `${JSON.stringify(args[0])}\n`);
    return Reflect.apply(real, Bun, args);
  };
  if (!Reflect.set(Bun, name, counted)) throw new Error(`Bun.${name} cannot be watched`);
}
