export { handlers } from "./sandbox/load-msw-handlers.ts";
