import { describe, expect, test } from "bun:test";
import { decodeText } from "../../src/http/html-to-text/decode-text.ts";

async function decode(chunks: readonly Uint8Array[], charset?: string): Promise<string> {
  async function* stream() {
    yield* chunks;
  }
  return (await Array.fromAsync(decodeText(stream(), charset))).join("");
}

const latin1 = (text: string) => Buffer.from(text, "latin1");
const filler = latin1("x".repeat(5000));

describe("decodeText() takes the charset", () => {
  test.each([
    ["from a UTF-8 mark before all", [0xef, 0xbb, 0xbf, 0xc3, 0xa9], "koi8-r", "é"],
    ["from a UTF-16 mark, low byte first", [0xff, 0xfe, 0x2d, 0x4e], "utf-8", "中"],
    ["from a UTF-16 mark, high byte first", [0xfe, 0xff, 0x4e, 0x2d], undefined, "中"],
    ["from the header", [0xcf, 0xf0], "windows-1251", "Пр"],
    ["from the header, East Asian", [0xd6, 0xd0], "gbk", "中"],
    ["from the header, Japanese", [0x93, 0xfa], "Shift_JIS", "日"],
    ["from validity when the header names none that exists", [0xc3, 0xa9], "utf-99", "é"],
    ["from validity", [0xe4, 0xb8, 0xad], undefined, "中"],
    ["as windows-1252 when it is not UTF-8", [0x93, 0xe9, 0x94], undefined, "“é”"],
  ])("%s", async (_from, bytes, charset, text) => {
    expect(await decode([Uint8Array.from(bytes)], charset)).toBe(text);
  });

  test.each([
    ["<meta charset=windows-1251>", "Пр"],
    ['<META http-equiv="Content-Type" content="text/html; charset=KOI8-R">', "оП"],
    ["<?xml version='1.0' encoding='windows-1251'?>", "Пр"],
    ["<!-- charset=koi8-r -->", "Ïð"],
  ])("from %s", async (declaration, text) => {
    expect(await decode([latin1(`${declaration}\xcf\xf0`)])).toBe(declaration + text);
  });

  test("as UTF-8 from a page that says UTF-16 in plain ASCII", async () => {
    const page = Buffer.from('<meta charset="utf-16le">é');
    expect(await decode([page])).toBe(page.toString());
  });

  test("from the first bytes beyond ASCII, however late they come", async () => {
    const text = await decode([filler, latin1("caf"), latin1("\xe9 "), Buffer.from("é")]);
    expect(text.slice(5000)).toBe("café Ã©");
    expect((await decode([filler, Buffer.from("é")])).slice(5000)).toBe("é");
  });
});

test("decodeText() joins characters that were cut between chunks", async () => {
  const [first, ...rest] = Buffer.from("🙂");
  expect(
    (await decode([filler, Uint8Array.of(first ?? 0), Uint8Array.from(rest)])).slice(5000),
  ).toBe("🙂");
});

test("decodeText() of nothing is nothing", async () => {
  expect(await decode([])).toBe("");
  expect(await decode([new Uint8Array()])).toBe("");
});

test("decodeText() waits for no more of a text than it needs to know its charset", async () => {
  async function* arriving() {
    yield Buffer.from("first");
    throw new Error("read too far");
  }
  const pieces = decodeText(arriving(), "utf-8");
  expect((await pieces.next()).value).toBe("first");
  await pieces.return(undefined);
});
