import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import { keepLooks, readTerminalText } from "../../src/system/run/run.ts";
import { measureEffort } from "../support/effort.ts";

const ESC = "\u001b";

describe("readTerminalText()", () => {
  test.each([
    ["of the sixteen", `${ESC}[31mno${ESC}[0m yes`, "no yes", [[0, 0, 2, "red"]]],
    ["bright ones", `${ESC}[1;92mok${ESC}[m`, "ok", [[0, 0, 2, "bold green"]]],
    ["of 256", `${ESC}[38;5;208mwarm${ESC}[39m.`, "warm.", [[0, 0, 4, "yellow"]]],
    ["of 256 grays", `${ESC}[38;5;244mquiet`, "quiet", [[0, 0, 5, "gray"]]],
    ["of all", `${ESC}[38;2;10;20;250msea`, "sea", [[0, 0, 3, "blue"]]],
    ["with colons", `${ESC}[38:2::200:10:200mpink`, "pink", [[0, 0, 4, "magenta"]]],
    [
      "over lines",
      `${ESC}[36ma\nb${ESC}[0mc`,
      "a\nbc",
      [
        [0, 0, 1, "cyan"],
        [1, 0, 1, "cyan"],
      ],
    ],
    ["behind words", `${ESC}[1;7;31m FAIL ${ESC}[0m`, " FAIL ", [[0, 0, 6, "bold on-red"]]],
    ["of words behind which there is one", `${ESC}[97;41mx`, "x", [[0, 0, 1, "on-red"]]],
    ["black and white", `${ESC}[30mx${ESC}[97my`, "xy", []],
    ["that would hide words", `${ESC}[8mx${ESC}[0m`, "x", []],
    ["of lines below words", `${ESC}[4:3;58;5;1mx${ESC}[4:0my`, "xy", [[0, 0, 1, "underline"]]],
    [
      "the faint",
      `${ESC}[2;3;9mx${ESC}[22;23my`,
      "xy",
      [
        [0, 0, 1, "italic strike gray"],
        [0, 1, 2, "strike"],
      ],
    ],
  ])("has colours %s", (_, printed, ...expected) => {
    const { text, looks } = readTerminalText(printed);
    expect<readonly unknown[]>([text, looks]).toEqual(expected);
  });

  test("drops every other command, and nothing of the words", () => {
    const links = `${ESC}]8;;https://a.example/\u0007a link${ESC}]8;;${ESC}\\`;
    const commands = `${ESC}[?25l${ESC}[2K${ESC}[1A${ESC}(B${ESC}7${ESC}P1$r${ESC}\\\u009b2J`;
    expect(readTerminalText(`${links}${commands} end`).text).toBe("a link end");
    // A title without an end takes nothing with it, and what was cut off is no text.
    expect(readTerminalText(`${ESC}]0;not a title\nnext`).text).toBe("0;not a title\nnext");
    expect(readTerminalText(`a${ESC}[38;5`).text).toBe("a");
    expect(readTerminalText(`a${ESC}`).text).toBe("a");
  });

  test("has the words that the runtime has, whatever commands are among them", () => {
    const command = fc.oneof(
      fc.constantFrom(`${ESC}[0m`, `${ESC}[1;4;31m`, `${ESC}[48;5;17m`, `${ESC}[2K`, `${ESC}[m`),
      fc.tuple(fc.nat(200), fc.nat(300)).map(([a, b]) => `${ESC}[${a};${b}m`),
    );
    const words = fc.string({ unit: fc.constantFrom("a", " ", "\n", "\r", "é", "🙂", "1", "m") });
    fc.assert(
      fc.property(fc.array(fc.oneof(command, words)), (parts) => {
        const printed = parts.join("");
        const { text, looks } = readTerminalText(printed);
        expect(text).toBe(Bun.stripANSI(printed));
        const lines = text.split("\n");
        let before: readonly number[] = [0, 0];
        for (const [line, from, to, names] of looks) {
          expect(from < to && to <= (lines[line]?.length ?? -1)).toBe(true);
          expect(line > (before[0] ?? 0) || from >= (before[1] ?? 0)).toBe(true);
          expect(names).toMatch(/^[a-z-]+( [a-z-]+)*$/u);
          before = [line, to];
        }
      }),
    );
  });

  test("takes what is made to be slow without looking twice, and keeps a bounded part", () => {
    for (const part of [`${ESC}[`, `${ESC}]`, "\u009d", `${ESC}[1;`, `${ESC}[1mx`, `${ESC}[ `]) {
      const effort = measureEffort();
      readTerminalText(part.repeat(200_000));
      expect(effort()).toBeLessThan(2000);
    }
    expect(readTerminalText(`${ESC}[1mx`.repeat(9_000)).looks).toHaveLength(2000);
  });
});

describe("keepLooks()", () => {
  test("keeps those of lines that are as they were, and none where lines are others", () => {
    const looks = [[0, 0, 1, "red"] as const, [1, 0, 1, "blue"] as const];
    expect(keepLooks(looks, "a\nb", "a\nb")).toEqual(looks);
    expect(keepLooks(looks, "a\nkey", "a\n[secret]")).toEqual([[0, 0, 1, "red"]]);
    expect(keepLooks(looks, "a\nb", "a")).toEqual([]);
  });
});
