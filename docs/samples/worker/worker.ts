import { type ExecutionContext, Hono } from "hono";
import { csrf } from "hono/csrf";
import { isPaymentsError, PaymentsClient } from "payments-sdk";
import { createPostbackHandler, PostbackUrlSigner } from "payments-sdk/postbacks";
import { type DatabaseBinding, openDatabase } from "./database.js";

interface Env extends DatabaseBinding {
  readonly PAYMENTS_BASE_URL: string;
  readonly PAYMENTS_SECRET_KEY: string;
  readonly PAYMENTS_PUBLIC_KEY: string;
  readonly PAYMENTS_POSTBACK_URL: string;
  readonly PAYMENTS_POSTBACK_SECRET: string;
}

function createShop(env: Env) {
  const { store, ship, findPayment, closeDatabase } = openDatabase(env);
  const signer = new PostbackUrlSigner({ keys: [{ kid: "1", secret: env.PAYMENTS_POSTBACK_SECRET }] });
  const payments = new PaymentsClient({
    baseUrl: env.PAYMENTS_BASE_URL,
    secretKey: env.PAYMENTS_SECRET_KEY,
    publicKey: env.PAYMENTS_PUBLIC_KEY,
    postbackUrl: env.PAYMENTS_POSTBACK_URL,
    postbackSigner: signer,
    idempotency: store,
    timeout: 8_000,
  });
  const postbacks = createPostbackHandler({
    signer,
    store,
    onPaid: ({ externalRef = "" }) => ship(externalRef),
    onReview: ({ externalRef }, { reason }) => console.error(`Check ${externalRef}: ${reason}`),
  });
  async function close() {
    await payments.close({ timeout: 2_000 }); // releases late claims
    await closeDatabase();
  }
  return { payments, postbacks, findPayment, close };
}

/** Runs `work` to its end, even if the customer leaves. Call it before any `await`. */
function withShop<Result>(
  env: Env,
  ctx: Pick<ExecutionContext, "waitUntil">,
  work: (shop: ReturnType<typeof createShop>) => Promise<Result>,
): Promise<Result> {
  const shop = createShop(env);
  const result = work(shop).finally(() => ctx.waitUntil(shop.close()));
  ctx.waitUntil(result.catch(() => {}));
  return result;
}

const app = new Hono<{ Bindings: Env }>();

app.use("/orders/*", csrf()); // refuses pages of other sites; an app sends `application/json`
app.post("/orders/:id/pix", ({ env, executionCtx, json, req }) =>
  withShop(env, executionCtx, async ({ payments, findPayment }) => {
    const externalRef = req.param("id");
    const payment = await findPayment(externalRef);
    if (payment === undefined) return json({ error: "not_found" }, 404);
    const params = { ...payment, externalRef, ip: req.header("CF-Connecting-IP") };
    try {
      const { status, pix } = await payments.transactions.createPix(params, {
        replaceLost: true,
        wait: 3_000,
      });
      return json({ status, code: pix.qrcodeText });
    } catch (error) {
      if (!isPaymentsError(error)) throw error;
      console.error(error.toJSON());
      return json({ error: error.code, mayHaveCharged: error.mayHaveCharged }, 502);
    }
  }),
);

app.all("/postbacks", ({ env, executionCtx, req }) =>
  withShop(env, executionCtx, ({ postbacks }) => postbacks.fetch(req.raw)),
);

export default {
  fetch: app.fetch,
  scheduled: (_event: unknown, env: Env, ctx: ExecutionContext) =>
    withShop(env, ctx, ({ postbacks }) => postbacks.retryFailed()),
};
