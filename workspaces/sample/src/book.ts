/** One book of the list. */
export interface Book {
  title: string;
  author: string;
  pages: number;
  /** The page the reader is on; equal to `pages` when the book is finished. */
  at: number;
}

/** Reads a list: one book a line, "title; author; pages; page you are on". */
export function parseBooks(text: string): Book[] {
  const lines = text.split("\n").map((line) => line.trim());
  return lines.filter((line) => line !== "" && !line.startsWith("#")).map(parseBook);
}

function parseBook(line: string): Book {
  const [title, author, pages, at = "0"] = line.split(";").map((part) => part.trim());
  if (!title || !author || !Number(pages)) throw new Error(`Not a book: "${line}"`);
  return { title, author, pages: Number(pages), at: Number(at) };
}

export function isFinished(book: Book): boolean {
  return book.at >= book.pages;
}
