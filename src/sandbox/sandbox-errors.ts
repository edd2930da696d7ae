/** No transaction, or no postback, has that id in this gateway. */
export class UnknownIdError extends Error {
  /** Name of the class; holds where a bundler has shortened that. */
  override readonly name = "UnknownIdError";
}

/** The move makes no sense for the transaction as it is; nothing has changed. */
export class ImpossibleMoveError extends Error {
  /** Name of the class; holds where a bundler has shortened that. */
  override readonly name = "ImpossibleMoveError";
}
