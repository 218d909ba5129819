/** A word of a menu that takes the room of its bold form, so that nothing moves where it is the current one. */
export function Steady({ word }: { readonly word: string }) {
  return (
    <span class="steady" data-word={word}>
      {word}
    </span>
  );
}
