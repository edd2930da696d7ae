import type { ComponentChildren } from "preact";
import { useEffect, useRef } from "preact/hooks";
import { Problem } from "../shared/action.tsx";
import { isNotFound, messageOf } from "../shared/api.ts";
import type { Fetched } from "../shared/live.ts";
import { words } from "../shared/texts.ts";
import { type DashboardLocation, hrefOf } from "./location.ts";

export interface ItemProps {
  readonly id: number;
  readonly title: string;
  readonly location: DashboardLocation;
}

interface Props<T> extends Omit<ItemProps, "id"> {
  readonly fetched: Fetched<T>;
  readonly notFound: string;
  /** Shown beside the link that closes the item. */
  readonly links?: ComponentChildren;
  readonly children: (item: T) => ComponentChildren;
}

export function OpenItem<T>({ title, location, fetched, notFound, links, children }: Props<T>) {
  const { value, error } = fetched;
  const heading = useRef<HTMLHeadingElement>(null);
  useEffect(() => heading.current?.focus(), []);
  return (
    <section class="stack detail" aria-labelledby="detail-heading">
      <div class="inline spread">
        <h2 id="detail-heading" tabIndex={-1} ref={heading}>
          {title}
        </h2>
        <div class="inline">
          {links}
          <a href={hrefOf({ ...location, openId: undefined })}>{words.close}</a>
        </div>
      </div>
      {error !== undefined && <Problem text={isNotFound(error) ? notFound : messageOf(error)} />}
      {value === undefined && error === undefined && <p class="muted">{words.loading}</p>}
      {value !== undefined && children(value)}
    </section>
  );
}
