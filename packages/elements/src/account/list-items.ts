import { html, nothing, type TemplateResult } from 'lit';
import type { MessageId } from '../translations/languages.ts';
import { renderButton, renderField } from '../ui/fields.ts';
import type { FormController } from '../ui/form-controller.ts';
import type { RenderContext } from '../ui/render-context.ts';

/** A line of a list. */
export interface ListItem {
  readonly name: TemplateResult | string;
  readonly badges?: TemplateResult | typeof nothing;
  readonly detail?: string | undefined;
  readonly actions: TemplateResult | typeof nothing;
  /** A form below the line. */
  readonly form?: TemplateResult | typeof nothing;
  /** The id of its name, which labels its buttons. */
  readonly id?: string;
}

/** A line of a list. */
export const renderListItem = ({
  name,
  badges = nothing,
  detail,
  actions,
  form = nothing,
  id,
}: ListItem): TemplateResult =>
  html`<li data-part="item">
    <div data-part="item-text">
      <p data-part="item-name"><bdi id=${id ?? nothing}>${name}</bdi>${badges}</p>
      ${detail === undefined || detail === '' ? nothing : html`<p data-part="item-detail">${detail}</p>`}
    </div>
    ${actions === nothing ? nothing : html`<div data-part="actions">${actions}</div>`}${form}
  </li>`;

/** A badge on an item. */
export const renderBadge = (
  { translation }: RenderContext,
  id: MessageId,
  look?: 'success' | 'accent',
): TemplateResult => html`<span data-part="badge" data-look=${look ?? nothing}>${translation.text(id)}</span>`;

/** A small button of a line. */
export interface SmallButtonOptions {
  readonly label: MessageId;
  readonly values?: Readonly<Record<string, string>>;
  readonly name: string;
  readonly look?: 'danger' | 'primary';
  readonly onClick: () => void;
  readonly describedBy?: string;
}

export const renderSmallButton = (context: RenderContext, options: SmallButtonOptions): TemplateResult =>
  renderButton(context, { ...options, size: 'small', isWide: false });

/** The buttons of a line's form. */
export const renderFormButtons = (
  context: RenderContext,
  { submit = 'common.save', look = 'primary', cancel }: FormButtonsOptions,
): TemplateResult =>
  html`<div data-part="actions">
    ${renderButton(context, { label: submit, name: 'submit', look, isWide: false })}
    ${renderButton(context, { label: 'common.cancel', name: 'cancel', isWide: false, onClick: cancel })}
  </div>`;

interface FormButtonsOptions {
  readonly submit?: MessageId;
  readonly look?: 'primary' | 'danger';
  readonly cancel: () => void;
}

/** A form with one field for a name. */
export interface RenameFormOptions {
  readonly label: MessageId;
  readonly value: string;
  readonly submit: (event: Event) => void;
  readonly cancel: () => void;
}

const NAME_LENGTH = 128;

export const renderRenameForm = (
  context: RenderContext,
  { label, value, submit, cancel }: RenameFormOptions,
): TemplateResult =>
  html`<form data-part="form" novalidate @submit=${submit}>
    ${renderField(context, { name: 'name', label, autocomplete: 'off', value, maxLength: NAME_LENGTH })}
    ${renderFormButtons(context, { cancel })}
  </form>`;

/** A confirmation before an irreversible action. */
export const renderQuestion = (
  context: RenderContext & { readonly form: FormController },
  { text, submit, label, cancel }: QuestionOptions,
): TemplateResult =>
  html`<form data-part="form" novalidate @submit=${submit}>
    <p data-part="question" tabindex="-1">${text}</p>
    ${renderFormButtons(context, { submit: label, look: 'danger', cancel })}
  </form>`;

interface QuestionOptions {
  readonly text: string;
  readonly label: MessageId;
  readonly submit: (event: Event) => void;
  readonly cancel: () => void;
}
