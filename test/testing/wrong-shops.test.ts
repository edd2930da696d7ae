import { setTimeout } from "node:timers/promises";
import { PaymentsClient } from "payments-sdk";
import { memoryStore } from "payments-sdk/idempotency";
import { createPostbackHandler, type Postback, type PostbackContext } from "payments-sdk/postbacks";
import { type ShopOrder, type ShopService, type ShopView, shopTests } from "payments-sdk/testing";
import { test } from "vitest";
import { RightShop, startShop } from "./support/shop.ts";

type ShopClass = new (service: ShopService) => RightShop;

/** A right shop with other methods. */
function wrong(methods: Partial<RightShop> & ThisType<RightShop>): ShopClass {
  class WrongShop extends RightShop {}
  Object.assign(WrongShop.prototype, methods);
  return WrongShop;
}

type IsPaid = (postback: Postback, context: PostbackContext) => boolean;

/** A shop that handles all postbacks in one callback, as many integrations do. */
const withOneCallback = (isPaid: IsPaid) =>
  wrong({
    createListener() {
      const { signer, store } = this;
      return createPostbackHandler({
        ...{ signer, store, onEvent: () => undefined },
        onPostback: (postback, context) => {
          const { status, externalRef = "" } = postback;
          if (isPaid(postback, context)) this.ship(externalRef);
          if (status === "refunded" || status === "chargedback") this.returned.add(externalRef);
        },
      }).node;
    },
  });

const isInOrder = ({ transition }: PostbackContext) =>
  transition !== "regression" && transition !== "unclear";

class TrustsUnsigned extends RightShop {
  override createListener() {
    const onPostback = ({ status, externalRef = "" }: Postback) =>
      status === "approved" && this.ship(externalRef);
    return createPostbackHandler({ allowUnsigned: true, onPostback, onEvent: () => undefined }).node;
  }
}

class NewReferences extends RightShop {
  override referenceOf({ id }: ShopOrder) {
    return `${id}/${crypto.randomUUID()}`;
  }

  override ship(externalRef: string) {
    super.ship(externalRef.replace(/\/.*/, ""));
  }

  override async view(id: string): Promise<ShopView> {
    return this.shipments.includes(id) ? "paid" : "waiting";
  }
}

class NoStore extends RightShop {
  override createClient(postbackUrl?: string) {
    const { service, signer: postbackSigner } = this;
    return new PaymentsClient({ ...service, postbackSigner, postbackUrl, onEvent: () => undefined });
  }

  override async view(id: string): Promise<ShopView> {
    return this.shipments.includes(id) ? "paid" : "waiting";
  }
}

class LosesItsMemory extends RightShop {
  readonly #known = new Set<string>();

  override ship(externalRef: string) {
    if (!this.#known.has(externalRef)) this.release(externalRef);
    this.#known.add(externalRef);
  }

  override async restart() {
    this.store = memoryStore();
    this.#known.clear();
    await super.restart();
  }

  override async view(id: string): Promise<ShopView> {
    return this.#known.has(id) ? "paid" : "waiting";
  }
}

class RespondsBeforeTheWork extends RightShop {
  override async ship(externalRef: string) {
    void setTimeout(1)
      .then(() => super.ship(externalRef))
      .catch(() => undefined);
  }
}

class BlocksOnSlowWork extends RightShop {
  #queue = Promise.resolve();

  override ship(externalRef: string) {
    this.#queue = this.#queue.then(() => setTimeout(1_000)).then(() => void super.ship(externalRef));
    return this.#queue;
  }
}

class ShipsTheReplacedPix extends RightShop {
  override createListener() {
    const ship = ({ externalRef = "" }: Postback) => this.release(externalRef);
    const { signer, store } = this;
    return createPostbackHandler({
      ...{ signer, store, onEvent: () => undefined, onPaid: ship },
      onReview: (postback: Postback, { reason }: { reason: string }) =>
        reason === "paid_twice" && ship(postback),
    }).node;
  }
}

/** Its URL has the order, and no secret. */
class HasGuessableUrls extends TrustsUnsigned {
  override createClient(postbackUrl?: string) {
    const { service, store: idempotency } = this;
    const sign = async (url: string, { externalRef }: { externalRef: string }) =>
      `${url}?order=${externalRef}`;
    return new PaymentsClient({
      ...{ ...service, idempotency, postbackUrl, postbackSigner: { sign }, onEvent: () => undefined },
    });
  }
}

class LocksAfterAnError extends RightShop {
  readonly #locked = new Set<string>();

