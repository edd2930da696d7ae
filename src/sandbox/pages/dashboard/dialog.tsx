import type { ComponentChildren } from "preact";
import { useId, useLayoutEffect, useRef } from "preact/hooks";
import { translate } from "../shared/translate.ts";

const messages = translate({
  close: ["Close", "Fechar"],
});

interface Props {
  readonly title: string;
  readonly isOpen: boolean;
  /** Also called when Escape closes it. */
  onClose(): void;
  /** Created anew each time the dialog opens. The element with `autofocus` gets the focus. */
  readonly children: ComponentChildren;
}

/** A modal dialog. The browser keeps the focus inside, and returns it to where it was. */
export function Dialog({ title, isOpen, onClose, children }: Props) {
  const dialog = useRef<HTMLDialogElement>(null);
  const headingId = useId();

  // Before the next key: Escape would close the transaction behind a dialog that is not open yet.
  useLayoutEffect(() => {
    if (!isOpen) return;
    const element = dialog.current;
    element?.showModal();
    window.addEventListener("keydown", keepEscape, { capture: true });
    return () => {
      window.removeEventListener("keydown", keepEscape, { capture: true });
      element?.close();
    };
  }, [isOpen]);

  return (
    <dialog ref={dialog} class="dialog" aria-labelledby={headingId} onClose={onClose}>
      {isOpen && (
        <>
          <div class="inline spread dialog-head">
            <h2 id={headingId}>{title}</h2>
            <button type="button" class="quiet" onClick={onClose}>
              {messages.close}
            </button>
          </div>
          {children}
        </>
      )}
    </dialog>
  );
}

/** Escape closes the dialog, and not also the transaction behind it. */
function keepEscape(event: KeyboardEvent): void {
  if (event.key === "Escape") event.stopPropagation();
}
