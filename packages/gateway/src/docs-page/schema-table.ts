import { escapeHtml } from '@poolgate/provider';
import { type ApiDocument, resolveSchema, type ShownSchema } from './api-document.ts';

/** A member of a body, at any depth. */
interface Row {
  readonly name: string;
  readonly isRequired: boolean;
  readonly schema: ShownSchema;
}

const MAX_DEPTH = 3;

/** Renders the members of a body as a table, or as one table for each alternative. Empty without members. */
export function renderSchemaTables(document: ApiDocument, schema: ShownSchema): string {
  const shape = resolveSchema(document, schema);
  if (shape.anyOf !== undefined && shape.properties === undefined) {
    const shapes = shape.anyOf.map((one) => renderSchemaTables(document, one)).filter((table) => table !== '');
    return shapes.join('<p class="or">or</p>');
  }
  const rows = listMembers(document, shape, '', 0);
  return rows.length === 0 ? '' : renderTable(rows.map((row) => renderMemberRow(document, row)));
}

/** A table of names, types and meanings. */
export function renderTable(rows: readonly string[]): string {
  return `<table><thead><tr><th>Name</th><th>Type</th><th>Meaning</th></tr></thead><tbody>${rows.join('')}</tbody></table>`;
}

/** A row of this table. */
export function renderMemberRow(document: ApiDocument, { name, isRequired, schema }: Row): string {
  const required = isRequired ? ' <span class="required">required</span>' : '';
  const meaning = schema.description ?? resolveSchema(document, schema).description ?? '';
  return `<tr><td><code>${escapeHtml(name)}</code>${required}</td><td>${escapeHtml(describeType(document, schema))}</td><td>${escapeHtml(meaning)}</td></tr>`;
}

function listMembers(document: ApiDocument, shape: ShownSchema, prefix: string, depth: number): readonly Row[] {
  const { properties = {}, required = [] } = shape;
  return Object.entries(properties).flatMap(([name, schema]) => {
    const row = { name: `${prefix}${name}`, isRequired: required.includes(name), schema };
    return [row, ...listInnerMembers(document, row, depth)];
  });
}

function listInnerMembers(document: ApiDocument, { name, schema }: Row, depth: number): readonly Row[] {
  if (depth >= MAX_DEPTH) return [];
  const shape = resolveSchema(document, schema);
  const item = shape.items && resolveSchema(document, shape.items);
  if (item !== undefined) return listMembers(document, item, `${name}[].`, depth + 1);
  return listMembers(document, shape, `${name}.`, depth + 1);
}

function describeType(document: ApiDocument, schema: ShownSchema): string {
  const { type, items, anyOf, enum: values, minLength, maxLength } = resolveSchema(document, schema);
  if (anyOf !== undefined) return [...new Set(anyOf.map((one) => describeType(document, one)))].join(' or ');
  if (values !== undefined) return values.map((value) => JSON.stringify(value)).join(', ');
  if (items !== undefined) return `array of ${describeType(document, items)}`;
  const word = [type ?? 'any'].flat().join(' or ');
  return maxLength === undefined ? word : `${word} (${minLength ?? 0} to ${maxLength} characters)`;
}
