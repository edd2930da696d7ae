/**
 * The msw handlers, with a helpful error if msw is not installed. The import is dynamic, because a static one would
 * fail before this module can explain the error.
 */
export const { handlers } = await import("./msw-handlers.ts").catch((error: unknown) => {
  if (!isMissing(error)) throw error;
  throw new Error(
    "payments-sdk/msw needs msw 2 or newer, which is not installed. It is an optional peer of payments-sdk, " +
      "used by this entry only: npm install --save-dev msw",
    { cause: error },
  );
});

/** Whether msw is not installed. An import that fails inside msw does not count. */
function isMissing(error: unknown): boolean {
  const { code, message } = error as { readonly code?: unknown; readonly message?: unknown };
  return code === "ERR_MODULE_NOT_FOUND" && /\b(package|module) ["']msw["']/i.test(String(message));
}