  override async pay(order: ShopOrder): Promise<ShopView> {
    if (this.#locked.has(order.id)) return "waiting";
    const view = await super.pay(order);
    if (view === "error") this.#locked.add(order.id);
    return view;
  }
}

class IgnoresEarlyPostbacks extends RightShop {
  readonly #created = new Set<string>();

  override async payByPix(params: Parameters<RightShop["payByPix"]>[0]) {
    await super.payByPix(params);
    this.#created.add(params.externalRef);
  }

  override ship(externalRef: string) {
    return this.#created.has(externalRef) && super.ship(externalRef);
  }
}

class ClosesPaidOrders extends RightShop {
  readonly #closed = new Set<string>();

  override createListener() {
    const { signer, store } = this;
    return createPostbackHandler({
      ...{ signer, store, onEvent: () => undefined },
      onPostback: ({ status, externalRef = "" }, { amountMatches }) => {
        if (status === "expired") this.#closed.add(externalRef);
        if (status === "approved" && amountMatches) this.ship(externalRef);
      },
    }).node;
  }

  override async view(id: string) {
    return this.#closed.has(id) ? "error" : super.view(id);
  }
}

class ShipsForEachMethod extends RightShop {
  readonly #shipped = new Set<string>();

  override referenceOf({ id, method }: ShopOrder) {
    return `${id}/${method}`;
  }

