/** The place that a key of a table or list leads to, not yet within its bounds; undefined: the key leads nowhere. `page`: rows of one page. */
export const placeByKey = (key: string, active: number, count: number, page: number): number | undefined =>
  ({
    ArrowDown: active + 1,
    ArrowUp: active < 0 ? count - 1 : active - 1,
    PageDown: Math.max(active, 0) + page,
    PageUp: active - page,
    Home: 0,
    End: count - 1,
  })[key];

/** A spacer in place of rows out of sight; `height` in pixels. */
export const RowPad = ({ height, span }: { height: number; span: number }) => (
  // biome-ignore lint/a11y/noAriaHiddenOnFocusable: a plain spacer, nothing in it takes the focus
  <tr className="pad" aria-hidden="true" style={{ height }}>
    <td colSpan={span} />
  </tr>
);
