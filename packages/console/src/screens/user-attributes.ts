import { html, type TemplateResult } from 'lit';
import type { Translation } from '../translations/catalogue.ts';
import { readText, renderField } from '../ui/fields.ts';

type Attributes = Readonly<Record<string, string>>;

/** What only the pool changes. */
const READ_ONLY: ReadonlySet<string> = new Set(['sub', 'identities', 'email_verified', 'phone_number_verified']);

/** Renders a field for each attribute, and for a new one. */
export function renderAttributeFields({ text }: Translation, attributes: Attributes): TemplateResult {
  const names = Object.keys(attributes).filter((name) => !READ_ONLY.has(name));
  return html`<p data-part="hint">${text('user.editHint')}</p>
    ${names.map((name) => renderField({ name: `attribute-${name}`, label: name, value: attributes[name], maxLength: 2048 }))}
    ${renderField({ name: 'new-name', label: text('user.newAttribute'), maxLength: 128 })}
    ${renderField({ name: 'new-value', label: text('user.newValue'), maxLength: 2048 })}`;
}

/** Reads the attributes that a form changes. */
export function readChangedAttributes(form: FormData, attributes: Attributes): Attributes {
  const changed = Object.entries(attributes).flatMap(([name, value]) => {
    const typed = form.get(`attribute-${name}`);
    return typeof typed === 'string' && typed !== value ? [[name, typed]] : [];
  });
  const added = readText(form, 'new-name');
  return Object.fromEntries(
    added === undefined ? changed : [...changed, [added, readText(form, 'new-value') ?? '']],
  ) as Attributes;
}
