export { openToRead, type Position, readBytes, readTail } from "./read-tail.ts";
export { createRotatingFile, listRotated, type RotatingFile } from "./rotating-file.ts";
