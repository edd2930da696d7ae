import { expect, test } from "vitest";
import { forgeUrls } from "../../src/testing/shops/forged-urls.ts";

const SHOP = "https://shop.example";
const [A, B] = ["order-0a1b2c3d-1111-4111-8111-000000000001", "order-0a1b2c3d-1111-4111-8111-000000000002"];
const [SECRET_A, SECRET_B] = ["Ab3dEf6hIj9kLm2n", "Zy8xWv5uTs4rQp1o"];
const [WRONG_A, WRONG_JWT] = ["n2mLk9jIh6fEd3bA", "e30.eyJ9.n2mLk9jIh6fEd3bA"];

test.each<[string, string, string, readonly string[], readonly string[]]>([
  ["a plain URL", "/hook", "/hook", ["/hook"], []],
  ["a URL with the order only", `/hook?order=${A}`, `/hook?order=${B}`, [`/hook?order=${A}`], []],
  ["a path with the order only", `/hook/${A}`, `/hook/${B}`, [`/hook/${A}`], []],
  ["a number of the shop only", "/hook?pedido=7", "/hook?pedido=8", ["/hook?pedido=7"], []],
  [
    "a signature",
    `/hook?sig=${SECRET_A}`,
    `/hook?sig=${SECRET_B}`,
    ["/hook"],
    [`/hook?sig=${WRONG_A}`, `/hook?sig=${SECRET_B}`],
  ],
  [
    "the order and a signature",
    `/hook?order=${A}&sig=${SECRET_A}&lang=pt-BR`,
    `/hook?order=${B}&sig=${SECRET_B}&lang=pt-BR`,
    [`/hook?order=${A}&lang=pt-BR`, "/hook"],
    [`/hook?order=${A}&sig=${WRONG_A}&lang=pt-BR`, `/hook?order=${A}&sig=${SECRET_B}&lang=pt-BR`],
  ],
  [
    "a fixed secret beside the order",
    `/hook?order=${A}&key=${SECRET_A}`,
    `/hook?order=${B}&key=${SECRET_A}`,
    [`/hook?order=${A}`, "/hook"],
    [`/hook?order=${A}&key=${WRONG_A}`],
  ],
  [
    "a fixed secret in the path",
    `/hook/${SECRET_A}?from=psp`,
    `/hook/${SECRET_A}?from=psp`,
    [],
    [`/hook/${WRONG_A}?from=psp`],
  ],
  [
    "a secret of the order in the path",
    `/hook/${SECRET_A}`,
    `/hook/${SECRET_B}`,
    [],
    [`/hook/${WRONG_A}`, `/hook/${SECRET_B}`],
  ],
  [
    "the order and its signature in one value",
    `/hook?t=${A}.${SECRET_A}`,
    `/hook?t=${B}.${SECRET_B}`,
    ["/hook"],
    [
      `/hook?t=${A}${[...`.${SECRET_A}`].reverse().join("")}`,
      `/hook?t=${A}.${WRONG_A}`,
      `/hook?t=${A}.${SECRET_B}`,
    ],
  ],
  [
    "a JWT",
    `/hook?t=e30.eyJ9.${SECRET_A}`,
    `/hook?t=e30.eyJ9.${SECRET_B}`,
    ["/hook"],
    [
      `/hook?t=${[...`e30.eyJ9.${SECRET_A}`].reverse().join("")}`,
      `/hook?t=${WRONG_JWT}`,
      `/hook?t=e30.eyJ9.${SECRET_B}`,
    ],
  ],
])("the forged URLs of %s", (_what, ofOrder, ofOther, unsigned, forged) => {
  const urls = forgeUrls({ url: SHOP + ofOrder, ids: [A] }, { url: SHOP + ofOther, ids: [B] });

  expect(urls.unsigned.map((url) => url.slice(SHOP.length))).toEqual(unsigned);
  expect(urls.forged.map((url) => url.slice(SHOP.length))).toEqual(forged);
});
