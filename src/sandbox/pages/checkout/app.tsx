import { render } from "preact";
import { useEffect, useRef, useState } from "preact/hooks";
import type { CheckoutView } from "../../control/views.ts";
import type { SandboxStatus } from "../../transactions/transaction.ts";
import { Announcer } from "../shared/accessibility.tsx";
import { Problem, useAction } from "../shared/action.tsx";
import { call, isNotFound, messageOf } from "../shared/api.ts";
import { formatReais } from "../shared/format.tsx";
import { listenToEvents } from "../shared/live-events.ts";
import { CheckoutState } from "./checkout-state.tsx";

const secureId = window.location.pathname.split("/").at(-1) ?? "";

/** The hosted checkout page at `secureUrl`. */
function Checkout() {
  const [view, setView] = useState<CheckoutView>();
  const [problem, setProblem] = useState<string>();
  const paying = useAction();
  const firstStatus = useRef<SandboxStatus>(undefined);
  firstStatus.current ??= view?.status;

  useEffect(() => {
    let id: number | undefined;
    async function load(): Promise<void> {
      try {
        const loaded = await call<CheckoutView>("GET", `checkout/${secureId}`);
        id = loaded.id;
        setView(loaded);
        setProblem(undefined);
      } catch (error) {
        setProblem(describeError(error));
      }
    }
    return listenToEvents({
      connected: () => void load(),
      disconnected: () => {},
      changed({ transactions }) {
        if (transactions.some((transaction) => transaction.id === id)) void load();
      },
    });
  }, []);

  const pay = () =>
    paying.run(async () => {
      setView(await call<CheckoutView>("POST", `checkout/${secureId}/pay`));
    });

  return (
    <>
      <main class="checkout">
        <p class="test-mode">Sandbox: no money moves</p>
        {view === undefined && problem === undefined && <p class="muted">Loading…</p>}
        {view === undefined && problem !== undefined && <h1>Nothing to pay here</h1>}
        <Problem text={problem} />
        {view && (
          <>
            <p class="merchant">{view.companyName}</p>
            <h1>
              <span class="visually-hidden">Payment of </span>
              {formatReais(view.amount)}
            </h1>
            <p class="muted">
              {view.externalId === undefined ? "Transaction" : "Reference"}{" "}
              <bdi>{view.externalId ?? view.id}</bdi> for <bdi>{view.customerName}</bdi>
            </p>
            <CheckoutState
              view={view}
              hasChanged={view.status !== firstStatus.current}
              isPaying={paying.isRunning}
              onPay={pay}
            />
            <Problem text={paying.problem} />
          </>
        )}
      </main>
      <Announcer />
    </>
  );
}

function describeError(error: unknown): string {
  return isNotFound(error)
    ? "This checkout does not exist. The sandbox loses its data when it stops."
    : messageOf(error);
}

render(<Checkout />, document.body);
