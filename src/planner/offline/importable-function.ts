import { maskCode } from "./mask-code.ts";

/**
 * The first function that a module exports, when importing the module can do nothing: it
 * imports only types and has only functions, types and literal constants at its top.
 */
export function findImportableFunction(source: string): string | undefined {
  const mask = maskCode(source);
  const topLines = mask.split(/\r?\n/).filter((line) => /^\S/.test(line));
  if (!topLines.every((line) => HARMLESS.test(line))) return undefined;
  return /^export (?:async )?function ([A-Za-z_$][\w$]*)\s*[(<]/m.exec(mask)?.[1];
}

const HARMLESS = new RegExp(
  [
    String.raw`(?:export )?(?:async )?function\b`,
    String.raw`(?:export )?(?:interface|type)\b`,
    String.raw`import type\b`,
    String.raw`(?:export )?const \w+(?:: \w+)? =[-\s\d._;]*$`,
    String.raw`[)\]}][^(]*$`,
  ]
    .map((line) => `^${line}`)
    .join("|"),
);
