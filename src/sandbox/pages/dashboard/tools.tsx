import type { ComponentChildren } from "preact";

/** Id of the tools, for the button that opens them. */
export const TOOLS_ID = "tools";

interface Props {
  readonly isOpen: boolean;
  readonly children: ComponentChildren;
  setOpen(isOpen: boolean): void;
}

/**
 * The panels beside the list. Where they have no room, they are in a drawer, which the button in the header opens, and
 * which opens by itself when something in it gets the focus.
 */
export function Tools({ isOpen, children, setOpen }: Props) {
  return (
    <div
      class={isOpen ? "tools is-open" : "tools"}
      id={TOOLS_ID}
      onFocusIn={() => setOpen(true)}
      onFocusOut={({ relatedTarget, currentTarget }) => {
        if (relatedTarget instanceof Node && !currentTarget.contains(relatedTarget)) setOpen(false);
      }}
    >
      {children}
    </div>
  );
}
