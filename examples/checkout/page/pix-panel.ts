import type { OrderState } from "../shared/order-view.ts";
import { element, show } from "./dom.ts";

type Pix = Extract<OrderState, { kind: "pix" }>;

const SECOND_MS = 1_000;

let countdown: ReturnType<typeof setInterval> | undefined;

/** Shows the code of a pix, or the button that asks for one. */
export function showPix(pix: Pix | undefined): void {
  clearInterval(countdown);
  show("pix-start", pix === undefined);
  show("pix-code", pix !== undefined);
  if (pix === undefined) return;
  const picture = element("pix-picture", HTMLImageElement);
  picture.hidden = pix.picture === undefined;
  if (pix.picture !== undefined) picture.src = pix.picture;
  element("pix-text", HTMLInputElement).value = pix.code;
  count(pix.expiresInMs);
}

/** Counts down what the server says is left: its clock is right, this one may be wrong. */
function count(expiresInMs: number | undefined): void {
  const left = element("pix-left", HTMLElement);
  if (expiresInMs === undefined) {
    left.textContent = "";
    return;
  }
  const endsAt = performance.now() + expiresInMs;
  const tick = () => {
    const leftMs = endsAt - performance.now();
    // The shop offers a new code once the service says that this one was not paid.
    left.textContent = leftMs > 0 ? `(expira em ${clock(leftMs)})` : "(o código expirou: não o use mais)";
  };
  tick();
  countdown = setInterval(tick, SECOND_MS);
}

function clock(ms: number): string {
  const seconds = Math.ceil(ms / SECOND_MS);
  const parts = [Math.floor(seconds / 3_600), Math.floor(seconds / 60) % 60, seconds % 60];
  return parts.map((part) => String(part).padStart(2, "0")).join(":");
}

export function watchPixPanel(): void {
  const text = element("pix-text", HTMLInputElement);
  text.addEventListener("focus", () => text.select());
  element("pix-copy", HTMLButtonElement).addEventListener("click", async () => {
    const copied = await copy(text);
    element("pix-copied", HTMLElement).textContent = copied
      ? "Código copiado."
      : "Não foi possível copiar: o código está selecionado, copie-o com o teclado.";
  });
}

async function copy(input: HTMLInputElement): Promise<boolean> {
  try {
    await navigator.clipboard.writeText(input.value);
    return true;
  } catch {
    input.focus();
    input.select();
    return false;
  }
}
