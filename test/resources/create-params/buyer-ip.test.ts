import os from "node:os";
import { describe, expect, onTestFinished, test, vi } from "vitest";
import { aCardPayment, aPix, eventsOf, failureOf, merchantAt } from "../../support/merchant.ts";
import { warningsOf } from "../../support/recording-client.ts";

const NOT_AN_ADDRESS =
  "is not a single IP address without a port: of a list such as X-Forwarded-For, send the address that your own proxy added";
const NOT_THE_BUYERS =
  "is an address of this server or of a private network, so anti-fraud may refuse the payment: behind a proxy, send the address that your own proxy adds";

describe("an ip that cannot be the buyer's is sent with a warning", () => {
  test.each([
    ["203.0.113.7", []], // an address for documentation
    ["8.8.8.8", []],
    ["172.32.0.1", []],
    ["100.128.0.1", []],
    ["2001:db8::7", []],
    ["2804:14C:1::A", []],
    ["::ffff:203.0.113.7", []],
    ["fc:5:31::69", []], // 00fc
    ["64:ff9b::203.0.113.7", []],

    ["127.0.0.1", [NOT_THE_BUYERS]],
    ["10.1.2.3", [NOT_THE_BUYERS]],
    ["172.16.0.1", [NOT_THE_BUYERS]],
    ["172.31.255.255", [NOT_THE_BUYERS]],
    ["192.168.1.10", [NOT_THE_BUYERS]],
    ["100.64.0.1", [NOT_THE_BUYERS]], // carrier-grade NAT
    ["100.127.255.255", [NOT_THE_BUYERS]],
    ["169.254.169.254", [NOT_THE_BUYERS]], // link-local
    ["0.0.0.0", [NOT_THE_BUYERS]],
    ["224.0.0.1", [NOT_THE_BUYERS]], // multicast
    ["255.255.255.255", [NOT_THE_BUYERS]],
    ["::1", [NOT_THE_BUYERS]],
    ["0:0:0:0:0:0:0:1", [NOT_THE_BUYERS]],
    ["::", [NOT_THE_BUYERS]],
    ["fd12:3456::1", [NOT_THE_BUYERS]],
    ["FE80::1", [NOT_THE_BUYERS]],
    ["fec0::1", [NOT_THE_BUYERS]], // site-local
    ["ff02::1", [NOT_THE_BUYERS]],
    ["::ffff:127.0.0.1", [NOT_THE_BUYERS]],
    ["::ffff:c0a8:10a", [NOT_THE_BUYERS]], // 192.168.1.10
    ["::10.0.0.1", [NOT_THE_BUYERS]], // IPv4-compatible
    ["64:ff9b::10.0.0.1", [NOT_THE_BUYERS]], // NAT64

    ["localhost", [NOT_AN_ADDRESS]],
    ["203.0.113.7, 10.0.0.1", [NOT_AN_ADDRESS]],
    ["203.0.113.7:443", [NOT_AN_ADDRESS]],
    ["[2001:db8::7]:443", [NOT_AN_ADDRESS]],
    ["fe80::1%eth0", [NOT_AN_ADDRESS]],
    ["203.0.113", [NOT_AN_ADDRESS]],
    ["203.0.113.256", [NOT_AN_ADDRESS]],
    ["2130706433", [NOT_AN_ADDRESS]],
    ["::1]/", [NOT_AN_ADDRESS]],
    ["unknown", [NOT_AN_ADDRESS]],
  ])("%s: %j", async (ip, messages) => {
    const warnings = await warningsOf("createCard", aCardPayment({ ip }));

    expect(warnings).toEqual(messages.map((message) => ({ field: "ip", message })));
  });
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

test("with a sandbox on this machine, the buyer may be on it, too", async () => {
  const fetch = async () => new Response();
  const { payments, events } = merchantAt("http://localhost:4010", { fetch });

  await failureOf(payments.transactions.createPix(aPix({ ip: "127.0.0.1" })));

  expect(eventsOf(events, "warning")).toEqual([]);
});
