import { toPreviewParts } from "../../channels/render-text.ts";
import { toPrintableText, toTerminalText } from "../../core/visible-text.ts";
import { type Current, sandboxOptions } from "../../daemon/app/app.ts";
import type { Texts } from "../../texts/texts.ts";
import type { PreviewView } from "../../transaction/views.ts";
import type { Output } from "./open-output.ts";
import type { Seat } from "./pager.ts";
import type { Screen, Screens } from "./screen.ts";

/**
 * A change set with its diff. One that is longer than the screen is shown in a pager, and what it
 * changes stays in view: the list is there again behind it. Gives whether it was in one.
 */
export async function showPreview(
  preview: PreviewView,
  { texts, loaded }: Pick<Current, "texts" | "loaded">,
  output: Output,
  context: Screens & Seat,
): Promise<boolean> {
  const { head, diff } = toPrintableParts(preview, texts());
  const screen = context.screen(output);
  if (diff === "") {
    output.write(`${screen?.wrap(head) ?? head}\n`);
    return false;
  }
  if (!screen) {
    output.write(`${head}\n\n${diff}\n`);
    return false;
  }
  const text = `${screen.wrap(head)}\n\n${await screen.diff(diff)}\n`;
  const list = screen.again(head, diff);
  if (list === "") {
    output.write(text);
    return false;
  }
  const { page } = await import("./pager.ts");
  const { workspaces } = sandboxOptions(loaded, context.caller.env);
  const isPaged = await page(toTerminalText(text), output, context, workspaces);
  context.signal.throwIfAborted(); // it ended the pager, and nobody waits for the diff
  output.write(isPaged ? list.trimStart() : text + list);
  return isPaged;
}

/** With nothing in either that steers a terminal: what has our colours is painted after that. */
function toPrintableParts(preview: PreviewView, texts: Texts) {
  const { head, diff } = toPreviewParts(preview, texts);
  return { head: toPrintableText(head), diff: toPrintableText(diff) };
}

/** A change set with its diff, as a terminal shows it; without one in plain lines. */
export async function renderOnScreen(
  preview: PreviewView,
  texts: Texts,
  screen: Screen | undefined,
): Promise<string> {
  const { head, diff } = toPrintableParts(preview, texts);
  if (diff === "") return head;
  return `${head}\n\n${screen ? await screen.diff(diff) : diff}`;
}
