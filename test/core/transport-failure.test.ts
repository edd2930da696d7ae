import { describe, expect, test } from "vitest";
import { Redactor } from "../../src/core/redaction.ts";
import { explainFailure } from "../../src/core/transport-failure.ts";

const nothingSecret = new Redactor([]);

/** What Node's fetch rejects with. */
const fetchFailed = (cause: object) =>
  new TypeError("fetch failed", { cause: Object.assign(new Error("x"), cause) });

describe("the words for a failure", () => {
  test.each<[object, string]>([
    [{ code: "ECONNREFUSED" }, "the connection was refused"],
    [{ code: "ENOTFOUND" }, "the host name was not found"],
    [{ code: "EAI_AGAIN" }, "the host name could not be looked up"],
    [{ code: "UND_ERR_CONNECT_TIMEOUT" }, "connecting took too long"],
    [{ code: "EHOSTUNREACH", syscall: "connect" }, "the host cannot be reached"],
    [{ code: "EHOSTUNREACH", syscall: "read" }, "it broke off"], // in the middle of a connection
    [{ code: "ENETUNREACH", syscall: "connect" }, "the network cannot be reached"],
    [{ code: "ETIMEDOUT", syscall: "connect" }, "connecting took too long"],
    [{ code: "ETIMEDOUT" }, "it broke off"],
    // Node tries each address of a name, and reports all failures together.
    [
      { code: "ETIMEDOUT", errors: [{ syscall: "connect" }, { syscall: "connect" }] },
      "connecting took too long",
    ],
    [{ code: "ETIMEDOUT", errors: [{ syscall: "connect" }, null] }, "it broke off"],
    [{ code: "CERT_HAS_EXPIRED" }, "the certificate was not accepted"],
    [{ code: "DEPTH_ZERO_SELF_SIGNED_CERT" }, "the certificate was not accepted"],
    [{ code: "SELF_SIGNED_CERT_IN_CHAIN" }, "the certificate was not accepted"],
    [{ code: "ERR_TLS_CERT_ALTNAME_INVALID" }, "the certificate was not accepted"],
    [{ code: "UNABLE_TO_VERIFY_LEAF_SIGNATURE" }, "the certificate was not accepted"],
    [{ code: "UNABLE_TO_GET_ISSUER_CERT" }, "the certificate was not accepted"],
    [{ code: "HOSTNAME_MISMATCH" }, "the certificate was not accepted"],
    [{ code: "X_DEPTH_ZERO_SELF_SIGNED_CERT" }, "it broke off"],
    [{ code: "ERR_SSL_WRONG_VERSION_NUMBER" }, "was not TLS"],
    [{ code: "ECONNRESET" }, "it broke off"],
    [{ code: "constructor" }, "no answer came"],
  ])("%j: %s", (cause, words) => {
    expect(explainFailure(fetchFailed(cause), nothingSecret).detail).toContain(words);
  });
});

describe("the reason names", () => {
  test("the deepest code where none is known", () => {
    const failure = Object.assign(new Error("outer", { cause: { code: "INNER_CODE" } }), {
      code: "OUTER_CODE",
    });

    expect(explainFailure(failure, nothingSecret).detail).toBe("it broke off (INNER_CODE)");
  });

  test("a known code wherever it stands", () => {
    const failure = Object.assign(new Error("outer", { cause: { code: "OTHER" } }), { code: "ECONNREFUSED" });

    expect(explainFailure(failure, nothingSecret).detail).toBe("the connection was refused (ECONNREFUSED)");
  });

  test("at most 120 characters of a message", () => {
    const { detail } = explainFailure(new Error("m".repeat(500)), nothingSecret);

    expect(detail).toBe(`no answer came (${"m".repeat(120)})`);
  });
});
