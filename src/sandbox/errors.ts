/** No transaction or postback with this id exists in the gateway. */
export class UnknownIdError extends Error {
  /** Name of the class, also in minified code. */
  override readonly name = "UnknownIdError";
}

/** The transaction's status does not allow the move; nothing has changed. */
export class ImpossibleMoveError extends Error {
  /** Name of the class, also in minified code. */
  override readonly name = "ImpossibleMoveError";
}
