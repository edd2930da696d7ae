export { handlers } from "./sandbox/msw-handlers.ts";
