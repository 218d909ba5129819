import { expect, test } from "bun:test";
import { pagesLeft, progressBar } from "../src/progress.ts";

const momo = { title: "Momo", author: "Michael Ende", pages: 304, at: 300 };
const kitchen = { title: "Kitchen", author: "Banana Yoshimoto", pages: 152, at: 0 };

test("the pages left are counted over all books", () => {
  expect(pagesLeft([momo, kitchen])).toBe(4 + 152);
});

test("the bar fills with the pages read", () => {
  expect(progressBar(kitchen)).toBe("░░░░░░░░░░");
  expect(progressBar({ ...kitchen, at: 76 })).toBe("▓▓▓▓▓░░░░░");
});
