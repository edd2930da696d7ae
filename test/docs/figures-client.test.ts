import { InvalidRequestError } from "payments-sdk";
import { createGateway, type GatewayOptions } from "payments-sdk/sandbox";
import { aPix, merchantAt } from "../support/merchant.ts";
import { testClaims } from "./support/figures.ts";

const PAGE = "docs/client.md";

function open(options: GatewayOptions = {}) {
  const gateway = createGateway({ now: 0, ...options });
  const { baseUrl, secretKey, publicKey, fetch } = gateway;
  const { payments } = merchantAt(baseUrl, { secretKey, publicKey, fetch, maxRetries: 0 });
  return { payments, gateway };
}

/** How many requests for the status are answered before one is too many, where each so many are a minute's. */
async function requestsInTime(aMinute: number): Promise<number> {
  const { gateway } = open();
  for (let count = 0; ; count += 1) {
    if (count > 0 && count % aMinute === 0) gateway.clock.advance(60_000);
    const { status } = await gateway.fetch(`${gateway.baseUrl}/api/v1/status`);
    if (status === 429) return count;
  }
}

const sellersOf = (count: number): NonNullable<GatewayOptions["sellers"]> =>
  Array.from({ length: count }, (_, at) => ({
    ...{ id: `seller_${at}`, name: "Maria Exemplo", document: "52998224725", status: "active" as const },
    createdAt: "2026-11-21T12:00:00.000Z",
  }));

/** Whether a pix is refused before it is sent. */
async function isRefused(params: object): Promise<boolean> {
  const error: unknown = await open()
    .payments.transactions.createPix({ ...aPix(), ...params })
    .then(undefined, (thrown: unknown) => thrown);
  return error instanceof InvalidRequestError;
}

const areRefused = (params: readonly object[]) => Promise.all(params.map(isRefused));

const ofDocument = (type: "cpf" | "cnpj", length: number) => ({
  customer: { ...aPix().customer, document: { type, number: "1".repeat(length) } },
});

/** Metadata that has so many bytes as JSON. */
const ofBytes = (bytes: number) => ({ metadata: { text: "x".repeat(bytes - '{"text":""}'.length) } });

async function daysOf(expiresInDays?: number): Promise<number> {
  const { payments } = open();
  const { pix } = await payments.transactions.createPix(aPix({ pix: { expiresInDays } }));
  return Date.parse(pix.expirationDate ?? "") / 86_400_000;
}

testClaims([
  [
    PAGE,
    "no key is needed, and 60 a minute and 300 an hour are allowed |",
    [60, 300],
    async () => [await requestsInTime(1_000), await requestsInTime(60)],
  ],
  [
    PAGE,
    "the sellers, newest first, at most 100 |",
    100,
    async () => (await open({ sellers: sellersOf(101) }).payments.sellers.list()).length,
  ],
  [
    PAGE,
    "is a CPF of 11 digits or a CNPJ of 14 places;",
    [true, false, true, true, false, true],
    () =>
      areRefused([
        ...[10, 11, 12].map((at) => ofDocument("cpf", at)),
        ...[13, 14, 15].map((at) => ofDocument("cnpj", at)),
      ]),
  ],
  [
    PAGE,
    "or a text of JSON, of at most 64 kB.",
    [false, true],
    () => areRefused([64_000, 64_001].map(ofBytes)),
  ],
  [PAGE, "in whole days: 1 unless you say more.", 1, () => daysOf()],
  [PAGE, "Above 30 the service makes it 30,", [30, 30], () => Promise.all([30, 31].map(daysOf))],
]);
