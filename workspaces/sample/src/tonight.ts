import { type Book, isFinished } from "./book.ts";

/** Pages a person reads in a minute, before falling asleep. */
const PAGES_A_MINUTE = 0.8;

/** The book to read tonight: the one that can be finished, else the one begun, else the first. */
export function pickTonight(books: Book[], minutes: number): Book | undefined {
  const open = books.filter((book) => !isFinished(book));
  const pages = minutes * PAGES_A_MINUTE;
  return (
    open.find((book) => book.pages - book.at <= pages) ??
    open.find((book) => book.at > 0) ??
    open[0]
  );
}
