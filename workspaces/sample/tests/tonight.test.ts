import { expect, test } from "bun:test";
import { pickTonight } from "../src/tonight.ts";

const unread = { title: "Мы", author: "Замятин", pages: 224, at: 0 };
const begun = { title: "The Dispossessed", author: "Le Guin", pages: 387, at: 120 };
const nearlyDone = { title: "Momo", author: "Ende", pages: 304, at: 300 };
const done = { title: "Kitchen", author: "Yoshimoto", pages: 152, at: 152 };

test("a book that can be finished tonight comes first", () => {
  expect(pickTonight([unread, begun, nearlyDone], 30)).toBe(nearlyDone);
});

test("otherwise the book that was begun, otherwise the first", () => {
  expect(pickTonight([unread, begun], 30)).toBe(begun);
  expect(pickTonight([unread], 30)).toBe(unread);
});

test("nothing when every book is read", () => {
  expect(pickTonight([done], 30)).toBeUndefined();
});
