/**
 * The sandbox as request handlers for msw.
 *
 * @module payments-sdk/msw
 */

export { handlers } from "./sandbox/msw-handlers.ts";
