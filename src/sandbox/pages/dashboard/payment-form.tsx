import type { ComponentProps } from "preact";
import { useEffect, useId, useRef, useState } from "preact/hooks";
import { TEST_CARDS } from "../../cards/test-cards.ts";
import type { Overview } from "../../control/views.ts";
import { announce } from "../shared/accessibility.tsx";
import { parseReais } from "../shared/format.tsx";
import { methodNames, t, words } from "../shared/texts.ts";
import { Dialog } from "./dialog.tsx";
import { hrefOf } from "./location.ts";
import { examplesFor, type Payment, type PaymentFailure, sendPayment } from "./send-payment.ts";
import { describeCard, formatCardNumber } from "./tools.tsx";

const TITLE = t("New payment", "Novo pagamento");

/** A button that opens a form for a payment, so that a person can try the service without code. */
export function NewPayment({ overview }: { readonly overview: Overview | undefined }) {
  const [isOpen, setOpen] = useState(false);
  const close = () => setOpen(false);
  return (
    <>
      <button
        type="button"
        class="primary new-payment"
        aria-label={TITLE}
        aria-disabled={overview === undefined}
        aria-haspopup="dialog"
        onClick={() => setOpen(overview !== undefined)}
      >
        + <span>{TITLE}</span>
      </button>
      {isOpen && overview && (
        <Dialog title={TITLE} onClose={close}>
          <PaymentForm overview={overview} onClose={close} />
        </Dialog>
      )}
    </>
  );
}

type Method = Payment["method"];

interface FieldDefinition {
  /** Its path in the request. */
  readonly name: string;
  readonly label: string;
  /** The method that has the field. Default: both. */
  readonly method?: Method;
  readonly isWide?: boolean;
  /** The values of a list, with their labels. Default: an input. */
  readonly options?: readonly (readonly [value: string, label: string])[];
  /** Attributes of the input. What it contains at first is here, or in `examplesFor`. */
  readonly input?: ComponentProps<"input">;
}

const cards = TEST_CARDS.map((card) => {
  return [card.number, `${describeCard(card)} · ${formatCardNumber(card.number)}`] as const;
});

const decimal: ComponentProps<"input"> = { inputMode: "decimal", defaultValue: "19,90" };
const one: ComponentProps<"input"> = { inputMode: "numeric", defaultValue: "1" };
const days = t("Days until it expires", "Dias até expirar");

const FIELDS: readonly FieldDefinition[] = [
  { name: "amount", label: t("Amount, in reais", "Valor, em reais"), input: decimal },
  { name: "pix.expiresInDays", label: days, method: "pix", input: one },
  { name: "installments", label: t("Installments", "Parcelas"), method: "credit_card", input: one },
  {
    name: "number",
    label: t("Test card", "Cartão de teste"),
    method: "credit_card",
    isWide: true,
    options: cards,
  },
  { name: "externalRef", label: words.reference, isWide: true },
  { name: "customer.name", label: words.customer },
  { name: "customer.document.number", label: "CPF", input: { inputMode: "numeric" } },
  { name: "customer.email", label: "E-mail", isWide: true, input: { type: "email" } },
  { name: "postbackUrl", label: t("Postback URL", "URL de postback"), isWide: true, input: { type: "url" } },
];

interface FormProps {
  readonly overview: Overview;
  onClose(): void;
}

