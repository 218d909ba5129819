import { trustFile } from "../../config/edit/edit.ts";
import { readWhole } from "../../config/load/load.ts";
import { type LoadOptions, readConfigFiles } from "../../config/places/places.ts";
import { type TrustChange, trustChanges } from "../../config/trust-changes.ts";
import { AppError } from "../../core/app-error.ts";
import { toVisibleText } from "../../core/visible-text.ts";
import { confirm } from "../ask-yes-no.ts";
import { type CliContext, EXIT } from "../context.ts";
import { print } from "../print.ts";

/** `config trust`: shows what a file of the current folder would change once it is taken whole, and asks. */
export async function runConfigTrust(
  options: LoadOptions,
  isYes: boolean,
  context: CliContext,
): Promise<number> {
  const files = await readConfigFiles(options);
  const { owner, found, broken, other } = files;
  if (broken) throw broken.error; // nobody can say what it would change
  await readWhole(other); // what makes it look like another program's may be a mistake
  const file = found ?? owner;
  if (!file) throw new AppError("ERR_USAGE", "Cannot trust a file: there is none to trust");
  const { path } = file;
  const changes = await trustChanges(options, files);
  if (found) {
    const text = `${toVisibleText(path)} in the place of ${owner?.path ?? "the defaults"}:\n${renderChanges(changes)}`;
    const what = { action: `trust "${path}"`, question: "Trust this file?", text };
    if (!(await confirm(what, isYes, context))) return EXIT.failed;
    trustFile(options, found);
  }
  const looser = changes.filter((each) => each.isLooser).map(({ key }) => key);
  const report = { ok: true, path, keys: changes.map(({ key }) => key), looser };
  print(context, report, `${toVisibleText(path)}: trusted`);
  return EXIT.done;
}

/** What loosens first; a name or a text may hold anything. */
function renderChanges(changes: readonly TrustChange[]): string {
  const render = ({ line, before }: TrustChange) =>
    `  ${toVisibleText(`${line}  # now ${before}`)}`;
  const looser = changes.filter(({ isLooser }) => isLooser).map(render);
  const others = changes.filter(({ isLooser }) => !isLooser).map(render);
  if (changes.length === 0) return "nothing changes now";
  return [
    ...(looser.length > 0 ? ["It allows more than yours:", ...looser] : []),
    ...(others.length > 0 ? ["It changes:", ...others] : []),
  ].join("\n");
}
