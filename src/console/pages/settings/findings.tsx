import { toVisibleText } from "../../../core/visible-text.ts";
import type { Texts } from "../../texts/texts.ts";
import type { Hidden, Problem } from "./wire.ts";

/** What is wrong with a text, what it is warned of, and what nobody sees in it. */
export function Findings(props: {
  readonly texts: Texts;
  readonly problems: readonly Problem[];
  readonly warnings: readonly string[];
  readonly hidden: readonly Hidden[];
  /** Leads to a line. */
  readonly onShow?: (line: number) => void;
}) {
  const {
    texts: { settings: texts },
    problems,
    warnings,
    hidden,
    onShow,
  } = props;
  if (problems.length + warnings.length + hidden.length === 0) return null;
  const at = (line: number) =>
    line > 0 && onShow ? (
      <button type="button" class="tool" onClick={() => onShow(line)}>
        {texts.line(line)}
      </button>
    ) : (
      line > 0 && <span>{texts.line(line)}</span>
    );
  return (
    <ul class="findings">
      {problems.map(({ line, key, message }, n) => (
        <li key={`p${n}`} class="bad">
          {at(line)}{" "}
          {key !== "" && (
            <>
              <code>{toVisibleText(key)}</code>{" "}
            </>
          )}
          <bdi>{toVisibleText(message)}</bdi>
        </li>
      ))}
      {hidden.map(({ line, text }, n) => (
        <li key={`h${n}`}>
          {at(line)} {texts.hidden} <code>{toVisibleText(text)}</code>
        </li>
      ))}
      {warnings.map((warning, n) => (
        <li key={`w${n}`}>
          <bdi>{toVisibleText(warning)}</bdi>
        </li>
      ))}
    </ul>
  );
}