  override ship(externalRef: string) {
    if (!this.#shipped.has(externalRef)) this.release(externalRef.replace(/\/.*/, ""));
    this.#shipped.add(externalRef);
  }

  override async view(id: string): Promise<ShopView> {
    if (this.shipments.includes(id)) return "paid";
    return (await this.store.get(`${id}/pix`))?.transaction?.status === "pending" ? "code" : "waiting";
  }
}

const LOST =
  "a card payment with the fault charged_then_reset charges at most once, and shows no error if a charge may exist";

/** Each shop makes one mistake. The rule that names it, and what its failure says. */
test.concurrent.for<[string, ShopClass, string, string]>([
  [
    "ships on any status",
    withOneCallback((_postback, { amountMatches = false }) => amountMatches),
    "a pix is not shipped if it expires",
    "charged 0, shipped 1; the customer saw: code",
  ],
  [
    "ships for any amount",
    withOneCallback(({ status }, context) => status === "approved" && isInOrder(context)),
    "a postback over another amount ships nothing",
    "charged 0 and 1 unpaid pix, shipped 1; the customer saw: code, paid",
  ],
  [
    "ships for any amount of the pix that a repeat returns",
    wrong({
      async payByPix(params) {
        await RightShop.prototype.payByPix.call(this, params);
        const { transaction } = (await this.store.get(params.externalRef)) ?? {};
        if (transaction?.status === "approved") await this.ship(params.externalRef);
      },
    }),
    "a postback over another amount ships nothing",
    "charged 0 and 1 unpaid pix, shipped 1; the customer saw: code, paid",
  ],
  [
    "ships for each confirmation",
    wrong({
      ship(externalRef) {
        this.release(externalRef);
      },
    }),
    "a card that is approved is charged and shipped once, without a postback and with one",
    "charged 1, shipped 2; the customer saw: paid",
  ],
  [
    "trusts unsigned postbacks",
    TrustsUnsigned,
    "a postback without a signature ships nothing, and the genuine one does",
    "charged 0 and 1 unpaid pix, shipped 1; the customer saw: code",
  ],
  [
    "makes a reference for each click",
    NewReferences,
    LOST,
    "charged 2, shipped 1; the customer saw: waiting, paid",
  ],
  ["has no store", NoStore, LOST, "charged 2, shipped 1; the customer saw: waiting, paid"],
  [
    "ships when the pix is created",
    wrong({
      async payByPix(params) {
        await RightShop.prototype.payByPix.call(this, params);
        this.ship(params.externalRef);
      },
    }),
    "a pix is not shipped while it is unpaid",
    "charged 0 and 1 unpaid pix, shipped 1; the customer saw: paid",
  ],
  [
    "says 'try again' after an unknown outcome",
    wrong({ explain: () => "error" }),
    LOST,
    "charged 1, shipped 0; the customer saw: error",
  ],
  [
    "ignores refunds",
    wrong({
      async view(id) {
        return this.shipments.includes(id) ? "paid" : RightShop.prototype.view.call(this, id);
      },
    }),
    "a payment that is returned is not shipped again, and not shown as paid: a refunded pix",
    "charged 1, shipped 1; the customer saw: code, paid",
  ],
  [
    "expects no chargeback of a pix",
    wrong({
      async view(id) {
        const { paymentMethod, status } = (await this.store.get(id))?.transaction ?? {};
        const isPixReturned = paymentMethod === "pix" && status === "chargedback";
        return isPixReturned ? "paid" : RightShop.prototype.view.call(this, id);
      },
    }),
    "a payment that is returned is not shipped again, and not shown as paid: a pix that the banks return",
    "charged 1, shipped 1; the customer saw: code, paid",
  ],
  [
    "treats a refused card as an error",
    wrong({
      async view(id) {
        const view = await RightShop.prototype.view.call(this, id);
        return view === "declined" ? "error" : view;
      },
    }),
    "a card that is declined is not shipped, and shown as declined, and another one can pay",
    "charged 0, shipped 0; the customer saw: error",
  ],
  [
    "loses its memory at a restart",
    LosesItsMemory,
    "a shop that restarts before it has recorded a charge, charges once and ships once: card",
    "charged 2, shipped 1; the customer saw: waiting, paid",
  ],
  [
    "responds before its work, which fails",
    RespondsBeforeTheWork,
    "an order whose payment the shop fails to record is shipped once after its postback: pix",
    "charged 1, shipped 0; the customer saw: code",
  ],
  [
    "blocks on slow work",
    BlocksOnSlowWork,
    "orders that are paid at the same moment are all shipped once, and meanwhile others can pay",
    "charged 1, shipped 0; the customer saw: code",
  ],
  [
    "ignores the order of statuses",
    withOneCallback(({ status }, { amountMatches = false }) => status === "approved" && amountMatches),
    "a postback of a payment that arrives after the refund ships nothing",
    "charged 1, shipped 1; the customer saw: code",
  ],
  [
    "ships the replaced pix as well",
    ShipsTheReplacedPix,
    "a pix payment that was lost and created again ships once if both codes are paid",
    "charged 2, shipped 2; the customer saw: waiting, code",
  ],
  [
    "locks an order after an error",
    LocksAfterAnError,
    "a card whose token expired while the customer waited can be paid with a new one",
    "charged 0, shipped 0; the customer saw: error, waiting",
  ],
  [
    "ignores early postbacks",
    IgnoresEarlyPostbacks,
    "a postback that arrives before the response to its request ships once: pix",
    "charged 1, shipped 0; the customer saw: waiting",
  ],
  [
    "ships a pending card",
    wrong({
      async payByCard(params, hash) {
        await RightShop.prototype.payByCard.call(this, params, hash);
        const { transaction } = (await this.store.get(params.externalRef)) ?? {};
        if (transaction && transaction.status !== "refused") this.ship(params.externalRef);
      },
    }),
    "a card that is pending is not shipped",
    "charged 1, shipped 1; the customer saw: paid",
  ],
  [
    "has URLs that can be guessed",
    HasGuessableUrls,
    "a postback without a signature ships nothing, and the genuine one does",
    "charged 0 and 1 unpaid pix, shipped 1; the customer saw: code",
  ],
  [
    "thanks for an unpaid pix",
    wrong({ view: async () => "paid" }),
    "a pix is not shipped while it is unpaid",
    "The shop says that the order is paid, and it is not: charged 0 and 1 unpaid pix, shipped 0; the customer saw: paid",
  ],
  [
    "says 'declined' after an unknown outcome",
    wrong({ explain: () => "declined" }),
    LOST,
    "The shop says that the payment was declined, and it was not: charged 1, shipped 0; the customer saw: declined",
  ],
  [
    "makes two payments of a double click",
    NewReferences,
    "a customer who clicks twice at the same moment pays once: card",
    "One order has several payments: charged 2, shipped 1; the customer saw: paid",
  ],
  [
    "closes a paid order when an older status arrives",
    ClosesPaidOrders,
    "a postback of another status that arrives after the payment changes nothing: expired",
    "charged 1, shipped 1; the customer saw: code, paid, error",
  ],
  [
    "ships for each method",
    ShipsForEachMethod,
    "a customer who changes from pix to card, and pays both, gets one shipment",
    "charged 2, shipped 2; the customer saw: code, paid",
  ],
])("a shop that %s breaks its rule", async ([, WrongShop, rule, facts], { expect }) => {
  const tests = shopTests({ start: (service) => startShop(WrongShop, service) });

  const error: unknown = await tests
    .find(({ name }) => name === rule)
    ?.run()
    .catch((reason: unknown) => reason);

  expect(error).toMatchObject({ code: "ERR_ASSERTION" });
  expect(String(error)).toContain(rule);
  expect(String(error)).toContain(`${facts}.`);
});
