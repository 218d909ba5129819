export { readTail } from "./read-tail.ts";
export {
  createRotatingFile,
  listRotated,
  type RotatingFile,
  removeRotated,
} from "./rotating-file.ts";
