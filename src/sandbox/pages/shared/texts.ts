import type { PostbackBody } from "../../postbacks/postback-delivery.ts";
import type { SandboxTransaction } from "../../transactions/sandbox-transaction.ts";

/** The statuses of a transaction. Where one is shown, its value in the API is the tooltip. */
export const statusNames: Readonly<Record<PostbackBody["status"], string>> = {
  pending: "Pending",
  processing: "Processing",
  approved: "Approved",
  refused: "Refused",
  cancelled: "Cancelled",
  canceled: "Cancelled",
  expired: "Expired",
  refunded: "Refunded",
  chargedback: "Charged back",
};

/** The payment methods, shown in the same way. */
export const methodNames: Readonly<Record<SandboxTransaction["paymentMethod"], string>> = {
  pix: "Pix",
  credit_card: "Card",
};
