import type { ComponentChildren } from "preact";
import { useEffect, useRef } from "preact/hooks";
import { focusIfLost } from "../shared/accessibility.tsx";
import { Problem } from "../shared/action.tsx";
import { isNotFound, messageOf } from "../shared/api.ts";
import type { Fetched } from "../shared/live.ts";
import { type DashboardLocation, hrefOf } from "./location.ts";

export interface ItemProps {
  readonly id: number;
  readonly title: string;
  readonly location: DashboardLocation;
}

interface Props<T> extends ItemProps {
  readonly fetched: Fetched<T>;
  readonly notFound: string;
  /** Shown beside the link that closes the item. */
  readonly links?: ComponentChildren;
  readonly children: (item: T) => ComponentChildren;
}

/** One entry of a list. The focus moves to it, and back to its row when it is closed with its link or Escape. */
export function OpenItem<T>({ id, title, location, fetched, notFound, links, children }: Props<T>) {
  const { value, error } = fetched;
  const heading = useRef<HTMLHeadingElement>(null);
  const closeLink = useRef<HTMLAnchorElement>(null);
  useEffect(() => {
    const closeOnEscape = ({ key }: KeyboardEvent) => key === "Escape" && closeLink.current?.click();
    document.addEventListener("keydown", closeOnEscape);
    heading.current?.focus();
    return () => {
      document.removeEventListener("keydown", closeOnEscape);
      const row = `#${location.view.slice(0, -1)}-${id} a`;
      setTimeout(() => focusIfLost(document.querySelector<HTMLElement>(row))); // when this item is removed
    };
  }, []);
  return (
    <section class="stack panel detail" aria-labelledby="detail-heading">
      <div class="inline spread">
        <h2 id="detail-heading" tabIndex={-1} ref={heading}>
          {title}
        </h2>
        <div class="inline">
          {links}
          <a ref={closeLink} href={hrefOf({ ...location, openId: undefined })}>
            Close
          </a>
        </div>
      </div>
      {error !== undefined && <Problem text={isNotFound(error) ? notFound : messageOf(error)} />}
      {value === undefined && error === undefined && <p class="muted">Loading…</p>}
      {value !== undefined && children(value)}
    </section>
  );
}
