/** What is always secret in the texts that a server reads, besides keys and tokens. */
export const SERVER_SHAPES: readonly RegExp[] = [
  // A key in hex, also with a separator between the bytes.
  /(?<![\da-wyz])7[03]([\s:,-]{0,2})6b(?=\1[5]f)(?:\1[\da-f]{2})*/gi,
  // User and password in a URL: `//user:a/b@host`, too, which no parser accepts. Digits and a slash are a port.
  /(\/\/)[^\s/@:]*:(?:(?!\d+[/?#])(?:(?!\/\/)[^\s"<>])*|[^\s/]*)(?=@)/g,
  // Passwords in connection strings, queries, variables, JSON, objects and SQL, but no sentence about a password.
  /((?:pass\w{0,9}|pwd|\bidentified by)["'`]?(?:\s{0,9}[=:]>?\s{0,9}|\s{1,9}(?=["'`]))(["'`]?))(?:(?<=["'`])(?:\\[\s\S]|\2\2|(?!\2)[^\\])+|[^\s"'`]+)/gi,
  /((?:"webhook"\s*:\s*\{\s*"|post_?back_?)url"\s*:\s*")(?:[^"\\]|\\.)*/gi, // postback URLs in JSON
];
