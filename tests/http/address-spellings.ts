type Spelling = (bytes: readonly [number, number, number, number]) => string;

/** Other decimal digits that host names are normalised from. */
const DIGITS = ["０１２３４５６７８９", "𝟎𝟏𝟐𝟑𝟒𝟓𝟔𝟕𝟖𝟗", "⓪①②③④⑤⑥⑦⑧⑨", "⁰¹²³⁴⁵⁶⁷⁸⁹"];
const DOTS = ["。", "．", "｡"];

const hex = (byte: number, width = 2) => byte.toString(16).padStart(width, "0");
const octal = (byte: number) => `0${byte.toString(8)}`;
const toNumber = (bytes: readonly number[]) => bytes.reduce((sum, byte) => sum * 256 + byte, 0);
const pairs = ([a, b, c, d]: readonly number[]) =>
  `${hex((a ?? 0) * 256 + (b ?? 0), 1)}:${hex((c ?? 0) * 256 + (d ?? 0), 1)}`;

const SPELLINGS: readonly Spelling[] = [
  (b) => b.join("."),
  (b) => `${b.join(".")}.`,
  (b) => String(toNumber(b)),
  (b) => `0x${b.map((byte) => hex(byte)).join("")}`,
  (b) =>
    `0X${b
      .map((byte) => hex(byte))
      .join("")
      .toUpperCase()}`,
  (b) => `0${toNumber(b).toString(8)}`,
  (b) => b.map(octal).join("."),
  (b) => b.map((byte) => `0000${octal(byte)}`).join("."),
  (b) => b.map((byte) => `0x${hex(byte)}`).join("."),
  ([a, b, c, d]) => `0x${hex(a)}.${b}.${octal(c)}.${d}`,
  ([a, b, c, d]) => `${a}.${b}.${c * 256 + d}`,
  ([a, ...rest]) => `${a}.${toNumber(rest)}`,
  (b) => b.join(".").replace(/./gu, (each) => `%${hex(each.charCodeAt(0))}`),
  ...DIGITS.map(
    (digits): Spelling =>
      (b) =>
        b.join(".").replace(/\d/gu, (digit) => Array.from(digits)[Number(digit)] ?? ""),
  ),
  ...DOTS.map(
    (dot): Spelling =>
      (b) =>
        b.join(dot),
  ),
  (b) => `[::ffff:${b.join(".")}]`,
  (b) => `[::ffff:${pairs(b)}]`,
  (b) => `[0:0:0:0:0:FFFF:${pairs(b)}]`,
  (b) => `[64:ff9b::${pairs(b)}]`,
  (b) => `[2002:${pairs(b)}::1]`,
];

/** The same IPv4 address in every notation that a URL can hold it in. */
export function spellingsOf(address: string): readonly string[] {
  const [a = 0, b = 0, c = 0, d = 0] = address.split(".").map(Number);
  return SPELLINGS.map((spell) => spell([a, b, c, d]));
}
