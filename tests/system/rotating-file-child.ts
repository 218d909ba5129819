/** Writes lines to the file it is given: some, or numbered ones until it is killed. */
import { createRotatingFile } from "../../src/system/logs/rotating-file.ts";

const [path = "", forever] = process.argv.slice(2);
if (forever === undefined) {
  process.on("SIGXFSZ", () => {});
  const file = createRotatingFile(path, { maxBytes: 1e6, keptFiles: 1 }, () => "");
  for (let count = 0; count < 40; count++) file.write(`${"x".repeat(99)}\n`);
} else {
  const file = createRotatingFile(path, { maxBytes: 500, keptFiles: 5 }, () => "");
  for (let number = 0; ; number++) {
    file.write(`${number}\n`);
    if (number === 0) process.stdout.write("writing\n");
  }
}
process.stdout.write("went on\n");
