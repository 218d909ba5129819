import { useEffect, useMemo, useRef } from "preact/hooks";
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
  const latest = useRef(taking);
  latest.current = taking;
  const show = useMemo(
    () =>
      createNewest<Value>({
        take: (value) => latest.current.take(value),
        failed: (error) => latest.current.failed(error),
      }),
    [],
  );
  const again = async () => {
    if (read) await show(read);
  };
  useEffect(() => void again(), about);
  return again;
}
