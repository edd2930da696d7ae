/** @jsxImportSource react */
// The page of react-components.test.ts, on the server and in the browser.
import { PaymentCardForm, PaymentPix } from "payments-sdk/elements/react";
import { Activity, type ReactNode, StrictMode, useRef, useState } from "react";

const CODE =
  "00020126580014br.gov.bcb.pix0136123e4567-e12b-12d1-a456-4266554400005204000053039865802BR5913LOJA IPE LTDA6009SAO PAULO62070503***6304ABCD";
const PICTURE = "data:image/gif;base64,R0lGODlhAQABAAAAACwAAAAAAQABAAACADs=";
const EXPIRES_AT = "2999-01-01T00:00:00Z";

interface Settings {
  readonly lang: string;
  readonly baseUrl: string;
  readonly publicKey: string;
}

/** A buyer who pays by card, and who can go to another page of the app. */
function Checkout({ lang, baseUrl, publicKey }: Settings) {
  const card = useRef<PaymentCardForm>(null);
  const [isHere, setHere] = useState(true);
  const [log, setLog] = useState<readonly string[]>([]);
  const add = (line: string) => setLog((lines) => [...lines, line]);
  return (
    <>
      {isHere && (
        <form
          onSubmit={(event) => {
            event.preventDefault();
            add(`submitted ${card.current?.value.slice(0, 2)}`);
          }}
        >
          <PaymentCardForm
            ref={card}
            {...{ lang, baseUrl, publicKey }}
            name="token"
            tokenizerOptions={{ maxRetries: 0 }}
            onPaymentToken={({ detail }) => add(`token ${detail.token.value.slice(0, 2)}`)}
            onPaymentError={({ detail }) => add(`error ${Object(detail.error).code}`)}
          />
          <button type="submit">Pay</button>
        </form>
      )}
      <button type="button" onClick={() => setHere(!isHere)}>
        {isHere ? "Leave" : "Return"}
      </button>
      <pre>{log.join("\n")}</pre>
    </>
  );
}

/** An app that keeps the page that the buyer has left, as Next.js does with `cacheComponents`. */
function KeptPages({ lang, baseUrl, publicKey }: Settings) {
  const [isHere, setHere] = useState(true);
  return (
    <>
      <Activity mode={isHere ? "visible" : "hidden"}>
        <PaymentCardForm {...{ lang, baseUrl, publicKey }} />
        <PaymentPix lang={lang} code={CODE} statusUrl="/status" />
      </Activity>
      <button type="button" onClick={() => setHere(!isHere)}>
        {isHere ? "Leave" : "Return"}
      </button>
    </>
  );
}

const PAGES = {
  "the card form": (settings) => <Checkout {...settings} />,
  "an app that keeps its pages": (settings) => <KeptPages {...settings} />,
  "a pix": ({ lang }) => (
    <PaymentPix
      lang={lang}
      code={CODE}
      qrcode={PICTURE}
      expiresAt={EXPIRES_AT}
      amount={1990}
      payee="Loja Ipê"
    />
  ),
  "a pix without a picture, an amount and an expiry": ({ lang }) => <PaymentPix lang={lang} code={CODE} />,
  "a paid pix": ({ lang }) => <PaymentPix lang={lang} code={CODE} status="approved" />,
  "an expired pix": ({ lang }) => (
    <PaymentPix lang={lang} code={CODE} status="expired" expiresAt="2020-01-01" />
  ),
  "a hidden pix": () => <PaymentPix hidden />,
} satisfies Record<string, (settings: Settings) => ReactNode>;

export type PageName = keyof typeof PAGES;

export const PAGE_NAMES = Object.keys(PAGES) as PageName[];

export function Page({ name, ...settings }: Settings & { readonly name: PageName }) {
  return <StrictMode>{PAGES[name](settings)}</StrictMode>;
}
