import type { Current } from "../../daemon/app/app.ts";
import { isView } from "../../protocol/intent.ts";
import type { PreviewView } from "../../transaction/views.ts";
import { askLine } from "../ask-yes-no.ts";
import type { CliContext } from "../context.ts";
import { showPreview } from "../screen/show-preview.ts";

/**
 * Shows a change set on the terminal and asks about it; one that was in a pager is shown again as
 * often as the person asks for it. `keys` are what else than yes and no may be answered.
 */
export async function askAbout(
  preview: PreviewView,
  question: string,
  keys: readonly string[],
  current: Current,
  context: CliContext,
): Promise<string> {
  const { view } = current.texts().terminal;
  for (;;) {
    const isPaged = await showPreview(preview, current, context.stderr, context);
    const again = isPaged ? `(${view}) ` : "";
    const answer = await askLine(`${question} ${again}[${["y/N", ...keys].join(", ")}] `, context);
    if (!isPaged || !isView(answer)) return answer;
  }
}
