import { html, nothing, type TemplateResult } from 'lit';

/** A labeled field of a form. */
export interface FieldOptions {
  readonly name: string;
  readonly label: string;
  readonly value?: string | undefined;
  readonly hint?: string | undefined;
  readonly type?: 'text' | 'email' | 'search' | 'number' | 'password' | 'url';
  readonly isRequired?: boolean;
  readonly maxLength?: number;
  /** Several lines. */
  readonly isLong?: boolean;
}

/** Renders a field with its hint. */
export function renderField(options: FieldOptions): TemplateResult {
  const { name, label, hint } = options;
  return html`<div data-part="field" data-name=${name}>
    <label data-part="label" for="field-${name}">${label}</label>
    ${options.isLong ? renderTextArea(options) : renderInput(options)}
    ${hint === undefined ? nothing : html`<p data-part="hint" id="hint-${name}">${hint}</p>`}
  </div>`;
}

function renderInput({ name, value = '', hint, type = 'text', isRequired = false, maxLength }: FieldOptions) {
  return html`<input
    data-part="input"
    id="field-${name}"
    name=${name}
    type=${type}
    .value=${value}
    ?required=${isRequired}
    maxlength=${maxLength ?? nothing}
    aria-describedby=${hint === undefined ? nothing : `hint-${name}`}
    autocomplete="off"
    spellcheck="false"
  />`;
}

function renderTextArea({ name, value = '', hint }: FieldOptions): TemplateResult {
  return html`<textarea
    data-part="input"
    data-kind="lines"
    id="field-${name}"
    name=${name}
    rows="3"
    .value=${value}
    aria-describedby=${hint === undefined ? nothing : `hint-${name}`}
    spellcheck="false"
  ></textarea>`;
}

/** One of several choices. */
export interface Choice {
  readonly value: string;
  readonly label: string;
}

/** Renders a list to choose from. */
export function renderSelect(name: string, label: string, value: string, choices: readonly Choice[]): TemplateResult {
  return html`<div data-part="field" data-name=${name}>
    <label data-part="label" for="field-${name}">${label}</label>
    <select data-part="input" id="field-${name}" name=${name}>
      ${choices.map((each) => html`<option value=${each.value} ?selected=${each.value === value}>${each.label}</option>`)}
    </select>
  </div>`;
}

/** Renders checkboxes or radio buttons, depending on whether several choices can be selected. */
export function renderChecks(
  name: string,
  legend: string,
  choices: readonly Choice[],
  checked: readonly string[],
  type: 'checkbox' | 'radio' = 'checkbox',
): TemplateResult {
  return html`<fieldset data-part="checks">
    <legend data-part="label">${legend}</legend>
    ${choices.map(
      ({ value, label }) => html`<label data-part="check"
        ><input type=${type} name=${name} value=${value} .checked=${checked.includes(value)} /> ${label}</label
      >`,
    )}
  </fieldset>`;
}

/** The value of a field without surrounding spaces; undefined if it is empty. */
export function readText(form: FormData, name: string): string | undefined {
  const value = form.get(name);
  const text = typeof value === 'string' ? value.trim() : '';
  return text === '' ? undefined : text;
}

/** The lines of a field that are not empty. */
export function readLines(form: FormData, name: string): readonly string[] {
  return (readText(form, name) ?? '')
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '');
}

/** The checked choices. */
export function readChecks(form: FormData, name: string): readonly string[] {
  return form.getAll(name).map(String);
}

/** The number in a field; undefined if it is empty. */
export function readNumber(form: FormData, name: string): number | undefined {
  const text = readText(form, name);
  return text === undefined ? undefined : Number(text);
}
