/**
 * Tokens that a model takes, question and answer together, as its maker states it; undefined where
 * that is not known. Who serves a model may give it less: `context_tokens` of a provider says so.
 */
export function knownWindow(model: string): number | undefined {
  const name = model.slice(model.lastIndexOf("/") + 1).toLowerCase(); // routers put the maker in front
  return WINDOWS.find(([pattern]) => pattern.test(name))?.[1];
}

/** The first that fits counts: longer names before those that they begin with. */
const WINDOWS: readonly (readonly [RegExp, number])[] = [
  [/^gpt-4\.1/u, 1_047_576],
  [/^gpt-5/u, 400_000],
  [/^(?:gpt-4o|gpt-4-turbo|chatgpt-4o|o1-mini|o1-preview)/u, 128_000],
  [/^o[1-4](?:-|$)/u, 200_000],
  [/^gpt-4-32k/u, 32_768],
  [/^gpt-4/u, 8192],
  [/^gpt-3\.5-turbo/u, 16_385],
  [/^claude-/u, 200_000],
  [/^gemini-(?:1\.5|2)/u, 1_000_000],
  [/^deepseek-(?:chat|reasoner)/u, 64_000],
  [/^mistral-(?:small|medium|large)/u, 32_000],
  [/^(?:llama3|llama-3|meta-llama-3)(?:[:-]|$)(?!\.)/u, 8192],
  [/^llama-?2/u, 4096],
];
