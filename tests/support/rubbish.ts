/** What a value of JSON may have become: of another shape, cut off, or never JSON at all. */
export const RUBBISH: readonly string[] = [
  "",
  "null",
  "[]",
  "{}",
  "3",
  '"x"',
  "true",
  "[null]",
  "[3]",
  "[{}]",
  '{"a":',
  "rubbish",
  '{"__proto__":{}}',
];
