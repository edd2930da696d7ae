import type { Assumption } from "./assumption.ts";

/** What the service says of its own accord, after a create. */
export const postbackAssumptions: readonly Assumption[] = [
  {
    id: "unsigned-postbacks",
    section: "Events",
    found: "Signature, retries, time-outs and the expected reply of postbacks are not shown.",
    choice:
      "A postback is read and never believed by itself: it says nothing about who sent it. `PostbackUrlSigner` signs the URL that it is sent to, which proves the order and not the status. It may come twice, late, or out of order.",
  },
  {
    id: "postback-reference",
    section: "Postback notification",
    found: "A postback carries `externalRef`, which a pix need not have.",
    choice:
      "`parsePostback` reads a postback without one. Where the URL is signed it is refused, because nothing proves its order; a create with a signed URL needs a reference.",
  },
  {
    id: "postback-shape",
    section: "Postback notification",
    found: "One flat body is shown.",
    choice:
      "Only that is read, with a status of at most 255 characters and a reference of at most 1,000. In an envelope the `id` at the root could be the delivery's: that is an `InvalidPostbackError`, not a guess.",
  },
  {
    id: "event-names",
    section: "Configurable event names",
    found: "How the configured event names relate to the postbacks of a transaction is not shown.",
    choice: "The names are read on the company as text. Postbacks are told apart by their `status`.",
  },
  {
    id: "postback-retries",
    section: "Events",
    found: "Whether a postback that got no 2xx is sent again, how often and when, is not shown.",
    choice:
      "It is expected to be. The sandbox waits 10 seconds for an answer and sends up to 4 more times, after 1, 2, 4 and 8 seconds.",
    option: "createGateway({ postbacks: { retries, backoffMs, timeoutMs } })",
  },
  {
    id: "postback-order",
    section: "Events",
    found: "Whether postbacks keep their order, and come once only, is not shown.",
    choice:
      "Nothing relies on it. In the sandbox those of one transaction are sent in order and once; one that has to be sent again may come after a later one.",
    option: "createGateway({ postbacks: { delayMs, duplicates, reorder } })",
  },
  {
    id: "postback-at-creation",
    section: "Postback notification",
    found:
      "A postback is sent when the status changes; whether the first status counts as a change is not said.",
    choice: "The answer to the create carries it. The sandbox posts nothing at creation.",
    option: "createGateway({ postbacks: { onCreation: true } })",
  },
  {
    id: "postback-amount",
    section: "Postback notification",
    found: "Whether `amount` is the transaction's or what a refund gave back is not said.",
    choice:
      "The sandbox sends the transaction's amount with every status. `createPostbackHandler` takes another amount, and says so (`amountMatches: false`); a refund or chargeback of less than the whole leaves the rest paid.",
  },
  {
    id: "postback-date",
    section: "Postback notification",
    found: "Whether `transactionDate` is the time of the creation or of the change is not said.",
    choice: "The SDK passes it on as it came; the sandbox sends the time of the change.",
  },
  {
    id: "company-webhook",
    section: "Company",
    found: "`configuration.webhook.url` is a global notification URL; what is posted there is not shown.",
    choice: "The SDK reads it. The sandbox posts to the `postbackUrl` of a transaction and nowhere else.",
  },
  {
    id: "postback-identity",
    section: "Postback notification",
    found: "A postback has no id of its own.",
    choice:
      "`createPostbackHandler` takes two for the same that have the same transaction, status and amount, and the same order and trust. Two refunds of the same part of an amount are then one.",
    option: "createPostbackHandler({ store })",
  },
  {
    id: "postback-reply",
    section: "Events",
    found: "What a receiver should answer, and how long it has, is not shown.",
    choice:
      "200 once `onPostback` succeeded or has succeeded before; 500 where it failed and 503 where it could not run, so that the postback comes again; other 4xx where coming again would help nobody.",
  },
  {
    id: "signed-url-lifetime",
    section: "Postback notification",
    found: "How long after its creation a transaction may change is not shown.",
    choice: "A signed postback URL is good for 180 days for a pix and two years for a card.",
    option: "PostbackUrlSigner.sign(url, { expiresAt })",
  },
  {
    id: "postback-url-length",
    section: "POST /api/v1/transactions",
    found: "How long `postbackUrl` may be is not shown.",
    choice:
      "Above 255 characters there is a `warning` event; a signed one above 2,048 is refused before anything is sent.",
    option: "new PostbackUrlSigner({ maxLength })",
  },
];
