import { PostbackUrlSigner, UntrustedPostbackError } from "payments-sdk/postbacks";

/** Keys, signers and orders for tests of signed postback URLs. */

export const KEY = { kid: "k1", secret: "a secret of the tests, which is long enough" };
export const OTHER_KEY = { kid: "k2", secret: "another secret of the tests, as long as that" };

export const URL_OF_SHOP = "https://loja.example/postbacks";
export const ORDER = { externalRef: "pedido-77", amount: 10_000 };
export const POSTBACK = { id: 81_001, status: "approved", ...ORDER };

export function aSigner(...keys: { kid: string; secret: string | Uint8Array }[]): PostbackUrlSigner {
  return new PostbackUrlSigner({ keys: keys.length > 0 ? keys : [KEY] });
}

export function tokenIn(url: string): string {
  const token = new URL(url).searchParams.get("pbsig");
  if (token === null) throw new Error("the URL has no signature");
  return token;
}

/** A part of a JWT, decoded without verification. */
export function partOf(token: string, part: 0 | 1): Record<string, unknown> {
  return JSON.parse(Buffer.from(token.split(".")[part] ?? "", "base64url").toString());
}

/** Why a postback is refused; fails the test if it is trusted. */
export async function refusalOf(verification: Promise<unknown>): Promise<string> {
  try {
    await verification;
  } catch (error) {
    if (error instanceof UntrustedPostbackError) return error.reason;
    throw new Error("the postback was refused with another error", { cause: error });
  }
  throw new Error("the postback was trusted, but should be refused");
}
