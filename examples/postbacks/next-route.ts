/** Postbacks in a Next.js app, as `app/postbacks/route.ts`. */
import { createPostbackHandler, type PostbackHandler, PostbackUrlSigner } from "payments-sdk/postbacks";

let postbacks: PostbackHandler | undefined;

/** The handler creates the response: 200 after the callback. Next.js itself responds to a GET with 405. */
export async function POST(request: Request): Promise<Response> {
  postbacks ??= createHandler(); // at the first request: `next build` also loads this file, without secrets
  return postbacks.fetch(request);
}

function createHandler(): PostbackHandler {
  // `openssl rand -base64 32` makes the secret. The client that creates the orders has the same signer:
  // new PaymentsClient({ postbackUrl: "https://shop.example.com/postbacks", postbackSigner: signer })
  const secret = process.env["PAYMENTS_POSTBACK_SECRET"] ?? "";
  const signer = new PostbackUrlSigner({ keys: [{ kid: "1", secret }] });

  const handler = createPostbackHandler({
    signer, // and a `store` that lasts, such as postgresStore(pool)
    // Change the order in your database here. What throws runs again.
    onPaid: ({ externalRef, status }) => console.log(`Order ${externalRef} is ${status}.`),
    onReview: ({ externalRef }, { reason }) =>
      console.warn(`Order ${externalRef} needs a person: ${reason}.`),
  });
  // What was left when the process ended. On a serverless platform, a cron job calls this every minute.
  handler.retryFailed().catch(console.error);
  return handler;
}
