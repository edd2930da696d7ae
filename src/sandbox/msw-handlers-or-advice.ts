/**
 * msw's handlers, or, where msw is missing, what to do about it. An import that stands at the top of a file
 * fails before the file can say a word, so that this one waits for it.
 */
export const { handlers } = await import("./msw-handlers.ts").catch((error: unknown) => {
  if (!isMissing(error)) throw error;
  throw new Error(
    "payments-sdk/msw needs msw 3 or newer, which is not installed. It is an optional peer of payments-sdk, " +
      "used by this entry alone: npm install --save-dev msw@3",
    { cause: error },
  );
});

/** Not there, or of a version that has no `msw/http`. What msw itself does not find is another matter. */
function isMissing(error: unknown): boolean {
  const { code, message } = error as { readonly code?: unknown; readonly message?: unknown };
  if (code === "ERR_MODULE_NOT_FOUND")
    return /\b(package|module) ["']msw(\/http)?["']/i.test(String(message));
  return code === "ERR_PACKAGE_PATH_NOT_EXPORTED" && /[\\/]msw[\\/]package\.json\b/.test(String(message));
}
