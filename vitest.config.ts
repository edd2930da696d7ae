import { defineConfig } from "vitest/config";
import { NODE_TESTS, SOURCE_BY_NAME } from "./vitest.shared.ts";

export default defineConfig({
  resolve: { alias: SOURCE_BY_NAME },
  test: { reporters: ["default", "./vitest.reporter.ts"], passWithNoTests: true, ...NODE_TESTS },
});
