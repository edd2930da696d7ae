import { type CardTransaction, formatBRL, type PixTransaction } from "payments-sdk";
import { qrCode, row, shown, statusText } from "./terminal.ts";

/** Prints what became of a card payment. */
export function showCard(transaction: CardTransaction): void {
  row("Transaction", String(transaction.id));
  row("Amount", formatBRL(transaction.amount));
  // A declined card answers 201 like an approved one: the status tells.
  row("Status", statusText(transaction.status));
  if (transaction.status === "refused") row("Reason", transaction.refusedReason);
}

/** Prints a pix for a camera, and for whoever copies and pastes. */
export function showPix({ id, amount, status, pix }: PixTransaction): void {
  row("Transaction", String(id));
  row("Amount", formatBRL(amount));
  row("Status", statusText(status));
  row("Expires", pix.expirationDate ?? "unknown");
  console.log();
  qrCode(pix.qrcodeText);
  // On a line of its own and not moved in, so that a terminal copies it whole.
  console.log(`\n  Copy and paste:\n\n${shown(pix.qrcodeText)}`);
}
