import type { ComponentChildren } from "preact";
import { useId, useLayoutEffect, useRef } from "preact/hooks";
import { words } from "../shared/texts.ts";

interface Props {
  readonly title: string;
  /** Called when Escape or its button closes it. */
  onClose(): void;
  /** The element with `autofocus` gets the focus. */
  readonly children: ComponentChildren;
}

/** A modal dialog, open until it is removed. The browser keeps the focus inside, and returns it to where it was. */
export function Dialog({ title, onClose, children }: Props) {
  const dialog = useRef<HTMLDialogElement>(null);
  const headingId = useId();

  // Before the next key: Escape would close the transaction behind a dialog that is not open yet.
  useLayoutEffect(() => {
    const element = dialog.current;
    element?.showModal();
    return () => element?.close();
  }, []);

  return (
    <dialog ref={dialog} class="dialog" aria-labelledby={headingId} onClose={onClose}>
      <div class="inline spread">
        <h2 id={headingId}>{title}</h2>
        <button type="button" class="quiet" onClick={onClose}>
          {words.close}
        </button>
      </div>
      {children}
    </dialog>
  );
}
