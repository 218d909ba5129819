import { checkActions } from "./check-actions.ts";
import { type Validation, type ValidationOptions, validateResponse } from "./validate-response.ts";

/** No answer may have more; a workspace may allow fewer. */
const MOST_ACTIONS = 200;

/**
 * All that can be said of a parsed answer without looking at files: its schema, the rules of its
 * mode, the static rules of its actions and the conflicts among them. What is valid here is refused
 * later for what lies on the disk alone, and for a lower number of actions that a workspace sets.
 */
export function checkResponse(value: unknown, options: ValidationOptions): Validation {
  const valid = validateResponse(value, options);
  if (!valid.ok) return valid;
  const problems = checkActions(valid.response.actions, { maxActions: MOST_ACTIONS });
  const [first] = problems;
  if (!first) return valid;
  return { ok: false, code: first.code, errors: problems.map(({ message }) => message), problems };
}
