import type { ComponentChildren, ComponentProps } from "preact";
import { useEffect, useId, useRef, useState } from "preact/hooks";
import { TEST_CARDS } from "../../cards/test-cards.ts";
import type { Overview } from "../../control/views.ts";
import { announce } from "../shared/accessibility.tsx";
import { parseReais } from "../shared/format.tsx";
import { methodNames, translate, words } from "../shared/translate.ts";
import { Dialog } from "./dialog.tsx";
import { hrefOf } from "./location.ts";
import { examplesFor, type PaymentFailure, sendPayment } from "./send-payment.ts";
import { describeCard, formatCardNumber } from "./test-cards.tsx";

const messages = translate({
  intro: [
    "Sends the same requests as a merchant's backend. They appear in the request log.",
    "Envia as mesmas requisições que o backend de um lojista. Elas aparecem no log de requisições.",
  ],
  testCard: ["Test card", "Cartão de teste"],
  otherCard: ["Another number", "Outro número"],
  submit: ["Create payment", "Criar pagamento"],
  sending: ["Sending…", "Enviando…"],
  created: [
    (id: number) => `Transaction ${id} was created.`,
    (id: number) => `A transação ${id} foi criada.`,
  ],
  notCreated: ["Nothing was created.", "Nada foi criado."],
  unknown: [
    (reference: string) =>
      `The outcome is unknown: the payment may exist. Search for ${reference} in the list. To try again, change the reference.`,
    (reference: string) =>
      `O resultado é desconhecido: o pagamento pode existir. Busque ${reference} na lista. Para tentar de novo, mude a referência.`,
  ],
  showList: ["Show the list", "Ver a lista"],
  title: ["New payment", "Novo pagamento"],
});

/** By the path of the field in the request. */
const labels = translate({
  amount: ["Amount, in reais", "Valor, em reais"],
  "pix.expiresInDays": ["Days until it expires", "Dias até expirar"],
  installments: ["Installments", "Parcelas"],
  number: ["Card number", "Número do cartão"],
  externalRef: ["Reference", "Referência"],
  "customer.name": ["Customer", "Comprador"],
  "customer.document.number": ["CPF", "CPF"],
  "customer.email": ["E-mail", "E-mail"],
  postbackUrl: ["Postback URL", "URL de postback"],
});

const OTHER_CARD = "other";

/** A button that opens a form for a payment, so that a person can try the service without code. */
export function NewPayment({ overview }: { readonly overview: Overview | undefined }) {
  const [isOpen, setOpen] = useState(false);
  const close = () => setOpen(false);
  return (
    <>
      <button
        type="button"
        class="primary"
        aria-disabled={overview === undefined}
        aria-haspopup="dialog"
        onClick={() => setOpen(overview !== undefined)}
      >
        <span class="short-label" data-short="+">
          {messages.title}
        </span>
      </button>
      {isOpen && overview && (
        <Dialog title={messages.title} onClose={close}>
          <PaymentForm overview={overview} onClose={close} />
        </Dialog>
      )}
    </>
  );
}

interface FormProps {
  readonly overview: Overview;
  onClose(): void;
}

/** The fields of a payment. The service validates them; its problems are shown at their fields. */
function PaymentForm({ overview, onClose }: FormProps) {
  const [method, setMethod] = useState<"pix" | "credit_card">("pix");
  const [examples] = useState(() => examplesFor(overview));
  const [reference, setReference] = useState(examples.externalRef);
  const { isSending, isUnknown, problems, failure, send } = useSending(overview, (id) => {
    onClose();
    window.location.hash = hrefOf({ view: "transactions", openId: id });
  });
  const form = useRef<HTMLFormElement>(null);
  useEffect(() => {
    form.current?.querySelector<HTMLElement>("[aria-invalid=true]")?.focus();
  }, [problems]);

  const field = (name: keyof typeof labels, input: ComponentProps<"input">, isWide = false) => (
    <Field label={labels[name]} name={name} problem={problems.get(name)} isWide={isWide} input={input} />
  );
  return (
    <form
      ref={form}
      class="stack payment-form"
      noValidate
      autocomplete="off"
      onSubmit={(event) => {
        event.preventDefault();
        void send(method, event.currentTarget);
      }}
    >
      <p class="muted">{messages.intro}</p>
      <fieldset>
        <legend class="small">{words.method}</legend>
        <div class="segments">
          {(["pix", "credit_card"] as const).map((value) => (
            <label key={value}>
              <input
                type="radio"
                name="method"
                checked={method === value}
                autofocus={method === value}
                onChange={() => setMethod(value)}
              />
              {methodNames[value]}
            </label>
          ))}
        </div>
      </fieldset>
      <div class="fields">
        {field("amount", { inputMode: "decimal", defaultValue: "19,90" })}
        {method === "pix" ? (
          field("pix.expiresInDays", { inputMode: "numeric", defaultValue: "1" })
        ) : (
          <>
            {field("installments", { inputMode: "numeric", defaultValue: "1" })}
            <CardFields problem={problems.get("number")} />
          </>
        )}
        {field(
          "externalRef",
          { value: reference, onInput: (event) => setReference(event.currentTarget.value) },
          true,
        )}
        {field("customer.name", { defaultValue: examples["customer.name"] })}
        {field("customer.document.number", {
          inputMode: "numeric",
          defaultValue: examples["customer.document.number"],
        })}
        {field("customer.email", { type: "email", defaultValue: examples["customer.email"] }, true)}
        {field("postbackUrl", { type: "url", defaultValue: examples.postbackUrl }, true)}
      </div>
      <div role="alert">{failure && <Failure failure={failure} form={form.current} onClose={onClose} />}</div>
      <button type="submit" class="primary" aria-disabled={isSending || isUnknown(reference)}>
        {isSending ? messages.sending : messages.submit}
      </button>
    </form>
  );
}

