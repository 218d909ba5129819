import { toVisibleText } from "../../../core/visible-text.ts";

/** Why something could not be done, if so. */
export function Failure({ text }: { readonly text: string | undefined }) {
  if (text === undefined) return null;
  return (
    <p class="words bad" role="alert">
      {toVisibleText(text)}
    </p>
  );
}
