import os from "node:os";
import { expect, onTestFinished, test, vi } from "vitest";
import { aCardPayment, aPix } from "../../support/merchant.ts";
import { warningsOf } from "../../support/recording-client.ts";

const NOT_AN_ADDRESS =
  "is not a single IP address without a port: of a list such as X-Forwarded-For, send the address that your own proxy added";
const NOT_THE_BUYERS =
  "is an address of this server or of a private network, so anti-fraud may refuse the payment: behind a proxy, send the address that your own proxy adds";

const PUBLIC = [
  // The first is for documentation, the last two begin with 00fc and with the prefix of NAT64.
  ..."203.0.113.7 8.8.8.8 172.32.0.1 100.128.0.1 2001:db8::7 2804:14C:1::A ::ffff:203.0.113.7".split(" "),
  ..."fc:5:31::69 64:ff9b::203.0.113.7".split(" "),
];

const NOT_PUBLIC = [
  // Loopback, private, carrier-grade NAT, link-local, this network, multicast and reserved.
  ..."127.0.0.1 10.1.2.3 172.16.0.1 172.31.255.255 192.168.1.10 100.64.0.1 100.127.255.255".split(" "),
  ..."169.254.169.254 0.0.0.0 224.0.0.1 255.255.255.255".split(" "),
  ..."::1 0:0:0:0:0:0:0:1 :: fd12:3456::1 FE80::1 fec0::1 ff02::1".split(" "),
  // IPv4 in IPv6: mapped, compatible, and of NAT64.
  ..."::ffff:127.0.0.1 ::ffff:c0a8:10a ::10.0.0.1 64:ff9b::10.0.0.1".split(" "),
];

const NO_ADDRESS = [
  ..."localhost 203.0.113.7:443 [2001:db8::7]:443 fe80::1%eth0 203.0.113 203.0.113.256 2130706433".split(" "),
  ...["203.0.113.7, 10.0.0.1", "::1]/", "unknown"],
];

test.each([
  ...PUBLIC.map((ip) => [ip, undefined]),
  ...NOT_PUBLIC.map((ip) => [ip, NOT_THE_BUYERS]),
  ...NO_ADDRESS.map((ip) => [ip, NOT_AN_ADDRESS]),
])("an ip that cannot be the buyer's is sent with a warning: %s: %s", async (ip, message) => {
  const warnings = await warningsOf("createCard", aCardPayment({ ip: String(ip) }));

  expect(warnings).toEqual(message === undefined ? [] : [{ field: "ip", message }]);
});

test("the public address of this server is not the buyer's", async () => {
  onTestFinished(() => void vi.resetModules()); // the addresses are read once per process
  vi.resetModules();
  const read = vi
    .spyOn(os, "networkInterfaces")
    .mockReturnValue({ eth0: [{ address: "198.51.100.4" }, { address: "2001:db8::4" }] as never });
  const { warningsOf } = await import("../../support/recording-client.ts");

  const warnings = [];
  for (const ip of ["198.51.100.4", "2001:DB8:0::4", "198.51.100.5"])
    warnings.push(await warningsOf("createPix", aPix({ ip })));

  const warning = { field: "ip", message: NOT_THE_BUYERS };
  expect(warnings).toEqual([[warning], [warning], []]);
  expect(read).toHaveBeenCalledTimes(1);
});

test("the addresses of this server are not read without a listener, and failing to read them changes nothing", async () => {
  onTestFinished(() => void vi.resetModules());
  vi.resetModules();
  const read = vi.spyOn(os, "networkInterfaces").mockImplementation(() => {
    throw new Error("not allowed");
  });
  const { merchantAt } = await import("../../support/merchant.ts");
  const { warningsOf } = await import("../../support/recording-client.ts");
  const fetch = async () => new Response();
  const { payments } = merchantAt("https://pay.example", { fetch, onEvent: undefined });

  await payments.transactions.createPix(aPix()).catch(() => undefined);
  expect(read).not.toHaveBeenCalled();

  expect(await warningsOf("createPix", aPix())).toEqual([]);
  expect(read).toHaveBeenCalled();
});
