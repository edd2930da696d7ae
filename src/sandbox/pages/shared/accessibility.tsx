import { useEffect, useState } from "preact/hooks";

let speak: (text: string) => void = () => {};

/** Announces a change of the page to users of a screen reader. */
export function announce(text: string): void {
  speak(text);
}

/** The live region of {@link announce}. Each page has one. */
export function Announcer() {
  const [text, setText] = useState("");
  useEffect(() => {
    speak = (next) => {
      setText("");
      setTimeout(() => setText(next)); // so that the same text is announced again
    };
  }, []);
  return (
    <p class="visually-hidden" role="status" aria-live="polite">
      {text}
    </p>
  );
}

/**
 * Focuses an element if the focused element was removed, such as the button of a move. Otherwise, users of a
 * keyboard or a screen reader would have to start at the top of the page again.
 */
export function focusIfLost(element: HTMLElement | null): void {
  if (document.activeElement === document.body) element?.focus({ preventScroll: true });
}
