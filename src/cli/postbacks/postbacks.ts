import { type Command, Option } from "commander";
import { createCommand, headerOption, parseTransactionId, referenceArgument, yesOption } from "../command.ts";
import type { Context } from "../context.ts";
import { t } from "../language.ts";
import {
  addStoreFlags,
  allNamespacesOption,
  inAllNamespaces,
  passwordAdvice,
  withStore,
} from "../open-store.ts";
import type { DeliverFlags } from "./deliver-postbacks.ts";
import type { CloseFlags, ListFlags } from "./open-postbacks.ts";

/** The `payments postbacks` commands. Each loads its code when it runs. */
export function postbacksCommand(context: Context): Command {
  return createCommand(context, {
    name: "postbacks",
    summary: t(
      "List signed postbacks whose callback has not succeeded, deliver them again, or close them.",
      "Lista os postbacks assinados cujo callback não rodou com sucesso, e os entrega de novo ou encerra.",
    ),
    details: passwordAdvice(),
    examples: [
      "payments postbacks list",
      "payments postbacks deliver order-1 --to https://shop.example/postbacks",
    ],
    commands: [listCommand(context), deliverCommand(context), closeCommand(context)],
  });
}

function listCommand(context: Context): Command {
  const command = createCommand(context, {
    name: "list",
    summary: t("List open postbacks, oldest first.", "Lista os postbacks abertos, os mais antigos primeiro."),
    details: t(
      "failed: the callback failed. abandoned: its process ended, or could not start it. running: it runs now, or another postback of the same transaction does. With --json, each postback is one line of JSON.",
      "failed: o callback falhou. abandoned: o processo dele terminou, ou não conseguiu iniciá-lo. running: está rodando agora, ou outro postback da mesma transação está. Com --json, cada postback é uma linha de JSON.",
    ),
    examples: ["payments postbacks list --state failed --store /srv/shop/payments.db"],
  });
  return addStoreFlags(command)
    .addOption(
      new Option(
        t("--state <state>", "--state <estado>"),
        t("only in this state", "só neste estado"),
      ).choices(["failed", "abandoned", "running"]),
    )
    .option(...allNamespacesOption())
    .option(...headerOption())
    .action(async (flags: ListFlags) => {
      const { listPostbacks } = await import("./open-postbacks.ts");
      await withStore(context, flags, (opened) =>
        listPostbacks(context, flags.allNamespaces ? inAllNamespaces(opened) : opened, flags),
      );
    });
}

function deliverCommand(context: Context): Command {
  const command = createCommand(context, {
    name: "deliver",
    summary: t(
      "Send the open postbacks of an order to your shop's handler again.",
      "Envia de novo os postbacks abertos de um pedido ao handler da sua loja.",
    ),
    details: t(
      "Oldest first, one after the other, until a response is not 2xx: the exit code is then 1. Running ones are not sent. The URL is signed with PAYMENTS_POSTBACK_SECRET and PAYMENTS_POSTBACK_KID for five minutes; redirects are not followed.\n\nIf the order is approved over its amount in the store, for example after orders resolve, and no approved postback is open, its payment is sent too. No callback runs if onPaid or onReview has handled it before, or close ended it: if it was not shipped, ship by hand.",
      "Do mais antigo ao mais novo, um por vez, até uma resposta que não é 2xx: o código de saída é então 1. Os que estão rodando não são enviados. A URL é assinada com PAYMENTS_POSTBACK_SECRET e PAYMENTS_POSTBACK_KID por cinco minutos; redirecionamentos não são seguidos.\n\nSe o pedido está approved com o seu valor no store, como depois de orders resolve, e não há postback approved aberto, o pagamento também é enviado. Nenhum callback roda se o onPaid ou o onReview já o tratou, ou se close o encerrou: se o pedido não foi enviado, envie à mão.",
    ),
    examples: [
      "payments postbacks deliver order-1 --to https://shop.example/postbacks",
      "payments postbacks deliver order-1 --to http://localhost:3000/postbacks --id 4711",
    ],
  })
    .argument(...referenceArgument())
    .requiredOption(
      "--to <url>",
      t("URL of your handler: https, or on this machine", "URL do seu handler: https, ou nesta máquina"),
    )
    .option(
      "--id <id>",
      t("only postbacks of this transaction", "só os postbacks desta transação"),
      parseTransactionId,
    );
  return addStoreFlags(command).action(async (externalRef: string, flags: DeliverFlags) => {
    const { deliverPostbacks } = await import("./deliver-postbacks.ts");
    await withStore(context, flags, (opened) => deliverPostbacks(context, opened, externalRef, flags));
  });
}

function closeCommand(context: Context): Command {
  const command = createCommand(context, {
    name: "close",
    summary: t(
      "End the open postbacks of an order without running your callback.",
      "Encerra os postbacks abertos de um pedido sem rodar o seu callback.",
    ),
    details: t(
      "They count as handled: no retry and no later delivery runs your callback for them, and nothing is shipped, cancelled or refunded. Running ones stay open.\n\nA record that cannot be read is removed, so its postbacks do not count as handled: if the service repeats one of them, your callback runs for it.",
      "Contam como tratados: nenhuma nova tentativa ou entrega roda o seu callback para eles, e nada é enviado, cancelado ou estornado. Os que estão rodando seguem abertos.\n\nUm registro que não pode ser lido é apagado, e os postbacks dele não contam como tratados: se o serviço repetir um deles, o seu callback roda.",
    ),
    examples: ["payments postbacks close order-1"],
  })
    .argument(...referenceArgument())
    .option(...yesOption());
  return addStoreFlags(command).action(async (externalRef: string, flags: CloseFlags) => {
    const { closePostbacks } = await import("./open-postbacks.ts");
    await withStore(context, flags, (opened) => closePostbacks(context, opened, externalRef, flags));
  });
}
