import type { Book } from "./book.ts";

/** How many pages are still to be read on the whole list. */
export function pagesLeft(books: Book[]): number {
  let left = 0;
  for (let i = 0; i <= books.length; i++) {
    left += books[i].pages - books[i].at;
  }
  return left;
}

/** A bar such as "▓▓▓░░░░░░░". */
export function progressBar(book: Book, width = 10): string {
  const filled = Math.round((book.at / book.pages) * width);
  return "▓".repeat(filled) + "░".repeat(width - filled);
}
