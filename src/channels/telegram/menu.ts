import type { Language } from "../../core/language.ts";
import { type Texts, textsIn } from "../../texts/texts.ts";

/** The menu next to the input field, as the Bot API takes it. */
export interface Menu {
  /** Of the person's Telegram; none: for every other one. */
  readonly scope: { readonly language_code?: Language };
  readonly commands: readonly { readonly command: string; readonly description: string }[];
}

/** One menu for each language that papa-yu speaks; who speaks none of them sees the owner's. */
export function createMenus(owners: Texts): readonly Menu[] {
  return [
    { scope: {}, commands: toCommands(owners) },
    ...(["en", "ru", "zh"] as const).map((code) => ({
      scope: { language_code: code },
      commands: toCommands(textsIn(code)),
    })),
  ];
}

function toCommands({ commands }: Texts): Menu["commands"] {
  return Object.entries(commands).map(([command, { usage, about }]) => ({
    command,
    description: usage === "" ? about : `${usage} — ${about}`,
  }));
}
