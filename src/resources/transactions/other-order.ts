/**
 * Whether a transaction belongs to another order: its `externalId` differs from the reference that was sent. Proxies,
 * caches and reused connections can deliver a response that belongs to another request.
 */
export function isOtherOrder(externalId: unknown, externalRef: string | undefined): boolean {
  if (externalRef === undefined || externalId === "") return false;
  if (typeof externalId === "string") return externalId !== externalRef;
  // A number may repeat a reference that consists of digits; otherwise the field is just wrong.
  return typeof externalId === "number" && /^\d+$/.test(externalRef) && String(externalId) !== externalRef;
}
