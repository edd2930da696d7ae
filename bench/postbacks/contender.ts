/** Reads a postback, with its signature where it has one, and gives the id of its transaction. */
export type ReadSigned = () => unknown;

/** What a file of a peer exports as `reading`. */
export type Reading = (text: string, secret: string) => ReadSigned;
