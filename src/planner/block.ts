/** One piece of context as the model sees it. */
export interface Block {
  readonly kind: "env" | "tree" | "file" | "search" | "logs" | "note";
  /** 0: named by the goal or asked for by the model, cut last; higher goes first. */
  readonly priority: number;
  /** First line, never cut; for files the one with the sha256. */
  readonly header: string;
  readonly body: string;
  /** Of a file block. */
  readonly path?: string;
  /** sha256 of the whole file, whatever part the body shows. */
  readonly sha256?: string;
}

/** Lines of a file, from 1; without an end to its last one. */
export interface LineRange {
  readonly startLine?: number;
  readonly endLine?: number;
}

/** A file, or a range of it, with its header and numbered lines. */
export function renderFileBlock(
  file: { readonly path: string; readonly text: string; readonly sha256: string },
  priority: number,
  { startLine = 1, endLine = Infinity }: LineRange = {},
): Block {
  const lines = file.text.split("\n");
  if (lines.at(-1) === "") lines.pop();
  const shown = lines
    .slice(startLine - 1, endLine)
    .map((line, i) => `${startLine + i}|${line.endsWith("\r") ? line.slice(0, -1) : line}`);
  if (startLine > lines.length && lines.length > 0)
    shown.push(`… the file ends at line ${lines.length} …`);
  if (endLine < lines.length) shown.push(`… the file goes on to line ${lines.length} …`);
  return {
    kind: "file",
    priority,
    header: `FILE[${file.path}] (sha256=${file.sha256}):`,
    body: shown.join("\n"),
    path: file.path,
    sha256: file.sha256,
  };
}

/** Something to say about the context, in one line. */
export function renderNote(text: string): Block {
  return { kind: "note", priority: 0, header: text, body: "" };
}

/** Cuts text to `maxChars`: 60 % head, 40 % tail, saying how much fell out; no half code points. */
export function cutMiddle(text: string, maxChars: number): string {
  if (text.length <= maxChars) return text;
  const note = (left: number) => `\n… ${left} characters left out …\n`;
  const room = Math.max(0, maxChars - note(text.length).length);
  const head = text.slice(0, wholeBefore(text, Math.floor(room * 0.6)));
  const tail = text.slice(wholeBefore(text, text.length - (room - Math.floor(room * 0.6))));
  return head + note(text.length - head.length - tail.length) + tail;
}

/** `index`, or one less where it would split a surrogate pair. */
function wholeBefore(text: string, index: number): number {
  const unit = text.charCodeAt(index);
  return unit >= 0xdc00 && unit <= 0xdfff ? index - 1 : index;
}

/** A name from a disk or a manifest: a line break in it could pass for a line of ours. */
export function toOneLine(name: string): string {
  return name.replace(/[\p{Cc}\p{Zl}\p{Zp}]/gu, "\uFFFD");
}

/** Blocks as one text, in their order. */
export function renderBlocks(blocks: readonly Block[]): string {
  return blocks
    .map((block) => (block.body === "" ? block.header : `${block.header}\n${block.body}`))
    .join("\n\n");
}
