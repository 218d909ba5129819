/** A message that is a command. */
export interface Command {
  /** In lower case, without its slash. */
  readonly name: string;
  /** What stands behind the name. */
  readonly argument: string;
}

/** Words that are commands when they are the whole message. */
const PLAIN_WORDS: ReadonlyMap<string, string> = new Map(
  Object.entries({
    undo: "undo",
    отмени: "undo",
    отменить: "undo",
    撤销: "undo",
    redo: "redo",
    верни: "redo",
    вернуть: "redo",
    重做: "redo",
    help: "help",
    помощь: "help",
    帮助: "help",
  }),
);

/**
 * The command that a message is, if it is one. Whoever judges what a message may do and whoever does
 * it read it here, so that they mean the same.
 */
export function toCommand(message: string): Command | undefined {
  const text = message.trim();
  const [, name, argument = ""] = /^\/(\S*)\s*([\s\S]*)$/u.exec(text) ?? [];
  if (name !== undefined) return { name: name.toLowerCase(), argument };
  const plain = PLAIN_WORDS.get(text.toLowerCase());
  return plain === undefined ? undefined : { name: plain, argument: "" };
}
