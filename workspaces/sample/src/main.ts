import { parseBooks } from "./book.ts";
import { pagesLeft, progressBar } from "./progress.ts";
import { pickTonight } from "./tonight.ts";

const minutes = Number(process.argv[2] ?? 30);
const books = parseBooks(await Bun.file(new URL("../books.txt", import.meta.url)).text());

for (const book of books) {
  console.log(`${progressBar(book)}  ${book.title} (${book.author})`);
}
const tonight = pickTonight(books, minutes);
console.log(tonight ? `\nTonight: ${tonight.title}, from page ${tonight.at + 1}` : "\nAll read!");
console.log(`Pages left on the list: ${pagesLeft(books)}`);
