export { InvalidPostbackError } from "./core/errors/invalid-postback-error.ts";
export { type PostbackInput, parsePostback } from "./postbacks/parse-postback.ts";
export type { Postback } from "./schemas/postback.ts";
