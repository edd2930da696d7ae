/** The element of an id that the page is known to have. */
export function element<Kind extends HTMLElement>(id: string, kind: new () => Kind): Kind {
  const found = document.getElementById(id);
  if (found instanceof kind) return found;
  throw new Error(`The page has no ${kind.name} called ${id}.`);
}

export const input = (id: string): HTMLInputElement => element(id, HTMLInputElement);

export function show(id: string, isVisible: boolean): void {
  element(id, HTMLElement).hidden = !isVisible;
}

/** Marks inputs as wrong until they change, and goes to the first. */
export function markWrong(ids: ReadonlySet<string>, form: HTMLFormElement): void {
  for (const id of ids) {
    const wrong = input(id);
    wrong.setCustomValidity("Confira este dado.");
    wrong.addEventListener("input", () => wrong.setCustomValidity(""), { once: true });
  }
  if (ids.size > 0) form.reportValidity();
}
