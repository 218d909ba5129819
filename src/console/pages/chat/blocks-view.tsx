import type { ComponentChildren } from "preact";
import { toPrintableText } from "../../../core/visible-text.ts";
import type { Block } from "./wire.ts";

/** An answer as it was written, without any of it becoming more than words, links and tables. */
export function Blocks({ blocks }: { readonly blocks: readonly Block[] }) {
  return <>{blocks.map((block, at) => draw(block, at))}</>;
}

function draw(block: Block, key: number): ComponentChildren {
  if (typeof block === "string") return toPrintableText(block);
  const { kind, of, level, start, checked, href } = block;
  const inside = <Blocks blocks={of} />;
  switch (kind) {
    case "paragraph":
      return <p key={key}>{inside}</p>;
    case "heading":
      return (
        <p key={key} class="heading" role="heading" aria-level={Math.min(6, level + 2)}>
          {inside}
        </p>
      );
    case "code":
      return (
        <pre key={key} class="wrap">
          {inside}
        </pre>
      );
    case "quote":
      return <blockquote key={key}>{inside}</blockquote>;
    case "list":
      return <ul key={key}>{inside}</ul>;
    case "ordered":
      return (
        <ol key={key} start={start}>
          {inside}
        </ol>
      );
    case "item":
      return (
        <li key={key}>
          {checked !== undefined && (checked ? "☑ " : "☐ ")}
          {inside}
        </li>
      );
    case "table":
      return (
        <div key={key} class="table-of">
          <table>
            <tbody>{inside}</tbody>
          </table>
        </div>
      );
    case "row":
      return <tr key={key}>{inside}</tr>;
    case "head":
      return (
        <th key={key} scope="col">
          {inside}
        </th>
      );
    case "cell":
      return <td key={key}>{inside}</td>;
    case "rule":
      return <hr key={key} />;
    case "strong":
      return <strong key={key}>{inside}</strong>;
    case "emphasis":
      return <em key={key}>{inside}</em>;
    case "strike":
      return <s key={key}>{inside}</s>;
    case "codespan":
      return <code key={key}>{inside}</code>;
    case "link":
    case "image":
      return <Target key={key} href={href} words={of.map(toWords).join("")} />;
    default:
      return inside;
  }
}

/** Where a link leads is always to be seen; what is no address of the web is words. */
function Target({ href, words }: { readonly href: string; readonly words: string }) {
  const shown = toPrintableText(href);
  const said = toPrintableText(words);
  const text = said === "" || said === shown ? shown : `${said} (${shown})`;
  const address = toAddress(href);
  if (address === undefined) return <>{text}</>;
  return (
    <a href={address} target="_blank" rel="noopener noreferrer">
      {text}
    </a>
  );
}

/** The address that a link may lead to. */
export function toAddress(href: string): string | undefined {
  const url = /^https?:\/\//iu.test(href) ? URL.parse(href) : null;
  return url && /^https?:$/u.test(url.protocol) ? url.href : undefined;
}

function toWords(block: Block): string {
  return typeof block === "string" ? block : block.of.map(toWords).join("");
}
