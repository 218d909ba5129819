/** What a piece of code is, as far as it has a colour of its own; the rest has that of text. */
export const KINDS = [
  "plain",
  "comment",
  "string",
  "keyword",
  "number",
  "function",
  "type",
  "tag",
  "name",
  "escape",
] as const;

/** A name of {@link KINDS}. */
export type Kind = (typeof KINDS)[number];

/** The scopes of grammars that are of a kind; the longest one that fits counts. */
export const SCOPES: Readonly<Record<Exclude<Kind, "plain">, readonly string[]>> = {
  comment: ["comment", "comment constant", "punctuation.definition.comment", "string.comment"],
  string: [
    "string",
    "punctuation.definition.string",
    "markup.inline.raw",
    "markup.fenced_code",
    "markup.inserted",
    "constant.other.symbol",
  ],
  keyword: [
    "keyword",
    "storage",
    "keyword.operator.new",
    "keyword.operator.expression",
    "keyword.operator.word",
    "keyword.operator.logical.python",
    "variable.language",
    "markup.heading",
    "entity.name.section",
    "meta.preprocessor",
    "punctuation.definition.keyword",
    "markup.bold",
  ],
  number: ["constant", "support.constant", "variable.other.constant", "keyword.other.unit"],
  function: [
    "entity.name.function",
    "support.function",
    "meta.function-call.generic",
    "entity.name.command",
    "markup.underline.link",
    "meta.diff.range",
  ],
  type: [
    "entity.name.type",
    "entity.name.class",
    "entity.other.inherited-class",
    "support.class",
    "support.type",
    "entity.name.namespace",
    "storage.type.primitive",
    "meta.diff.header",
  ],
  tag: ["entity.name.tag", "punctuation.definition.tag", "markup.deleted", "markup.list"],
  name: [
    "entity.other.attribute-name",
    "support.type.property-name",
    "meta.object-literal.key",
    "variable.parameter",
    "entity.name.label",
    "meta.decorator",
    "entity.name.function.decorator",
    "markup.italic",
  ],
  escape: [
    "constant.character.escape",
    "string.regexp",
    "constant.other.character-class.regexp",
    "punctuation.definition.template-expression",
    "punctuation.section.embedded",
  ],
};

/** Signs are no words of the language; without this they would look like them. */
export const PLAIN_SCOPES: readonly string[] = [
  "keyword.operator",
  "punctuation",
  "storage.type.function.arrow",
  "meta.embedded",
  "source",
];
