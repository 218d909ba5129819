import { expect, test } from "bun:test";
import fc from "fast-check";
import { checkAddress } from "../../src/http/check-url/check-address.ts";

test.each<[string, ReturnType<typeof checkAddress>]>([
  ["1.1.1.1", "public"],
  ["192.31.196.1", "public"],
  ["172.32.0.1", "public"],
  ["2a00:1450::1", "public"],
  ["2620:4f:8000::1", "public"],
  ["10.1.2.3", "private"],
  ["127.0.0.1", "private"],
  ["100.127.255.255", "private"],
  ["::1", "private"],
  ["fd01::1", "private"],
  ["::ffff:192.168.0.1", "private"],
  ["0.0.0.0", "closed"],
  ["169.254.1.1", "closed"],
  ["192.88.99.1", "closed"],
  ["198.19.255.255", "closed"],
  ["100.100.100.200", "closed"],
  ["fd00:ec2::23", "closed"],
  ["::", "closed"],
  ["::2", "closed"],
  ["64:ff9b:1::808:808", "closed"],
  ["2001:db8::1", "closed"],
  ["2001:2::1", "closed"],
  ["4000::1", "closed"],
  ["fe80::1%eth0", "closed"],
  ["example.org", undefined],
  ["0x7f.1", undefined],
  ["010.0.0.1", undefined],
  ["", undefined],
])("checkAddress() calls %p %p", (address, scope) => {
  expect(checkAddress(address)).toBe(scope);
});

test("checkAddress() sees through every notation that carries an IPv4 address", () => {
  fc.assert(
    fc.property(fc.ipV4(), (address) => {
      const [a = 0, b = 0, c = 0, d = 0] = address.split(".").map(Number);
      const hex = [a * 256 + b, c * 256 + d].map((group) => group.toString(16)).join(":");
      const scope = checkAddress(address);
      expect(checkAddress(`::ffff:${address}`)).toBe(scope);
      expect(checkAddress(`64:ff9b::${hex}`)).toBe(scope);
      expect(checkAddress(`2002:${hex}::`)).toBe(scope);
    }),
  );
});
