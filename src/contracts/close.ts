/** Options of `close()`. */
export interface CloseOptions {
  /** Milliseconds to wait for what is running before it is aborted, zero or more. Default 20,000. */
  readonly timeout?: number | undefined;
}

/** The result of `close()`, for a log. Both numbers are normally zero. */
export interface CloseResult {
  /** Calls, or callbacks, that were still running after `timeout` and were aborted. */
  readonly aborted: number;
  /**
   * Those that had not ended 5 seconds later, or whose end the store has not recorded; with orders that it has not recorded
   * earlier. They keep their leases: end the process with `process.exit()` before these end.
   */
  readonly unrecorded: number;
}
