/** Who buys in the examples. */
export const customer = {
  name: "Maria Exemplo",
  email: "maria@example.com",
  phone: "11999998888",
  document: { type: "cpf", number: "529.982.247-25" },
} as const;

/** A reference for an order that nobody named. In a shop it is the order's own id, made before the payment. */
export function newReference(): string {
  return `order-${Date.now()}`;
}
