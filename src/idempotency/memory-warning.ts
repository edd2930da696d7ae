/** Of stores that end with their process. */
export const MEMORY_WARNING =
  "is kept in the memory of this process: it protects from no other process, and from nothing after a restart";
