import type { TestProject } from "vitest/node";
import { type Ran, script } from "./tool.ts";

declare module "vitest" {
  interface ProvidedContext {
    build: Ran;
  }
}

/** Builds the package once for all tests of it. That it could be built is a test like the others. */
export default async function build(project: TestProject): Promise<void> {
  project.provide("build", await script("build"));
}
