import type { Row } from "../matrix/row.ts";
import { BUNDLER_ROWS } from "./bundlers.ts";
import { CHROMIUM_ROW } from "./chromium.ts";
import { COMMAND_ROWS } from "./commands.ts";
import { COMPILER_ROWS } from "./compilers.ts";
import { EDGE_ROW } from "./edge-runtime.ts";
import { PROCESS_ROWS } from "./processes.ts";
import { TEST_RUNNER_ROWS } from "./test-runners.ts";
import { WORKERD_ROW } from "./workerd.ts";

/** All that the package is tried on, in the order in which a reader would ask. */
export const ROWS: readonly Row[] = [
  ...PROCESS_ROWS,
  WORKERD_ROW,
  EDGE_ROW,
  CHROMIUM_ROW,
  ...BUNDLER_ROWS,
  ...COMPILER_ROWS,
  ...TEST_RUNNER_ROWS,
  ...COMMAND_ROWS,
];
