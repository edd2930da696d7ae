import { describe, expect, test } from "vitest";
import { Redactor } from "../../src/core/redaction.ts";
import { explainFailure } from "../../src/core/transport-failure.ts";

const nothingSecret = new Redactor([]);

/** What Node's fetch rejects with. */
const fetchFailed = (cause: object) =>
  new TypeError("fetch failed", { cause: Object.assign(new Error("x"), cause) });

describe("proof that a request never left our own transport", () => {
  test.each<[object, boolean]>([
    [{ code: "ECONNREFUSED" }, true],
    [{ code: "ENOTFOUND" }, true],
    [{ code: "EAI_AGAIN" }, true],
    [{ code: "UND_ERR_CONNECT_TIMEOUT" }, true],
    [{ code: "EHOSTUNREACH", syscall: "connect" }, true],
    [{ code: "EHOSTUNREACH", syscall: "read" }, false], // in the middle of a connection
    [{ code: "ENETUNREACH", syscall: "connect" }, true],
    [{ code: "ENETUNREACH", syscall: "write" }, false],
    [{ code: "ENETUNREACH" }, false],
    [{ code: "CERT_HAS_EXPIRED" }, true],
    [{ code: "CERT_NOT_YET_VALID" }, true],
    [{ code: "DEPTH_ZERO_SELF_SIGNED_CERT" }, true],
    [{ code: "SELF_SIGNED_CERT_IN_CHAIN" }, true],
    [{ code: "ERR_TLS_CERT_ALTNAME_INVALID" }, true],
    [{ code: "UNABLE_TO_VERIFY_LEAF_SIGNATURE" }, true],
    [{ code: "UNABLE_TO_GET_ISSUER_CERT" }, true],
    [{ code: "HOSTNAME_MISMATCH" }, true],
    [{ code: "ECONNRESET" }, false],
    [{ code: "EPIPE" }, false],
    [{ code: "ETIMEDOUT", syscall: "connect" }, true],
    [{ code: "ETIMEDOUT", syscall: "read" }, false],
    [{ code: "ETIMEDOUT" }, false],
    // Node tries each address of a name, and tells all failures together.
    [{ code: "ETIMEDOUT", errors: [{ syscall: "connect" }, { syscall: "connect" }] }, true],
    [{ code: "ETIMEDOUT", errors: [{ syscall: "connect" }, { syscall: "read" }] }, false],
    [{ code: "ETIMEDOUT", errors: [{ syscall: "connect" }, null] }, false],
    [{ code: "ETIMEDOUT", syscall: "connect", errors: [] }, true],
    [{ code: "ECONNREFUSED", errors: [{ syscall: "connect" }, { syscall: "connect" }] }, true],
    [{ code: "UND_ERR_SOCKET" }, false],
    [{ code: "UND_ERR_HEADERS_TIMEOUT" }, false],
    [{ code: "ERR_SSL_WRONG_VERSION_NUMBER" }, false],
    [{ code: "X_DEPTH_ZERO_SELF_SIGNED_CERT" }, false],
    [{ code: "constructor" }, false],
    [{}, false],
  ])("%j: %s", (cause, proven) => {
    expect(explainFailure(fetchFailed(cause), nothingSecret).provenUnsent).toBe(proven);
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
