import type { NextConfig } from "next";

export default {
  poweredByHeader: false,
  // By default, `next dev` prints the arguments of actions, here a card token, and the query of each URL, with its signature.
  logging: { serverFunctions: false, incomingRequests: { ignore: [/^\/postbacks/, /^\/status/] } },
} satisfies NextConfig;
