/**
 * The sandbox behind msw.
 *
 * @module payments-sdk/msw
 */

export { handlers } from "./sandbox/msw-handlers.ts";
