import type { CardParams, CreateCardParams, CreatePixParams } from "payments-sdk";

const customer = {
  name: "Maria Exemplo",
  email: "maria@example.com",
  phone: "11999998888",
  document: { type: "cpf", number: "529.982.247-25" },
} as const;

export const aPix = (externalRef: string, amount = 1990): CreatePixParams => ({
  amount,
  customer,
  externalRef,
});

export const aCard = (number: string): CardParams => ({
  number,
  holderName: "Maria Exemplo",
  expirationMonth: 12,
  expirationYear: 2039,
  cvv: "123",
});

export const APPROVED_CARD = aCard("4111 1111 1111 1111");
export const REFUSED_CARD = aCard("4000 0000 0000 9995");

export const aCardPayment = (
  externalRef: string,
  hash: CreateCardParams["card"]["hash"],
): CreateCardParams => ({
  amount: 1990,
  customer,
  card: { hash },
  installments: 1,
  items: [{ title: "Camiseta", unitPrice: 1990, quantity: 1, tangible: true }],
  externalRef,
  postbackUrl: "https://shop.example.com/postbacks",
  ip: "203.0.113.7",
  metadata: { cart: 42 },
  traceable: true,
});
