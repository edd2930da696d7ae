import { type Command, Option } from "commander";
import {
  commandLineOf,
  createCommand,
  headerOption,
  parseCount,
  parseDuration,
  parseTransactionId,
  referenceArgument,
  yesOption,
} from "../command.ts";
import type { Context } from "../context.ts";
import { t } from "../language.ts";
import {
  addStoreFlags,
  allNamespacesOption,
  inAllNamespaces,
  passwordAdvice,
  type StoreFlags,
  withStore,
} from "../open-store.ts";
import type { ListFlags } from "./list-orders.ts";
import { ORDER_STATES, TRANSACTION_STATUSES } from "./order-advice.ts";
import type { ResolveFlags } from "./resolve-order.ts";

/** The `payments orders` commands. Each loads its code when it runs. */
export function ordersCommand(context: Context): Command {
  return createCommand(context, {
    name: "orders",
    summary: t(
      "Look up orders in your shop's store, and resolve those whose outcome is unknown.",
      "Consulta os pedidos no store da sua loja, e registra o resultado dos que estão sem resposta.",
    ),
    details: passwordAdvice(),
    examples: ["payments orders list --state unresolved", "payments orders show order-1"],
    commands: [listCommand(context), showCommand(context), resolveCommand(context)],
  });
}

const statusOption = (meaning: string) =>
  new Option("--status <status>", meaning).choices(TRANSACTION_STATUSES);

function listCommand(context: Context): Command {
  const command = createCommand(context, {
    name: "list",
    summary: t("List orders.", "Lista pedidos."),
    details: t(
      "Orders are printed as they are read, up to 1,000 at once, each group oldest first. With --limit, all are read, and the oldest are printed. With --json, each order is one line of JSON. If the namespace has no orders at all, the command fails.",
      "Os pedidos aparecem à medida que são lidos, até 1.000 por vez, cada grupo do mais antigo ao mais novo. Com --limit, todos são lidos, e aparecem os mais antigos. Com --json, cada pedido é uma linha de JSON. Se o namespace não tem nenhum pedido, o comando falha.",
    ),
    examples: ["payments orders list --state unresolved --older-than 15m --store /srv/shop/payments.db"],
  });
  return addStoreFlags(command)
    .addOption(
      new Option(
        t("--state <state>", "--state <estado>"),
        t("only orders in this state", "só pedidos neste estado"),
      ).choices(ORDER_STATES),
    )
    .addOption(
      statusOption(
        t("only orders whose transaction has this status", "só pedidos com transação neste status"),
      ),
    )
    .option(
      t("--older-than <duration>", "--older-than <duração>"),
      t("only orders unchanged for 90s, 15m, 2h, 3d, ...", "só pedidos sem mudança há 90s, 15m, 2h, 3d, ..."),
      parseDuration,
    )
    .option("--limit <n>", t("maximum number of orders", "número máximo de pedidos"), parseCount)
    .option(...allNamespacesOption())
    .option(...headerOption())
    .action(async (flags: ListFlags) => {
      const { listOrders } = await import("./list-orders.ts");
      await withStore(context, flags, (opened) =>
        listOrders(context, flags.allNamespaces ? inAllNamespaces(opened) : opened, flags),
      );
    });
}

function showCommand(context: Context): Command {
  const command = createCommand(context, {
    name: "show",
    summary: t("Show an order, and what to do next.", "Mostra um pedido e o que fazer."),
    examples: ["payments orders show order-1 --store /srv/shop/payments.db"],
  }).argument(...referenceArgument());
  return addStoreFlags(command).action(async (externalRef: string, flags: StoreFlags) => {
    const { showOrder } = await import("./show-order.ts");
    await withStore(context, flags, (opened) => showOrder(context, opened, externalRef, flags));
  });
}

function resolveCommand(context: Context): Command {
  const command = createCommand(context, {
    name: "resolve",
    summary: t(
      "Record what the service shows or reports about an order.",
      "Registra o que o serviço mostra ou informa sobre um pedido.",
    ),
    details: t(
      "After --not-charged or a status that charged no one, the next create call is sent. If a transaction does exist, the customer pays twice: wait 15 minutes, or add --early. With --transaction, all orders are read, which can take seconds: a transaction that another order has is refused.\n\nNo callback of your handler runs. If the order is paid, --deliver-to runs it. Without that option, if PAYMENTS_POSTBACK_URL is set, the command asks in a terminal whether to deliver.\n\n--correct replaces a transaction that was recorded by hand, in one step: no create call is sent meanwhile. It is refused once a response or a signed postback, also a delivered one, has named it. It also accepts another order's transaction, and a status that cannot follow the stored one.",
      "Depois de --not-charged ou de um status que não cobrou ninguém, a próxima cobrança será enviada. Se houver uma transação, o comprador paga duas vezes: espere 15 minutos, ou use --early. Com --transaction, todos os pedidos são lidos, o que pode levar segundos: uma transação de outro pedido é recusada.\n\nNenhum callback do seu handler roda. Se o pedido está pago, --deliver-to roda o callback. Sem essa opção, e com PAYMENTS_POSTBACK_URL definida, o comando pergunta em um terminal se deve entregar.\n\n--correct troca uma transação registrada à mão em um passo só: nenhuma cobrança é enviada no meio. A troca é recusada depois que uma resposta ou um postback assinado, também um entregue à mão, trouxe essa transação. --correct também aceita a transação de outro pedido, e um status que não pode vir depois do registrado.",
    ),
    examples: [
      "payments orders resolve order-1 --attempt 1 --not-charged",
      "payments orders resolve order-1 --attempt 1 --transaction 4711 --status approved",
      "payments orders resolve order-1 --attempt 1 --transaction 4712 --status approved --correct",
    ],
  })
    .argument(...referenceArgument())
    .requiredOption(
      "--attempt <n>",
      t("the attempt number that `orders show` prints", "o número da tentativa que `orders show` mostra"),
      parseCount,
    )
    .option("--not-charged", t("the attempt has no transaction", "a tentativa não tem transação"))
    .option(
      "--transaction <id>",
      t("id of the attempt's transaction", "id da transação da tentativa"),
      parseTransactionId,
    )
    .addOption(statusOption(t("the status of that transaction", "o status dessa transação")))
    .option(
      "--correct",
      t("correct what is recorded: see below", "corrige o que está registrado: veja abaixo"),
    )
    .option(
      "--early",
      t("free the order before 15 minutes have passed", "libera o pedido antes de 15 minutos"),
    )
    .option(
      "--deliver-to <url>",
      t(
        "if it is paid: send it to your shop's handler, as `postbacks deliver` does",
        "se está pago: envia ao handler da sua loja, como `postbacks deliver`",
      ),
    )
    .option(...yesOption());
  return addStoreFlags(command).action(async (externalRef: string, flags: ResolveFlags) => {
    const { resolveOrder, toResolution } = await import("./resolve-order.ts");
    const resolution = toResolution(flags, commandLineOf(command));
    await withStore(context, flags, (opened) =>
      resolveOrder(context, opened, externalRef, { resolution, flags }),
    );
  });
}
