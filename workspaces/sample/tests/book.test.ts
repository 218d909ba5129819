import { expect, test } from "bun:test";
import { isFinished, parseBooks } from "../src/book.ts";

test("a list has one book a line; comments and blank lines are skipped", () => {
  const books = parseBooks("# my list\n\nMomo; Michael Ende; 304; 12\nМы; Замятин; 224\n");
  expect(books).toEqual([
    { title: "Momo", author: "Michael Ende", pages: 304, at: 12 },
    { title: "Мы", author: "Замятин", pages: 224, at: 0 },
  ]);
});

test("a line that is no book is named in the error", () => {
  expect(() => parseBooks("just a title")).toThrow('Not a book: "just a title"');
});

test("a book is finished on its last page", () => {
  const book = { title: "Momo", author: "Ende", pages: 304, at: 303 };
  expect(isFinished(book)).toBe(false);
  expect(isFinished({ ...book, at: 304 })).toBe(true);
});
