import { defineConfig } from "vitest/config";
import { bundledTextForVite } from "./scripts/bundled-text.ts";
import { NODE_TESTS, SOURCE_BY_NAME } from "./vitest.shared.ts";

/** The tests that a mutant is shown to: quick ones on Node alone, of the client and not of the sandbox. */
export default defineConfig({
  plugins: [bundledTextForVite],
  resolve: { alias: SOURCE_BY_NAME },
  test: {
    ...NODE_TESTS,
    exclude: [...NODE_TESTS.exclude, "test/sandbox/**", "test/fuzz/**"],
  },
});