function CardFields({ problem }: { readonly problem: string | undefined }) {
  const [card, setCard] = useState(TEST_CARDS[0]?.number ?? OTHER_CARD);
  const isOther = card === OTHER_CARD;
  return (
    <>
      <Field
        label={messages.testCard}
        name={isOther ? "" : "number"}
        problem={isOther ? undefined : problem}
        isWide
      >
        {(control) => (
          <select {...control} value={card} onChange={(event) => setCard(event.currentTarget.value)}>
            {TEST_CARDS.map((testCard) => (
              <option key={testCard.number} value={testCard.number}>
                {describeCard(testCard)} · {formatCardNumber(testCard.number)}
              </option>
            ))}
            <option value={OTHER_CARD}>{messages.otherCard}</option>
          </select>
        )}
      </Field>
      {isOther && (
        <Field
          label={labels.number}
          name="number"
          problem={problem}
          isWide
          input={{ inputMode: "numeric" }}
        />
      )}
    </>
  );
}

interface FieldProps {
  readonly label: string;
  /** Its path in the request. */
  readonly name: string;
  readonly problem: string | undefined;
  readonly isWide?: boolean;
  readonly input?: ComponentProps<"input">;
  /** Renders a control with the attributes that connect it with its label and its problem. Default: an input. */
  readonly children?: (control: object) => ComponentChildren;
}

function Field({ label, name, problem, isWide = false, input, children }: FieldProps) {
  const id = useId();
  const isInvalid = problem !== undefined;
  const control: object = {
    id,
    name,
    ...(isInvalid && { "aria-invalid": true, "aria-describedby": `${id}-problem` }),
  };
  return (
    <div class={isWide ? "wide-field" : ""}>
      <label for={id}>{label}</label>
      {children ? children(control) : <input {...control} {...input} />}
      {isInvalid && (
        <p id={`${id}-problem`} class="field-problem">
          {problem}
        </p>
      )}
    </div>
  );
}

function consequenceOf({ outcome, reference }: PaymentFailure): string {
  return outcome === "unknown" ? messages.unknown(reference) : messages.notCreated;
}

interface FailureProps extends Pick<FormProps, "onClose"> {
  readonly failure: PaymentFailure;
  /** Problems of its fields are shown there. */
  readonly form: HTMLFormElement | null;
}

function Failure({ failure, form, onClose }: FailureProps) {
  const { outcome, message, problems } = failure;
  const showList = () => {
    onClose();
    window.location.hash = hrefOf({ view: "transactions" });
  };
  const elsewhere = problems.filter(({ field }) => !form?.elements.namedItem(field));
  return (
    <div class="problem">
      <p>
        <strong>{message}</strong> {consequenceOf(failure)}
      </p>
      {elsewhere.map(({ field, message }) => (
        <p key={field}>
          <code>{field}</code>: {message}
        </p>
      ))}
      {outcome === "unknown" && (
        <button type="button" class="quiet" onClick={showList}>
          {messages.showList}
        </button>
      )}
    </div>
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
  const canSend = (reference: string) => !isInFlight.current && !isUnknown(reference);

  async function send(method: "pix" | "credit_card", form: HTMLFormElement): Promise<void> {
    const fields = new FormData(form);
    const text = (field: string) => String(fields.get(field) ?? "");
    const reference = text("externalRef");
    if (!canSend(reference)) return;
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
      announce(messages.created(result.id));
      if (form.isConnected) onCreated(result.id);
      return;
    }
    if (result.outcome === "unknown") unknownReferences.add(reference);
    if (!form.isConnected) announce(`${result.message} ${consequenceOf(result)}`);
    setProblems(new Map(result.problems.map(({ field, message }) => [field, message])));
    setFailure(result);
  }

  return { isSending, isUnknown, problems, failure, send };
}
