/** Takes a value over when it has the right shape; else says in `faults` what is there. */
export type Read = (value: unknown, at: string, faults: string[]) => unknown;

/** A whole number that can be counted with. */
export const integer: Read = check("whole number", Number.isSafeInteger);
/** Any number. */
export const number: Read = check("number", Number.isFinite);
/** A text. */
export const text: Read = check("text", (value) => typeof value === "string");
/** Yes or no. */
export const flag: Read = check("boolean", (value) => typeof value === "boolean");

/** Something of which only counts that it is there; null is no way to leave it out. */
export const mark: Read = (value, at, faults) => {
  if (value === null) faults.push(describe(at, value, "object"));
  return {};
};

/** A list of one kind. */
export function list(item: Read): Read {
  return (value, at, faults) => {
    if (Array.isArray(value))
      return value.map((each, index) => item(each, `${at}[${index}]`, faults));
    faults.push(describe(at, value, "list"));
    return [];
  };
}

/** An object with these fields, of which the named ones must be there; others are left out. */
export function object(fields: Readonly<Record<string, Read>>, required: string): Read {
  const needed = required.split(" ").filter((name) => name !== "");
  const entries = Object.entries(fields);
  return (value, at, faults) => {
    if (typeof value !== "object" || value === null || Array.isArray(value)) {
      faults.push(describe(at, value, "object"));
      return {};
    }
    for (const name of needed) {
      if (!Object.hasOwn(value, name)) faults.push(`${at}.${name} is missing`);
    }
    const found: Record<string, unknown> = {};
    for (const [name, read] of entries) {
      if (!Object.hasOwn(value, name)) continue;
      found[name] = read(Reflect.get(value, name), `${at}.${name}`, faults);
    }
    return found;
  };
}

function check(name: string, isRight: (value: unknown) => boolean): Read {
  return (value, at, faults) => {
    if (!isRight(value)) faults.push(describe(at, value, name));
    return value;
  };
}

/** Of the value only the type is told: it may be somebody's words. */
function describe(at: string, value: unknown, wanted: string): string {
  const found = value === null ? "null" : Array.isArray(value) ? "list" : typeof value;
  return `${at} is of type ${found}, not ${wanted}`;
}
