import type { ComponentChildren, HTMLAttributes } from 'preact';

interface Column<Item> {
  /** In the head of the table; text also labels each value on a narrow screen. */
  label: ComponentChildren;
  cell: (item: Item) => ComponentChildren;
  class?: string;
  /** On a narrow screen, the value stands beside the row's name, without a label. */
  isUnlabeled?: boolean;
}

type Attributes<Of extends HTMLElement> = HTMLAttributes<Of> & Record<`data-${string}`, unknown>;

export interface DataTableProps<Item> {
  items: readonly Item[];
  /** From left to right; an absent column is `false`. */
  columns: readonly (Column<Item> | false)[];
  /** Which column names the row: the first one, if not given. */
  nameColumn?: number;
  /** Links and buttons in a last column; `false`: no such column. */
  actions?: false | ((item: Item) => ComponentChildren);
  class?: string;
  /** For screen readers. */
  caption?: ComponentChildren;
  table?: Attributes<HTMLTableElement>;
  row?: (item: Item) => Attributes<HTMLTableRowElement>;
  /** `false` for rows that replace those of an open page: parsers drop rows outside a table. */
  hasHead?: boolean;
}

/** A table; on a narrow screen each row is a block of labeled values. */
export function DataTable<Item>(props: DataTableProps<Item>) {
  const { items, nameColumn = 0, actions, caption, table, row, hasHead = true } = props;
  const columns = props.columns.filter((column) => column !== false);
  if (actions) columns.push({ label: 'Actions', cell: actions, class: 'actions', isUnlabeled: true });
  return (
    <table class={props.class} {...table}>
      {caption ? <caption class="visually-hidden">{caption}</caption> : null}
      {hasHead ? (
        <thead>
          <tr>
            {columns.map(({ label }) => (
              <th scope="col">{label}</th>
            ))}
          </tr>
        </thead>
      ) : null}
      <tbody>
        {items.map((item) => (
          <tr {...row?.(item)}>
            {columns.map(({ label, cell, class: className, isUnlabeled }, index) =>
              index === nameColumn ? (
                <th scope="row">{cell(item)}</th>
              ) : (
                <td data-label={isUnlabeled || typeof label !== 'string' ? undefined : label} class={className}>
                  {cell(item)}
                </td>
              ),
            )}
          </tr>
        ))}
      </tbody>
    </table>
  );
}
