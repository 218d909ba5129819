import type { ComponentChildren } from "preact";
import { toVisibleText } from "../../core/visible-text.ts";
import type { Look } from "../client/client.ts";

/** What a program printed, in the colours that it gave it; hidden characters are spelled out. */
export function Printed({
  text,
  looks,
}: {
  readonly text: string;
  readonly looks: readonly Look[];
}) {
  if (looks.length === 0) return <>{toVisibleText(text)}</>;
  const ofLine = Map.groupBy(looks, ({ line }) => line);
  return (
    <>{text.split("\n").map((line, at) => [at > 0 && "\n", toSpans(line, ofLine.get(at) ?? [])])}</>
  );
}

function toSpans(line: string, looks: readonly Look[]): ComponentChildren {
  const parts: ComponentChildren[] = [];
  let at = 0;
  for (const { from, to, names } of looks) {
    if (from < at || from >= line.length) continue; // of a line that is another by now
    parts.push(toVisibleText(line.slice(at, from)));
    parts.push(<span class={toClass(names)}>{toVisibleText(line.slice(from, to))}</span>);
    at = Math.min(to, line.length);
  }
  return [...parts, toVisibleText(line.slice(at))];
}

/** The names are of the server; nothing else becomes a class. */
function toClass(names: string): string {
  return names
    .split(" ")
    .filter((name) => /^[a-z-]{1,12}$/u.test(name))
    .map((name) => `look-${name}`)
    .join(" ");
}
