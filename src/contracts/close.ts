/** Options of `close()`. */
export interface CloseOptions {
  /** Milliseconds to wait for what is running before it is aborted, zero or more. Default 20,000. */
  readonly timeout?: number | undefined;
}

/** The result of `close()`, for a log. Both numbers are normally zero. */
export interface CloseResult {
  /** Calls, or callbacks, that were still running after `timeout` and were aborted. */
  readonly aborted: number;
  /** Those whose end was not recorded 5 seconds later, or whose store failed. They keep their leases, which end on time. */
  readonly unrecorded: number;
}
