export { handlers } from "./sandbox/msw-handlers-or-advice.ts";
