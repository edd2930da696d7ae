import type { Buyer } from "../shared/order-view.ts";
import { element } from "./dom.ts";
import { type Problems, typedInto } from "./fields.ts";

export const BUYER_FIELDS = ["name", "email", "phone", "document"] as const;

export const readBuyer = (): Buyer => ({
  name: typedInto("name"),
  email: typedInto("email"),
  phone: typedInto("phone"),
  document: typedInto("document"),
});

export function problemsOf({ name, email, phone, document }: Buyer): Problems {
  const digits = (text: string) => text.replaceAll(/\D/g, "").length;
  return {
    ...(name === "" && { name: "Informe seu nome." }),
    ...(!/^\S+@\S+\.\S+$/.test(email) && { email: "Informe um e-mail válido." }),
    ...(digits(phone) < 10 && { phone: "Informe o DDD e o número." }),
    ...(digits(document) !== 11 && { document: "O CPF tem 11 dígitos." }),
  };
}

/** A service may refuse what looked right to the page. */
export const refusedFields = (fields: readonly (keyof Buyer)[]): Problems =>
  Object.fromEntries(fields.map((field) => [field, "Confira este dado."]));

/** `?demo` in the address fills in a buyer, and never a card. */
export function fillInDemo(): void {
  if (!new URLSearchParams(location.search).has("demo")) return;
  const demo: Buyer = {
    name: "Maria Exemplo",
    email: "maria@example.com",
    phone: "11 99999-8888",
    document: "529.982.247-25",
  };
  for (const field of BUYER_FIELDS) element(field, HTMLInputElement).value = demo[field];
}
