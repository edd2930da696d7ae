/** The element with an id. Throws if the page does not have it. */
export function element<Kind extends HTMLElement>(id: string, kind: new () => Kind): Kind {
  const found = document.getElementById(id);
  if (found instanceof kind) return found;
  throw new Error(`The page has no ${kind.name} called ${id}.`);
}

export const input = (id: string): HTMLInputElement => element(id, HTMLInputElement);

export function show(id: string, isVisible: boolean): void {
  element(id, HTMLElement).hidden = !isVisible;
}

export function write(id: string, text: string): void {
  element(id, HTMLElement).textContent = text;
}

/** Shows an element with a text, or hides it. `textId` can name a part of the element for the text. */
export function notify(id: string, text: string | undefined, textId = id): void {
  write(textId, text ?? "");
  show(id, text !== undefined);
}

export function setTitle(text: string): void {
  write("title", text);
  document.title = `${text} · Loja Ipê`;
}
