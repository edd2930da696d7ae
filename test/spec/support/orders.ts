/** Orders with the fields of "POST /api/v1/transactions", and the bodies that they must be sent as; typed in by hand. */

const CUSTOMER = {
  name: "Maria da Silva",
  email: "maria@cliente.example",
  document: { type: "cpf" as const, number: "123.456.789-09" },
};

/** The same customer in a request: digits only. */
export const CUSTOMER_BODY = { ...CUSTOMER, document: { type: "cpf", number: "12345678909" } };

/** The fields that the endpoint's description requires for both methods, besides amount and customer. */
const COMMON = {
  externalRef: "pedido-77",
  postbackUrl: "https://loja.example/postback",
  traceable: true,
  items: [
    { title: "Camiseta", unitPrice: 4990, quantity: 2, tangible: true, product_image: "" },
    { title: "Curso", unitPrice: 20, quantity: 1, tangible: false },
  ],
  ip: "203.0.113.9",
};

const FULL_CUSTOMER = { ...CUSTOMER, phone: "11987654321" };

/** Only the fields that the pix guide requires. */
export const MINIMAL_PIX = { amount: 10_000, customer: CUSTOMER };

export const FULL_PIX = {
  ...COMMON,
  amount: 10_000,
  customer: FULL_CUSTOMER,
  metadata: { carrinho: 77, cupom: "NATAL" },
  pix: { expiresInDays: 3 },
};

export const FULL_CARD = {
  ...COMMON,
  amount: 10_000,
  customer: FULL_CUSTOMER,
  metadata: { carrinho: 77 },
  installments: 3,
  card: { hash: "tok_c0ffee" },
};

export const FULL_PIX_BODY = {
  ...COMMON,
  paymentMethod: "pix",
  amount: 10_000,
  customer: { ...CUSTOMER_BODY, phone: "11987654321" },
  metadata: '{"carrinho":77,"cupom":"NATAL"}',
  pix: { expiresInDays: 3 },
};

export const FULL_CARD_BODY = {
  ...COMMON,
  paymentMethod: "credit_card",
  amount: 10_000,
  customer: { ...CUSTOMER_BODY, phone: "11987654321" },
  metadata: '{"carrinho":77}',
  installments: "3",
  card: { hash: "tok_c0ffee" },
};
