/** The value, each time with another of its parts as a kind that this part never is. */
export function* withWrongPart(value: unknown): Generator {
  yield typeof value === "number" || value === null ? "text" : -1;
  if (Array.isArray(value)) {
    for (const [index, part] of value.entries()) {
      for (const wrong of withWrongPart(part)) yield value.with(index, wrong);
    }
  } else if (typeof value === "object" && value !== null) {
    for (const [name, part] of Object.entries(value)) {
      for (const wrong of withWrongPart(part)) yield { ...value, [name]: wrong };
    }
  }
}
