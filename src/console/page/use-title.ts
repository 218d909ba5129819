import { useEffect } from "preact/hooks";
import type { View } from "./view.ts";

/** Says what the place is called that is shown, as long as it is. */
export function useTitle({ title }: Pick<View, "title">, name: string): void {
  useEffect(() => {
    title.value = name;
    return () => void (title.value = "");
  }, [name]);
}
