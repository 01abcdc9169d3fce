import { html, type TemplateResult } from 'lit';

/** A column of a table. */
export interface Column<Row> {
  readonly label: string;
  readonly cell: (row: Row) => unknown;
}

/** Renders a table. On a phone each row becomes a card, so the roles are given: browsers drop those of cells that are no cells. */
export function renderTable<Row>(
  caption: string,
  columns: readonly Column<Row>[],
  rows: readonly Row[],
): TemplateResult {
  return html`<table data-part="table" role="table" aria-label=${caption}>
    <thead role="rowgroup">
      <tr role="row">
        ${columns.map(({ label }) => html`<th role="columnheader" scope="col">${label}</th>`)}
      </tr>
    </thead>
    <tbody role="rowgroup">
      ${rows.map(
        (row) =>
          html`<tr role="row">
            ${columns.map(({ label, cell }) => html`<td role="cell" data-label=${label}><div>${cell(row)}</div></td>`)}
          </tr>`,
      )}
    </tbody>
  </table>`;
}

/** Renders a list as a table, or a text if it is empty. */
export function renderList<Row>(
  caption: string,
  columns: readonly Column<Row>[],
  rows: readonly Row[],
  empty: string,
): TemplateResult {
  return rows.length === 0 ? renderEmpty(empty) : renderTable(caption, columns, rows);
}

/** Renders the message of an empty list: why it is empty, and what to do. */
export function renderEmpty(text: string, action?: TemplateResult): TemplateResult {
  return html`<div data-part="empty"><p>${text}</p>${action ?? ''}</div>`;
}

/** A word that stands out, such as a status. */
export function renderBadge(text: string, look: 'good' | 'bad' | 'plain' = 'plain'): TemplateResult {
  return html`<span data-part="badge" data-look=${look}>${text}</span>`;
}
