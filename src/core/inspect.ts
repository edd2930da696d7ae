/** Node's name for a method that `util.inspect` and `console.log` call; a registered symbol, so no import. */
export const INSPECT = Symbol.for("nodejs.util.inspect.custom");
