/** Why the command `payments-sandbox` cannot do what it was asked to, in a line for the person who asked. */
export class CommandError extends Error {
  override readonly name = "CommandError";
  /** `usage`: what was typed is wrong. `start`: it was understood, and cannot be done on this machine. */
  readonly reason: "usage" | "start";

  constructor(reason: "usage" | "start", message: string) {
    super(message);
    this.reason = reason;
  }
}
