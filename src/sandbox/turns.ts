/** Lets things that take their time come to an end in the order in which they began. */
export interface Turns {
  /** The result of `work`, once all that was given before it has ended, well or not. */
  take<T>(work: Promise<T>): Promise<T>;
}

export function createTurns(): Turns {
  let last: Promise<unknown> = Promise.resolve();
  return {
    take(work) {
      const before = last;
      const mine = work.finally(() => before);
      last = mine.catch(() => undefined);
      return mine;
    },
  };
}
