/** One piece of context as the model sees it. */
export interface Block {
  readonly kind: "env" | "tree" | "file" | "search" | "logs" | "refusal";
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

/** A file, or lines `startLine`..`endLine` of it, with its header and numbered lines. */
export function renderFileBlock(
  file: { readonly path: string; readonly text: string; readonly sha256: string },
  priority: number,
  range: { readonly startLine?: number; readonly endLine?: number } = {},
): Block {
  const lines = file.text.split("\n");
  if (lines.at(-1) === "") lines.pop();
  const start = range.startLine ?? 1;
  const end = Math.min(range.endLine ?? lines.length, lines.length);
  const body = lines
    .slice(start - 1, end)
    .map((line, i) => `${start + i}|${line.endsWith("\r") ? line.slice(0, -1) : line}`)
    .join("\n");
  return {
    kind: "file",
    priority,
    header: `FILE[${file.path}] (sha256=${file.sha256}):`,
    body,
    path: file.path,
    sha256: file.sha256,
  };
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

/** Blocks as one text, in their order. */
export function renderBlocks(blocks: readonly Block[]): string {
  return blocks
    .map((block) => (block.body === "" ? block.header : `${block.header}\n${block.body}`))
    .join("\n\n");
}
