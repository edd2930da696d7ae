import { element } from "./dom.ts";

const METHODS = ["card", "pix"] as const;

export type Method = (typeof METHODS)[number];

/** Shows one way to pay. */
export function choose(method: Method): void {
  for (const candidate of METHODS) {
    const chosen = candidate === method;
    const tab = element(`tab-${candidate}`, HTMLElement);
    tab.setAttribute("aria-selected", String(chosen));
    tab.tabIndex = chosen ? 0 : -1;
    element(`panel-${candidate}`, HTMLElement).hidden = !chosen;
  }
}

/** Tabs as the ARIA practices have them: arrows, Home and End move and choose. */
export function watchTabs(): void {
  for (const [index, method] of METHODS.entries()) {
    const tab = element(`tab-${method}`, HTMLElement);
    tab.addEventListener("click", () => choose(method));
    tab.addEventListener("keydown", (event) => {
      const step = { ArrowRight: index + 1, ArrowLeft: index - 1, Home: 0, End: METHODS.length - 1 }[
        event.key
      ];
      const next = step === undefined ? undefined : METHODS.at(step % METHODS.length);
      if (next === undefined || element(`tab-${next}`, HTMLButtonElement).disabled) return;
      event.preventDefault();
      choose(next);
      element(`tab-${next}`, HTMLElement).focus();
    });
  }
}
