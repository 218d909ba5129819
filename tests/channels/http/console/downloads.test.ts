import { expect, test } from "bun:test";
import { createDownloads } from "../../../../src/channels/http/console/chats/chats.ts";
import { until } from "../../../support/patience.ts";

const SIZE_BYTES = 1_000_000;

function fileOf(sizeBytes = SIZE_BYTES) {
  const bytes = new Uint8Array(sizeBytes).map((_, at) => at % 251);
  return { name: "a.bin", bytes };
}

test("a file goes as views on what was read of it, no piece of it twice", async () => {
  for (const sizeBytes of [0, 1, 256 * 1024, 256 * 1024 + 1, SIZE_BYTES]) {
    const file = fileOf(sizeBytes);
    const given = await createDownloads().give(async () => file);
    const pieces: Uint8Array[] = [];
    for await (const piece of given.body ?? []) pieces.push(piece);
    expect(Buffer.concat(pieces)).toEqual(Buffer.from(file.bytes));
    for (const piece of pieces) expect(piece.buffer).toBe(file.bytes.buffer);
  }
});

/** Ways in which a file is not on its way any more; the second is a file that is read to its end. */
const ENDS: readonly (readonly [string, (given: Response) => Promise<unknown>])[] = [
  ["left", async (given) => given.body?.cancel()],
  ["read", async (given) => given.arrayBuffer()],
];

test.each(ENDS)("four are on their way at a time; one that is %s makes room", async (_, end) => {
  const downloads = createDownloads();
  let found = 0;
  const ask = () =>
    downloads.give(async () => {
      found += 1;
      return fileOf();
    });
  const four = await Promise.all([ask(), ask(), ask(), ask()]);
  expect(four.map(({ status }) => status)).toEqual([200, 200, 200, 200]);
  const fifth = await ask();
  expect([fifth.status, fifth.headers.get("retry-after")]).toEqual([503, "1"]);
  expect(found).toBe(4);
  const [first] = four;
  if (first) await end(first);
  expect([(await ask()).status, (await ask()).status]).toEqual([200, 503]);
});

test("what is not there, cannot be looked for or is not read in time holds no place", async () => {
  const downloads = createDownloads(5);
  for (let time = 0; time < 10; time++) {
    expect((await downloads.give(async () => undefined)).status).toBe(404);
    const failing = downloads.give(() => Promise.reject(new Error("the disk fails")));
    expect(await failing.catch(String)).toBe("Error: the disk fails");
  }
  const slow = await Promise.all(
    Array.from({ length: 4 }, () => downloads.give(async () => fileOf())),
  );
  // As many places as there are are free: each of the four is over.
  await until(async () => {
    const four = Array.from({ length: 4 }, () => downloads.give(async () => undefined));
    return (await Promise.all(four)).every(({ status }) => status === 404);
  });
  const read = await Promise.allSettled(slow.map((each) => each.arrayBuffer()));
  expect(read.map(({ status }) => status)).toEqual(Array(4).fill("rejected"));
});
