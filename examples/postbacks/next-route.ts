/** Takes postbacks in an app of Next.js, as `app/postbacks/route.ts`. */
import { createPostbackHandler, type PostbackHandler, type PostbackUrlSigner } from "payments-sdk/postbacks";
import { settleOrder } from "./settle-order.ts";
import { signerFromEnv } from "./signer-from-env.ts";

interface Needs {
  readonly signer?: PostbackUrlSigner;
  readonly onPostback?: typeof settleOrder;
}

export function createApp({ signer, onPostback = settleOrder }: Needs = {}) {
  let postbacks: PostbackHandler | undefined;
  return {
    /** The handler answers by itself: 200 once the order is settled. A probe with GET is told 405 by Next. */
    async POST(request: Request): Promise<Response> {
      // Made with the first request: `next build` loads this file, too, and has no secrets.
      postbacks ??= createPostbackHandler({ signer: signer ?? signerFromEnv(), onPostback });
      return postbacks.fetch(request);
    },
  };
}

export const { POST } = createApp();
