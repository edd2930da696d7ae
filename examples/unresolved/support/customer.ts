/** Who buys in the made-up orders. */
export const customer = {
  name: "Maria Exemplo",
  email: "maria@example.com",
  phone: "11999998888",
  document: { type: "cpf", number: "529.982.247-25" },
} as const;
