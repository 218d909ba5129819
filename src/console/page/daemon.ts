import { type ReadonlySignal, signal } from "@preact/signals";
import type { SignedIn } from "../client/client.ts";

/** Which papa-yu answers the page: the one that it came from, or another. */
export interface Daemon {
  /** Its version is another: the page is not what it would be given now. */
  readonly isOtherVersion: ReadonlySignal<boolean>;
  /** It was started anew, or is another: parts of the page may be gone. */
  readonly isOther: ReadonlySignal<boolean>;
  /** Who answered; the first one is the one that gave the page. */
  take(now: Pick<SignedIn, "version" | "boot_id">): void;
}

/** Nobody has answered yet. */
export function createDaemon(): Daemon {
  const isOtherVersion = signal(false);
  const isOther = signal(false);
  let first: Pick<SignedIn, "version" | "boot_id"> | undefined;
  return {
    isOtherVersion,
    isOther,
    take(now) {
      first ??= now;
      isOtherVersion.value = now.version !== first.version;
      isOther.value = now.boot_id !== first.boot_id;
    },
  };
}
