import { render } from "preact";
import { useEffect, useRef } from "preact/hooks";
import type { Overview } from "../../control/views.ts";
import { Announcer } from "../shared/accessibility.tsx";
import { useFetched } from "../shared/use-fetched.ts";
import { ArmedFaultsBanner } from "./armed-faults-banner.tsx";
import { ClockPanel } from "./clock-panel.tsx";
import { FaultsPanel } from "./faults-panel.tsx";
import { Header } from "./header.tsx";
import { NewPayment } from "./new-payment.tsx";
import { TestCards } from "./test-cards.tsx";
import { TransactionList } from "./transaction-list.tsx";
import { TransactionView } from "./transaction-view.tsx";
import { useLive } from "./use-live.ts";
import { closeTransaction, useOpenTransaction } from "./use-open-transaction.ts";

function Dashboard() {
  const live = useLive();
  const overview = useFetched<Overview>("overview", live.isConnected).value;
  const openId = useOpenTransaction();
  useFocusOnRowWhenClosed(openId);

  useEffect(() => {
    document.title = openId === undefined ? "Payments sandbox" : `Transaction ${openId} · Payments sandbox`;
  }, [openId]);
  useEffect(() => {
    const close = (event: KeyboardEvent) => {
      if (event.key === "Escape" && openId !== undefined) closeTransaction();
    };
    document.addEventListener("keydown", close);
    return () => document.removeEventListener("keydown", close);
  }, [openId]);

  return (
    <>
      <button type="button" class="skip" onClick={() => document.getElementById("transactions")?.focus()}>
        Skip to the transactions
      </button>
      <Header isConnected={live.isConnected} overview={overview} />
      <ArmedFaultsBanner armed={live.armed} />
      <main class={openId === undefined ? "layout" : "layout has-open"}>
        <TransactionList list={live} openId={openId} overview={overview} />
        {openId !== undefined && (
          <TransactionView key={openId} id={openId} version={live.versionOf(openId)} />
        )}
        <div class="tools">
          <NewPayment overview={overview} />
          <TestCards />
          <FaultsPanel armed={live.armed} />
          <ClockPanel now={live.now ?? overview?.now} />
        </div>
      </main>
      <Announcer />
    </>
  );
}

/** Focuses the row of a transaction when the transaction is closed. */
function useFocusOnRowWhenClosed(openId: number | undefined): void {
  const last = useRef<number>(undefined);
  useEffect(() => {
    if (openId === undefined && last.current !== undefined) {
      const row = document.querySelector<HTMLElement>(`#row-${last.current} a`);
      (row ?? document.getElementById("transactions"))?.focus(); // the row may not be loaded
    }
    last.current = openId;
  }, [openId]);
}

render(<Dashboard />, document.body);
