/** The element of an id that the page is known to have. */
export function element<Kind extends HTMLElement>(id: string, kind: new () => Kind): Kind {
  const found = document.getElementById(id);
  if (found instanceof kind) return found;
  throw new Error(`The page has no ${kind.name} called ${id}.`);
}

export const show = (id: string, visible: boolean): void => {
  element(id, HTMLElement).hidden = !visible;
};
