import { setPriority } from "node:os";
import { loadConfig } from "../../config/load/load.ts";
import { homeOf } from "../../config/places/places.ts";
import { AppError } from "../../core/app-error.ts";
import type { DoctorTask } from "../../daemon/run-doctor.ts";
import { doctorWordsIn } from "../../texts/doctor/doctor.ts";
import { readLanguage } from "../print.ts";
import { examine } from "./examine.ts";

/** Whatever else the machine does goes first. */
const PRIORITY = 10;

setPriority(PRIORITY);
void main(JSON.parse(process.argv[2] ?? "")); // written by no one but `runDoctor()`

/** Nothing at the top waits, so that it can be translated ahead of its start. */
async function main({ options: places, isLocal }: DoctorTask): Promise<never> {
  const { env } = process;
  const options = { ...places, env };
  const loaded = await loadConfig(options).catch((error: unknown) => {
    if (error instanceof AppError) return error;
    throw error;
  });
  const home = homeOf(options);
  const { signal } = new AbortController(); // whoever started it ends it
  const { path, cwd, home: userHome } = places;
  const words = doctorWordsIn(await readLanguage(path, { cwd, env, userHome }));
  const findings = await examine(loaded, { env, home, signal, words, isLocal });
  await Bun.write(Bun.stdout, JSON.stringify(findings));
  process.exit();
}
