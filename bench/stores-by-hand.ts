// What a careful engineer writes instead of the store: typed columns, conditional writes, no generic layer. As durable as
// the store: every step is committed before the next one begins.
import type { Pool } from "pg";
import { AMOUNT, aTransaction, referenceOf, type Shop, transactionIdOf } from "./stores-shop.ts";

export const TABLES = `
  CREATE TABLE orders (
    reference text COLLATE "C" PRIMARY KEY,
    amount bigint NOT NULL,
    payment_method text NOT NULL,
    status text NOT NULL, -- sending, unknown, free, or the status of the transaction
    attempt uuid NOT NULL,
    claimed_at timestamptz NOT NULL DEFAULT now(),
    updated_at timestamptz NOT NULL DEFAULT now(),
    transaction_id bigint,
    response json -- without the picture, the customer and the metadata
  );
  CREATE INDEX orders_open ON orders (claimed_at) WHERE status IN ('sending', 'unknown');
  CREATE TABLE postbacks (
    transaction_id bigint NOT NULL,
    status text NOT NULL,
    amount bigint NOT NULL,
    claim uuid NOT NULL,
    claimed_at timestamptz NOT NULL DEFAULT now(),
    handled_at timestamptz,
    PRIMARY KEY (transaction_id, status, amount)
  );
`;

/** A free order may be claimed again, on the same terms. */
const CLAIM = `
  INSERT INTO orders AS o (reference, amount, payment_method, status, attempt) VALUES ($1, $2, $3, 'sending', $4)
  ON CONFLICT (reference) DO UPDATE SET status = 'sending', attempt = $4, claimed_at = now(), updated_at = now()
    WHERE o.status = 'free' AND o.amount = $2 AND o.payment_method = $3
  RETURNING attempt
`;
const RECORD = `
  UPDATE orders SET status = $3, transaction_id = $4, response = $5, updated_at = now()
  WHERE reference = $1 AND attempt = $2 AND status = 'sending'
`;
/** A claim of a process that died is taken over after a minute. */
const CLAIM_POSTBACK = `
  INSERT INTO postbacks AS p (transaction_id, status, amount, claim) VALUES ($1, $2, $3, $4)
  ON CONFLICT (transaction_id, status, amount) DO UPDATE SET claim = $4, claimed_at = now()
    WHERE p.handled_at IS NULL AND p.claimed_at < now() - interval '1 minute'
  RETURNING claim
`;
const UPDATE_STATUS = `
  UPDATE orders SET status = $3, transaction_id = $2, updated_at = now()
  WHERE reference = $1 AND (transaction_id = $2 OR transaction_id IS NULL)
    AND status IN ('sending', 'unknown', 'pending', 'processing')
  RETURNING amount
`;
const CONFIRM_POSTBACK = `
  UPDATE postbacks SET handled_at = now() WHERE transaction_id = $1 AND status = $2 AND amount = $3 AND claim = $4
`;

/** @param prepare - Uses named statements. */
export function openShopByHand(pool: Pool, prepare: boolean): Shop {
  const statements = { CLAIM, RECORD, CLAIM_POSTBACK, UPDATE_STATUS, CONFIRM_POSTBACK };
  const run = async (name: keyof typeof statements, ...values: unknown[]) => {
    const text = statements[name];
    const { rowCount } = await pool.query(prepare ? { name, text, values } : { text, values });
    return rowCount === 1;
  };
  const mustRun = async (...statement: Parameters<typeof run>) => {
    if (!(await run(...statement))) throw new Error(`${statement[0]} changed nothing.`);
  };
  return {
    async create(order, { kind = "pending", hasPicture = false } = {}) {
      const attempt = crypto.randomUUID();
      await mustRun("CLAIM", referenceOf(order), AMOUNT, "pix", attempt);
      if (kind === "lost") return mustRun("RECORD", referenceOf(order), attempt, "unknown", null, null);
      if (kind === "refused") return mustRun("RECORD", referenceOf(order), attempt, "free", null, null);
      const {
        customer: _,
        metadata: _data,
        postBackUrl: _url,
        pix,
        ...transaction
      } = aTransaction(order, hasPicture);
      const { qrcode: _picture, ...code } = { qrcode: "", ...pix };
      const response = JSON.stringify({ ...transaction, pix: code });
      await mustRun("RECORD", referenceOf(order), attempt, transaction.status, transaction.id, response);
    },
    async receive(order) {
      const claim = crypto.randomUUID();
      const postback = [transactionIdOf(order), "approved", AMOUNT] as const;
      if (!(await run("CLAIM_POSTBACK", ...postback, claim)))
        throw new Error("A duplicate, or being handled.");
      const isPaid = await run("UPDATE_STATUS", referenceOf(order), transactionIdOf(order), "approved");
      if (!isPaid) throw new Error("A late or unknown status.");
      // Ships the order here.
      await mustRun("CONFIRM_POSTBACK", ...postback, claim);
    },
    close: async () => undefined,
  };
}
