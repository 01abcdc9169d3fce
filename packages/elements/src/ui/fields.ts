import { html, nothing, type TemplateResult } from 'lit';
import type { MessageId } from '../translations/languages.ts';
import type { LocalizedText } from './form-error.ts';
import { type IconName, renderIcon } from './icons.ts';
import { initialValue } from './initial-value.ts';
import type { RenderContext } from './render-context.ts';

/** A form field. */
export interface FieldOptions {
  readonly name: string;
  /** A message, or the name of something that only the operator has a word for. */
  readonly label: MessageId | { readonly literal: string };
  /** Its meaning for the browser and password managers. */
  readonly autocomplete: string;
  readonly type?: 'text' | 'email' | 'tel';
  /** Its appearance, and the normalization of its value. */
  readonly kind?: 'text' | 'username' | 'password' | 'code' | 'recovery';
  readonly value?: string;
  readonly hint?: TemplateResult | typeof nothing | undefined;
  readonly isOptional?: boolean;
  readonly isReadOnly?: boolean;
  /** Shown at the other end of the label's line. */
  readonly beside?: TemplateResult | typeof nothing;
  readonly onInput?: (value: string, input: HTMLInputElement) => void;
  /** The ids of additional descriptions. */
  readonly describedBy?: string;
  readonly maxLength?: number;
}

const CODE_LENGTH = 12;

/** A labeled field with its hint and its error. */
export function renderField(context: RenderContext, options: FieldOptions): TemplateResult {
  const { name, label, kind = 'text', hint, beside = nothing } = options;
  const { form, translation } = context;
  const error = form.errorFor(name);
  const id = context.id(name);
  const text = typeof label === 'string' ? translation.text(label) : label.literal;
  return html`<div data-part="field" data-name=${name}>
    <div data-part="label-row">
      <label data-part="label" for=${id}
        >${text}${
          options.isOptional
            ? html` <span data-part="optional">(${translation.text('common.optional')})</span>`
            : nothing
        }</label
      >${beside}
    </div>
    <div data-part="control">
      ${renderInput(context, options, id)}${kind === 'password' ? renderRevealButton(context, name, id) : nothing}
    </div>
    ${error === undefined ? nothing : html`<p data-part="error" id="${id}-error">${formatText(context, nameField(error, text))}</p>`}
    ${kind === 'password' && form.hasCapsLock ? html`<p data-part="hint" data-name="caps-lock" id="${id}-caps-lock" role="status">${translation.text('password.capsLock')}</p>` : nothing}
    ${hint === undefined || hint === nothing ? nothing : html`<div data-part="hint" id="${id}-hint">${hint}</div>`}
  </div>`;
}

function renderInput(context: RenderContext, options: FieldOptions, id: string): TemplateResult {
  const { name, autocomplete, kind = 'text', type = 'text', value = '', hint } = options;
  const error = context.form.errorFor(name);
  const isCode = kind === 'code';
  const describedBy = [
    error === undefined ? '' : `${id}-error`,
    hint === undefined || hint === nothing ? '' : `${id}-hint`,
    options.describedBy ?? '',
  ].filter((each) => each !== '');
  const isHidden = kind === 'password' && !context.form.isVisible(name);
  return html`<input
    data-part="input"
    data-kind=${kind}
    id=${id}
    name=${name}
    type=${isHidden ? 'password' : type}
    .value=${initialValue(value)}
    autocomplete=${autocomplete}
    autocapitalize=${kind === 'text' ? nothing : 'none'}
    autocorrect=${kind === 'text' ? nothing : 'off'}
    spellcheck=${kind === 'text' && type === 'text' ? nothing : 'false'}
    inputmode=${isCode ? 'numeric' : nothing}
    maxlength=${isCode ? CODE_LENGTH : (options.maxLength ?? nothing)}
    dir=${kind === 'text' && type === 'text' ? 'auto' : nothing}
    ?readonly=${options.isReadOnly ?? false}
    aria-required=${options.isOptional ? nothing : 'true'}
    aria-invalid=${error === undefined ? nothing : 'true'}
    aria-describedby=${describedBy.length === 0 ? nothing : describedBy.join(' ')}
    @keyup=${(event: KeyboardEvent) => {
      if (kind === 'password') context.form.setCapsLock(event.getModifierState?.('CapsLock') ?? false);
    }}
    @blur=${() => {
      if (kind === 'password') context.form.setCapsLock(false);
    }}
    @input=${(event: InputEvent) => {
      const input = event.target as HTMLInputElement;
      options.onInput?.(input.value, input);
    }}
  />`;
}

function renderRevealButton({ form, translation }: RenderContext, name: string, id: string): TemplateResult {
  const isVisible = form.isVisible(name);
  return html`<button
    type="button"
    data-part="reveal"
    aria-controls=${id}
    aria-pressed=${isVisible ? 'true' : 'false'}
    aria-label=${translation.text('common.showPassword')}
    title=${translation.text(isVisible ? 'common.hide' : 'common.show')}
    @click=${() => form.toggle(name)}
  >
    ${renderIcon(isVisible ? 'eyeOff' : 'eye')}
  </button>`;
}

/** Each message names its field. */
const nameField = (error: LocalizedText, field: string): LocalizedText => ({
  ...error,
  values: { field, ...error.values },
});

/** A text in the user's language. */
export const formatText = ({ translation }: RenderContext, { id, fallback = id, values }: LocalizedText): string =>
  translation.text(translation.has(id) ? id : fallback, values);

/** A button. */
export interface ButtonOptions {
  readonly label: MessageId;
  /** The values for the placeholders in the label. */
  readonly values?: Readonly<Record<string, string>>;
  /** Its name for {@link FormController.run}. */
  readonly name: string;
  readonly look?: 'primary' | 'plain' | 'danger';
  readonly size?: 'small';
  readonly icon?: IconName;
  readonly isWide?: boolean;
  /** Default: it submits its form. */
  readonly onClick?: () => void;
  /** Its subject, if several buttons have the same text. */
  readonly describedBy?: string;
}

/** A button that shows when it is busy. It is not disabled then, because it would lose the focus. */
export function renderButton({ form, translation }: RenderContext, options: ButtonOptions): TemplateResult {
  const { name, look = 'plain', onClick, isWide = true } = options;
  const isAtWork = form.isAtWork(name);
  return html`<button
    data-part="button"
    data-name=${name}
    data-look=${look}
    data-size=${options.size ?? nothing}
    ?data-wide=${isWide}
    type=${onClick === undefined ? 'submit' : 'button'}
    aria-disabled=${form.busy ? 'true' : nothing}
    aria-describedby=${options.describedBy ?? nothing}
    @click=${(event: Event) => {
      if (form.busy) event.preventDefault();
      else onClick?.();
    }}
  >
    ${isAtWork ? html`<span data-part="spinner" aria-hidden="true"></span>` : options.icon ? renderIcon(options.icon) : nothing}
    <span>${translation.text(options.label, options.values)}</span>
  </button>`;
}

/** A button that looks like a link. */
export const renderLinkButton = (
  { form, translation }: RenderContext,
  label: MessageId,
  name: string,
  onClick: () => void,
): TemplateResult =>
  html`<button type="button" data-part="link" data-name=${name} @click=${() => {
    if (!form.busy) onClick();
  }}>${translation.text(label)}</button>`;
