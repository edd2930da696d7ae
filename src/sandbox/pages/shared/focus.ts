/**
 * Moves the focus to an element where the one that had it went away, such as the button of a move that was
 * made. Whoever uses a keyboard or a screen reader would start anew at the top of the page.
 */
export function focusIfLost(element: HTMLElement | null): void {
  if (document.activeElement === document.body) element?.focus({ preventScroll: true });
}
