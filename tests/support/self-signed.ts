import { generateKeyPairSync, sign } from "node:crypto";

/** A key of this run and a certificate that it signed itself; browsers have to be told to take it. */
export function makeSelfSigned(
  host: string,
  { until = "491231235959Z" } = {},
): { readonly key: string; readonly cert: string } {
  const { privateKey, publicKey } = generateKeyPairSync("ec", { namedCurve: "P-256" });
  const name = sequence(set(sequence(oid(2, 5, 4, 3), element(0x0c, Buffer.from(host)))));
  const times = ["200101000000Z", until].map((time) => element(0x17, Buffer.from(time)));
  const certified = sequence(
    element(0xa0, integer(2)), // version 3
    integer(1),
    ECDSA_SHA256,
    name,
    sequence(...times),
    name,
    publicKey.export({ type: "spki", format: "der" }),
  );
  const signature = element(0x03, Buffer.from([0]), sign("sha256", certified, privateKey));
  const der = sequence(certified, ECDSA_SHA256, signature);
  const lines = der.toString("base64").replaceAll(/.{64}/gu, "$&\n");
  return {
    key: privateKey.export({ type: "pkcs8", format: "pem" }),
    cert: `-----BEGIN CERTIFICATE-----\n${lines}\n-----END CERTIFICATE-----\n`,
  };
}

/** A tag, the length of what is in it, and that. */
function element(tag: number, ...parts: readonly Uint8Array[]): Buffer {
  const content = Buffer.concat(parts);
  const { length } = content;
  const size =
    length < 128 ? [length] : length < 256 ? [0x81, length] : [0x82, length >> 8, length];
  const head = [tag, ...size.map((byte) => byte & 0xff)];
  return Buffer.concat([Buffer.from(head), content]);
}

const sequence = (...parts: readonly Uint8Array[]) => element(0x30, ...parts);
const set = (...parts: readonly Uint8Array[]) => element(0x31, ...parts);
const integer = (value: number) => element(0x02, Buffer.from([value]));

function oid(first: number, second: number, ...rest: readonly number[]): Buffer {
  const bytes = rest.flatMap((arc) => {
    const digits = [arc & 0x7f];
    for (let left = arc >> 7; left > 0; left >>= 7) digits.unshift((left & 0x7f) | 0x80);
    return digits;
  });
  return element(0x06, Buffer.from([40 * first + second, ...bytes]));
}

const ECDSA_SHA256 = sequence(oid(1, 2, 840, 10045, 4, 3, 2));
