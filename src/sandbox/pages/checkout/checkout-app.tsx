import { render } from "preact";
import { useEffect, useRef } from "preact/hooks";
import type { CheckoutView } from "../../control/views.ts";
import { Announcer } from "../shared/accessibility.tsx";
import { Problem, useAction } from "../shared/action.tsx";
import { call, isNotFound, messageOf } from "../shared/api.ts";
import { Fact, formatReais } from "../shared/format.tsx";
import { useConnected, useFetched } from "../shared/live.ts";
import { CheckoutState, titleOfStatus } from "./checkout-state.tsx";

const path = `checkout/${window.location.pathname.split("/").at(-1)}`;

function Checkout() {
  const { value: view, error, refresh } = useFetched<CheckoutView>(path, "transaction");
  const isOffline = useConnected() === false;
  const firstStatus = useRef(view?.status);
  firstStatus.current ??= view?.status;
  useEffect(() => {
    if (view) document.title = `${titleOfStatus(view)} · ${formatReais(view.amount)} · ${view.companyName}`;
  }, [view]);

  return (
    <>
      <SandboxBar view={view} onPaid={refresh} />
      <main class="stack checkout">
        {view === undefined && error === undefined && <p class="muted">Loading…</p>}
        {view === undefined && error !== undefined && <h1>Nothing to pay here</h1>}
        <Problem text={describeProblem(error, isOffline)} />
        {view && (
          <>
            <Summary view={view} />
            <CheckoutState view={view} hasChanged={view.status !== firstStatus.current} />
          </>
        )}
      </main>
      <Announcer />
    </>
  );
}

function describeProblem(error: unknown, isOffline: boolean): string | undefined {
  if (isNotFound(error)) {
    return "This checkout does not exist. The sandbox loses its data when it stops.";
  }
  if (isOffline) {
    return "The connection was lost. This page reconnects automatically.";
  }
  return error === undefined ? undefined : messageOf(error);
}

/** What a real checkout does not have: set apart from what the customer would see. */
function SandboxBar({ view, onPaid }: { readonly view: CheckoutView | undefined; onPaid(): void }) {
  const paying = useAction();
  useEffect(() => paying.setProblem(undefined), [view]); // the sandbox is back, with or without this checkout
  const canPay = view?.status === "pending" || view?.status === "processing";
  const pay = () =>
    paying.run(async () => {
      await call("POST", `${path}/pay`);
      onPaid();
    });
  return (
    <aside class="inline spread sandbox-bar" aria-label="Sandbox">
      <p>Sandbox: no real money</p>
      {canPay && (
        <button type="button" aria-disabled={paying.isRunning} onClick={pay}>
          Simulate the payment
        </button>
      )}
      <Problem text={paying.problem} />
    </aside>
  );
}

function Summary({ view }: { readonly view: CheckoutView }) {
  const { companyName, amount, externalId, id, customerName } = view;
  return (
    <header class="stack">
      <bdi>
        <strong>{companyName}</strong>
      </bdi>
      <h1>
        <span class="visually-hidden">Payment of </span>
        {formatReais(amount)}
      </h1>
      <dl class="inline">
        <Fact name={externalId === undefined ? "Transaction" : "Reference"}>{externalId ?? id}</Fact>
        <Fact name="Customer">{customerName}</Fact>
      </dl>
    </header>
  );
}

render(<Checkout />, document.body);
