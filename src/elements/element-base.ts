// What both elements are built with: DOM calls only, because a strict policy forbids inline styles, inline scripts and
// HTML from strings.

/** `HTMLElement`; an empty class on a server, so that importing the elements there does not throw. */
export const ElementBase: typeof HTMLElement = globalThis.HTMLElement ?? class {};

/** Registers an element. Does nothing on a server, or if another copy of the package has registered it. */
export function defineElement(name: string, element: CustomElementConstructor): void {
  const registry = globalThis.customElements;
  if (registry !== undefined && registry.get(name) === undefined) registry.define(name, element);
}

/** Takes over properties that were set before the browser knew the element: they hide the accessors of its class. */
export function adoptProperties(element: HTMLElement): void {
  for (const [name, value] of Object.entries(element)) {
    Reflect.deleteProperty(element, name);
    Reflect.set(element, name, value);
  }
}

/** Creates an element with attributes and children. */
export function h<Tag extends keyof HTMLElementTagNameMap>(
  tag: Tag,
  attributes: Readonly<Record<string, string>> = {},
  ...children: readonly (Node | string)[]
): HTMLElementTagNameMap[Tag] {
  return build(document.createElement(tag), attributes, children);
}

/** Creates an SVG element with attributes and children. */
export function svg<Tag extends keyof SVGElementTagNameMap>(
  tag: Tag,
  attributes: Readonly<Record<string, string>>,
  ...children: readonly Node[]
): SVGElementTagNameMap[Tag] {
  return build(document.createElementNS("http://www.w3.org/2000/svg", tag), attributes, children);
}

function build<E extends Element>(
  element: E,
  attributes: Readonly<Record<string, string>>,
  children: readonly (Node | string)[],
): E {
  for (const [name, value] of Object.entries(attributes)) element.setAttribute(name, value);
  element.append(...children);
  return element;
}

/** Sets an attribute, or removes it: frameworks set a property to `undefined` or `null` if it is gone. */
export function setAttribute(element: Element, name: string, value: string | null | undefined): void {
  if (value === null || value === undefined) element.removeAttribute(name);
  else element.setAttribute(name, value);
}

/** A language that the elements have texts in. */
export type Language = "pt" | "en";

/** The language of an element by the nearest `lang` attribute, also outside of its shadow root. Everything but English gets Portuguese. */
export function languageOf(element: Element): Language {
  const nearest = element.closest("[lang]");
  const { host } = element.getRootNode() as Partial<ShadowRoot>;
  if (nearest === null && host) return languageOf(host);
  return languageOfTag(nearest?.getAttribute("lang"));
}

/** The language for a value of `lang`. */
export function languageOfTag(tag: string | null | undefined): Language {
  return /^en\b/i.test(tag ?? "") ? "en" : "pt";
}
