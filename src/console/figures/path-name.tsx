import { toVisibleText } from "../../core/visible-text.ts";

/**
 * A path, read from left to right whatever its names are written in: of two names from right to left
 * side by side a browser would show the file before its folder.
 */
export function PathName({ path }: { readonly path: string }) {
  const names = path.split("/");
  return (
    <bdi dir="ltr">
      {names.map((name, at) => [
        <bdi key={at}>{toVisibleText(name)}</bdi>,
        at < names.length - 1 && "/",
      ])}
    </bdi>
  );
}
