import { json } from "../answers.ts";
import type { Gateway } from "../gateway.ts";
import { UnknownIdError } from "../sandbox-errors.ts";
import type { SandboxTransaction } from "../transaction.ts";
import { readObject } from "./read-object.ts";
import type { Route } from "./route.ts";
import { summaryOf } from "./transaction-summary.ts";
import type { CheckoutView } from "./views.ts";

/** What the hosted checkout page needs, and no more: a buyer sees it. Spec: "Transaction", `secureUrl`. */
export function checkoutRoutes(gateway: Gateway): readonly Route[] {
  function get(secureId = ""): SandboxTransaction {
    const found = gateway.transactions.find((transaction) => transaction.secureId === secureId);
    if (found === undefined) throw new UnknownIdError("There is no such checkout.");
    return found;
  }

  return [
    {
      method: "GET",
      path: "checkout/:secureId",
      answer: ({ params }) => json(viewOf(get(params["secureId"]), gateway.companyName)),
    },
    {
      method: "POST",
      path: "checkout/:secureId/pay",
      answer: async ({ params, request }) => {
        const { id } = get(params["secureId"]);
        await readObject(request, []);
        return json(viewOf(gateway.pay(id), gateway.companyName));
      },
    },
  ];
}

function viewOf(transaction: SandboxTransaction, companyName: string): CheckoutView {
  const { createdAt: _createdAt, ...summary } = summaryOf(transaction);
  const { refusedReason, pix } = transaction;
  return {
    ...summary,
    companyName,
    ...(refusedReason !== undefined && { refusedReason }),
    ...(pix && { pix }),
  };
}
