import { claimsOf, trustFile } from "../config/change-file.ts";
import { findConfigFile, judgeConfig, type LoadOptions } from "../config/load.ts";
import { maskConfig } from "../config/mask-config.ts";
import type { OwnersValue } from "../config/owners-values.ts";
import { findNode } from "../config/schema-node.ts";
import { renderKeys } from "../config/show-key.ts";
import { AppError } from "../core/app-error.ts";
import { toVisibleText } from "../core/visible-text.ts";
import { confirm } from "./confirm.ts";
import { type CliContext, EXIT } from "./context.ts";
import { print } from "./print.ts";

/** `config trust`: shows what a file from the current folder says of the owner's keys, and asks. */
export async function runConfigTrust(
  options: LoadOptions,
  isYes: boolean,
  context: CliContext,
): Promise<number> {
  const file = await findConfigFile(options);
  if (!file) throw new AppError("ERR_USAGE", "Cannot trust a file: there is none to trust");
  await judgeConfig(options, { ...file, origin: "argument" });
  const { path } = file;
  const { values = [], isTrusted = false } = claimsOf(options, file) ?? {};
  const lines = values.flatMap(renderClaim);
  if (!isTrusted) {
    const shown = lines.length === 0 ? ["it says nothing that needs trust now"] : lines;
    const text = [`${toVisibleText(path)}:`, ...shown].join("\n");
    const what = { action: `trust "${path}"`, question: "Trust this file?", text };
    if (!(await confirm(what, isYes, context))) return EXIT.failed;
    trustFile(options, file);
  }
  const report = { ok: true, path, keys: values.map(({ steps }) => steps.join(".")) };
  print(context, report, `${path}: trusted`);
  return EXIT.done;
}

/** Its reason, and its lines as `config get` shows them; a name or a text may hold anything. */
function renderClaim({ path, steps, value, why, isIdle }: OwnersValue): readonly string[] {
  const lines = renderKeys(maskConfig(value, findNode(path).node), steps);
  const note = isIdle ? `${why}; without effect so far` : why;
  return [`# ${note}`, ...lines].map((line) => `  ${toVisibleText(line)}`);
}
