export { InvalidPostbackError } from "./core/errors/invalid-postback-error.ts";
export { checkTransition, type Transition } from "./postbacks/check-transition.ts";
export { type PostbackInput, parsePostback } from "./postbacks/parse-postback.ts";
export type { Postback } from "./schemas/postback.ts";
export type { TransactionStatus } from "./spec/values.ts";
