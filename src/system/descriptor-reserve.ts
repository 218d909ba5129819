import { closeSync, openSync } from "node:fs";
import { devNull } from "node:os";

/** Descriptors put aside for work that must not fail for want of one. */
export interface DescriptorReserve {
  /** Gives them back to the process; what comes next, without a wait between, can have them. */
  release(): void;
  [Symbol.dispose](): void;
}

/**
 * Puts so many descriptors aside.
 *
 * @throws the system's EMFILE or ENFILE when there are not so many left
 */
export function reserveDescriptors(count: number): DescriptorReserve {
  const held: number[] = [];
  const release = (): void => {
    for (const fd of held.splice(0)) closeSync(fd);
  };
  try {
    while (held.length < count) held.push(openSync(devNull, "r"));
  } catch (error) {
    release();
    throw error;
  }
  return { release, [Symbol.dispose]: release };
}
