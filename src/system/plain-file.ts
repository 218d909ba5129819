import { closeSync, constants, fstatSync, openSync, readSync } from "node:fs";

/** No link is followed and no pipe waited for: a stranger may have put anything there. */
const FLAGS = constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK;

/**
 * Opens a regular file for reading; a link, a folder, a pipe or a device in its place is an error.
 *
 * @throws Error of the system, ELOOP for a link, or one that says that it is no regular file
 */
export function openPlainFile(path: string): number {
  const fd = openSync(path, FLAGS);
  try {
    if (!fstatSync(fd).isFile()) throw new Error("it is not a regular file");
    return fd;
  } catch (error) {
    closeSync(fd);
    throw error;
  }
}

/**
 * The bytes of a regular file.
 *
 * @throws Error as {@link openPlainFile}, and when it is longer than `maxBytes`
 */
export function readPlainFile(path: string, maxBytes: number): Buffer {
  const fd = openPlainFile(path);
  try {
    const { size } = fstatSync(fd);
    if (size > maxBytes) throw new Error(`it is over ${maxBytes} bytes`);
    const bytes = Buffer.alloc(size);
    let done = 0;
    while (done < size) {
      const count = readSync(fd, bytes, done, size - done, done);
      if (count === 0) break; // it was cut off just now
      done += count;
    }
    return bytes.subarray(0, done);
  } finally {
    closeSync(fd);
  }
}
