import { html, type TemplateResult } from 'lit';
import type { Translation } from '../translations/catalogue.ts';
import { readNumber, readText, renderField } from '../ui/fields.ts';

/** The settings of a group that a form shows. */
interface GroupSettings {
  readonly description: string | null;
  readonly precedence: number | null;
}

/** Renders the fields of a group. */
export function renderGroupFields({ text }: Translation, group?: GroupSettings): TemplateResult {
  return html`${renderField({
    name: 'description',
    label: text('groups.description'),
    value: group?.description ?? '',
    maxLength: 2048,
  })}
  ${renderField({
    name: 'precedence',
    label: text('groups.precedence'),
    type: 'number',
    value: String(group?.precedence ?? ''),
    hint: text('groups.precedenceHint'),
  })}`;
}

/** Reads the fields of a group. */
export function readGroupFields(form: FormData): Readonly<Record<string, unknown>> {
  const precedence = readNumber(form, 'precedence');
  return { description: readText(form, 'description') ?? '', ...(precedence !== undefined && { precedence }) };
}
