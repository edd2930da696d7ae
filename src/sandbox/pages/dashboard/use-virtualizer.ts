import {
  elementScroll,
  observeElementOffset,
  observeElementRect,
  Virtualizer,
  type VirtualizerOptions,
} from "@tanstack/virtual-core";
import { useLayoutEffect, useReducer, useState } from "preact/hooks";

type Options = Omit<
  VirtualizerOptions<HTMLElement, HTMLElement>,
  "scrollToFn" | "observeElementRect" | "observeElementOffset" | "onChange"
>;

/** TanStack Virtual for preact: its adapters for other frameworks make the same calls. */
export function useVirtualizer(own: Options): Virtualizer<HTMLElement, HTMLElement> {
  const [, render] = useReducer((count: number, _action: undefined) => count + 1, 0);
  const options = {
    ...own,
    scrollToFn: elementScroll,
    observeElementRect,
    observeElementOffset,
    onChange: () => render(undefined),
  };
  const [virtualizer] = useState(() => new Virtualizer<HTMLElement, HTMLElement>(options));
  virtualizer.setOptions(options);
  useLayoutEffect(() => virtualizer._didMount(), []);
  useLayoutEffect(() => virtualizer._willUpdate());
  return virtualizer;
}
