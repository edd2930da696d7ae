import { element } from "./dom.ts";

/** An input of the page, by its id. */
export type Field = "name" | "email" | "phone" | "document" | "number" | "holderName" | "expiry" | "cvv";

export type Problems = Partial<Record<Field, string>>;

export const typedInto = (field: Field): string => element(field, HTMLInputElement).value.trim();

/** Puts each problem next to its input, takes the others away, and goes to the first. */
export function showProblems(fields: readonly Field[], problems: Problems): void {
  for (const field of fields) {
    const problem = problems[field];
    showText(field, problem);
    element(field, HTMLInputElement).setAttribute("aria-invalid", String(problem !== undefined));
  }
  const first = fields.find((field) => problems[field] !== undefined);
  if (first !== undefined) element(first, HTMLInputElement).focus();
}

/** A text next to an input. */
export function showText(field: Field, text: string | undefined): void {
  const error = element(`${field}-error`, HTMLElement);
  error.textContent = text ?? "";
  error.hidden = text === undefined;
}

/** A problem goes with the first change to its input. */
export function forgetMendedProblems(fields: readonly Field[]): void {
  for (const field of fields) {
    element(field, HTMLInputElement).addEventListener("input", () => showProblems([field], {}));
  }
}

export const isEmpty = (problems: Problems): boolean => Object.keys(problems).length === 0;