/** The fields of a payment. The service validates them; its problems are shown at their fields. */
function PaymentForm({ overview, onClose }: FormProps) {
  const [method, setMethod] = useState<Method>("pix");
  const [examples] = useState<Readonly<Record<string, string>>>(() => examplesFor(overview));
  const [reference, setReference] = useState(examples["externalRef"] ?? "");
  const { isSending, isUnknown, problems, failure, send } = useSending(overview, (id) => {
    onClose();
    window.location.hash = hrefOf({ view: "transactions", openId: id });
  });
  const form = useRef<HTMLFormElement>(null);
  useEffect(() => {
    form.current?.querySelector<HTMLElement>("[aria-invalid=true]")?.focus();
  }, [problems]);
  const fields = FIELDS.filter((field) => (field.method ?? method) === method);

  return (
    <form
      ref={form}
      class="stack payment-form"
      noValidate
      autocomplete="off"
      onInput={(event) => setReference(textOf(event.currentTarget, "externalRef"))}
      onSubmit={(event) => {
        event.preventDefault();
        void send(method, event.currentTarget);
      }}
    >
      <p class="muted">
        {t(
          "Sends the same requests as a merchant's backend. They appear in the request log.",
          "Envia as mesmas requisições que o backend de um lojista. Elas aparecem no log de requisições.",
        )}
      </p>
      <fieldset>
        <legend class="small">{words.method}</legend>
        <div class="inline">
          {(["pix", "credit_card"] as const).map((value) => (
            <label key={value}>
              <input
                type="radio"
                name="method"
                checked={method === value}
                autofocus={method === value}
                onChange={() => setMethod(value)}
              />{" "}
              {methodNames[value]}
            </label>
          ))}
        </div>
      </fieldset>
      <div class="fields">
        {fields.map((field) => (
          <Field
            key={field.name}
            field={field}
            example={examples[field.name]}
            problem={problems.get(field.name)}
          />
        ))}
      </div>
      <div role="alert">
        {failure && (
          <div class="problem">
            <p>
              <strong>{failure.message}</strong> {consequenceOf(failure)}
            </p>
            {failure.problems
              .filter(({ field }) => fields.every(({ name }) => name !== field))
              .map(({ field, message }) => (
                <p key={field}>
                  <code>{field}</code>: {message}
                </p>
              ))}
          </div>
        )}
      </div>
      <button type="submit" class="primary" aria-disabled={isSending || isUnknown(reference)}>
        {isSending ? t("Sending…", "Enviando…") : t("Create payment", "Criar pagamento")}
      </button>
    </form>
  );
}

interface FieldProps {
  readonly field: FieldDefinition;
  readonly example: string | undefined;
  readonly problem: string | undefined;
}

function Field({ field, example, problem }: FieldProps) {
  const { name, label, isWide, options, input } = field;
  const id = useId();
  const isInvalid = problem !== undefined;
  const control = {
    id,
    name,
    ...(isInvalid && { "aria-invalid": true, "aria-describedby": `${id}-problem` }),
  };
  return (
    <div class={isWide ? "wide-field" : ""}>
      <label for={id}>{label}</label>
      {options ? (
        <select {...control}>
          {options.map(([option, text]) => (
            <option key={option} value={option}>
              {text}
            </option>
          ))}
        </select>
      ) : (
        <input defaultValue={example ?? ""} {...control} {...input} />
      )}
      {isInvalid && (
        <p id={`${id}-problem`} class="reason small">
          {problem}
        </p>
      )}
    </div>
  );
}

function textOf(form: HTMLFormElement, field: string): string {
  return String(new FormData(form).get(field) ?? "");
}

function consequenceOf({ outcome, reference }: PaymentFailure): string {
  if (outcome === "not_created") return t("Nothing was created.", "Nada foi criado.");
  return t(
    `The outcome is unknown: the payment may exist. Search for ${reference} in the list. To try again, change the reference.`,
    `O resultado é desconhecido: o pagamento pode existir. Busque ${reference} na lista. Para tentar de novo, mude a referência.`,
  );
}

/**
 * The state of sending: one payment at a time. A reference whose outcome is unknown is not sent again, because a
 * repeated Enter would charge twice.
 */
function useSending(overview: Overview, onCreated: (id: number) => void) {
  const [isSending, setSending] = useState(false);
  const [problems, setProblems] = useState<ReadonlyMap<string, string>>(new Map());
  const [failure, setFailure] = useState<PaymentFailure>();
  const isInFlight = useRef(false); // set at once, unlike the state: a second submit may follow immediately
  const unknownReferences = useRef(new Set<string>()).current;
  const isUnknown = (reference: string) => unknownReferences.has(reference);

  async function send(method: Method, form: HTMLFormElement): Promise<void> {
    const text = (field: string) => textOf(form, field);
    const reference = text("externalRef");
    if (isInFlight.current || isUnknown(reference)) return;
    const amount = parseReais(text("amount"));
    setFailure(undefined);
    setProblems(new Map(amount === undefined ? [["amount", words.invalidAmount]] : []));
    if (amount === undefined) return;

    isInFlight.current = true;
    setSending(true);
    const result = await sendPayment({ method, amount, text }, overview);
    isInFlight.current = false;
    setSending(false);
    if (result.outcome === "created") {
      announce(t(`Transaction ${result.id} was created.`, `A transação ${result.id} foi criada.`));
      if (form.isConnected) onCreated(result.id);
      return;
    }
    showFailure(result);
    if (!form.isConnected) announce(`${result.message} ${consequenceOf(result)}`);
  }

  function showFailure(result: PaymentFailure): void {
    if (result.outcome === "unknown") unknownReferences.add(result.reference);
    setProblems(new Map(result.problems.map(({ field, message }) => [field, message])));
    setFailure(result);
  }

  return { isSending, isUnknown, problems, failure, send };
}
