import { useEffect, useMemo } from "preact/hooks";
import { createNewest, type Taking } from "../client/client.ts";

/**
 * Reads what a place shows, and again whenever something of `about` is another; what was overtaken
 * is dropped. Without `read` nothing is to be read now. Returns how to read it once more.
 */
export function useNewest<Value>(
  read: (() => Promise<Value>) | undefined,
  taking: Taking<Value>,
  about: readonly unknown[],
): () => Promise<void> {
  const show = useMemo(() => createNewest(taking), []);
  const again = async () => {
    if (read) await show(read);
  };
  useEffect(() => void again(), about);
  return again;
}
