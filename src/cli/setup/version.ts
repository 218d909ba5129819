import packageJson from "../../../package.json" with { type: "json" };
import { BUILD } from "../../system/own/own.ts";
import { type CliContext, EXIT } from "../context.ts";
import { parseCommand } from "../parse.ts";

/** `papayu version`: which version, how it was made, and what it runs on. */
export async function version(args: readonly string[], context: CliContext): Promise<number> {
  parseCommand(args, context, { positionals: [0, 0] });
  const {
    command: { json },
    stdout,
  } = context;
  const { form = "sources", commit = "", target = "" } = BUILD ?? {};
  const report = { version: packageJson.version, form, commit, target, bun: Bun.version };
  const made = [commit, form === "single" ? target : form].filter(Boolean).join(", ");
  const text = BUILD ? `${packageJson.version} (${made})` : packageJson.version;
  stdout.write(`${json ? JSON.stringify(report) : text}\n`);
  return EXIT.done;
}
