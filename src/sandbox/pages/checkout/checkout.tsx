import { useEffect, useRef, useState } from "preact/hooks";
import type { CheckoutView } from "../../control/views.ts";
import type { SandboxStatus } from "../../transaction.ts";
import { Announcer } from "../shared/announcer.tsx";
import { ApiError, call, messageOf } from "../shared/api.ts";
import { listenToEvents } from "../shared/live-events.ts";
import { reais } from "../shared/money.ts";
import { Problem } from "../shared/problem.tsx";
import { useAction } from "../shared/use-action.ts";
import { CheckoutState } from "./checkout-state.tsx";

const secureId = window.location.pathname.split("/").at(-1) ?? "";

/** What a buyer sees at `secureUrl`. */
export function Checkout() {
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
        setProblem(textOf(error));
      }
    }
    return listenToEvents({
      opened: () => void load(),
      lost: () => {},
      happened({ transactions }) {
        if (transactions.some((changed) => changed.id === id)) void load();
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
              {reais(view.amount)}
            </h1>
            <p class="muted">
              {view.externalId === undefined ? "Transaction" : "Reference"}{" "}
              <bdi>{view.externalId ?? view.id}</bdi> for <bdi>{view.customerName}</bdi>
            </p>
            <CheckoutState
              view={view}
              isNews={view.status !== firstStatus.current}
              busy={paying.busy}
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

function textOf(error: unknown): string {
  const isUnknown = error instanceof ApiError && error.status === 404;
  return isUnknown ? "There is no such checkout: the sandbox forgets all when it ends." : messageOf(error);
}
