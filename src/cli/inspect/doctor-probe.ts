import type { LoadedConfig } from "../../config/load/load.ts";
import { AppError } from "../../core/app-error.ts";
import { sandboxOptions } from "../../daemon/app/app.ts";
import type { ProbeResult } from "../../system/probes/probes.ts";
import { runProbes } from "../../system/probes/probes.ts";
import { type CliContext, EXIT } from "../context.ts";
import { print } from "../print.ts";

/**
 * `papayu doctor --probe`: tries from inside of the sandbox to get out of it. Fails when
 * something essential is in reach; what cannot be tested here is said, and is no failure.
 */
export async function probeSandbox(
  loaded: LoadedConfig | AppError,
  context: CliContext,
): Promise<number> {
  if (loaded instanceof AppError) throw loaded;
  const { signal, caller } = context;
  const results = await runProbes({ ...sandboxOptions(loaded, caller.env), signal });
  const ok = results.every(({ state, isEssential }) => state !== "failed" || !isEssential);
  const probes = results.map(({ isEssential: essential, ...rest }) => ({ ...rest, essential }));
  print(context, { ok, probes }, [...results.map(renderProbe), renderCount(results)].join("\n"));
  return ok ? EXIT.done : EXIT.failed;
}

const MARKS = { ok: "ok", failed: "✗", untested: "-" } as const;

function renderProbe({ name, expected, found, state }: ProbeResult): string {
  const said = state === "untested" ? `cannot be tested here: ${found}` : found;
  return `${MARKS[state].padEnd(3)} ${name}: expected ${expected}; ${said}`;
}

function renderCount(results: readonly ProbeResult[]): string {
  const count = (state: ProbeResult["state"]) =>
    results.filter((each) => each.state === state).length;
  return `${count("ok")} ok, ${count("failed")} in reach, ${count("untested")} not tested here`;
}
