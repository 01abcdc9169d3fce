import { html, nothing, type TemplateResult } from 'lit';
import type { MessageId } from '../translations/languages.ts';
import { button, field } from '../ui/fields.ts';
import type { FormController } from '../ui/form.ts';
import type { RenderContext } from '../ui/render-context.ts';

/** One line of a list. */
export interface Item {
  readonly name: TemplateResult | string;
  readonly badges?: TemplateResult | typeof nothing;
  readonly detail?: string | undefined;
  readonly actions: TemplateResult | typeof nothing;
  /** A form below the line. */
  readonly form?: TemplateResult | typeof nothing;
  /** The id of its name, by which its buttons are told from those of the others. */
  readonly id?: string;
}

/** A line of a list. */
export const item = ({ name, badges = nothing, detail, actions, form = nothing, id }: Item): TemplateResult =>
  html`<li data-part="item">
    <div data-part="item-text">
      <p data-part="item-name"><bdi id=${id ?? nothing}>${name}</bdi>${badges}</p>
      ${detail === undefined || detail === '' ? nothing : html`<p data-part="item-detail">${detail}</p>`}
    </div>
    ${actions === nothing ? nothing : html`<div data-part="actions">${actions}</div>`}${form}
  </li>`;

/** A word about a thing. */
export const badge = ({ translation }: RenderContext, id: MessageId, look?: 'success' | 'accent'): TemplateResult =>
  html`<span data-part="badge" data-look=${look ?? nothing}>${translation.text(id)}</span>`;

/** A small button of a line. */
export interface SmallButton {
  readonly label: MessageId;
  readonly name: string;
  readonly look?: 'danger' | 'primary';
  readonly onClick: () => void;
  readonly describedBy?: string;
}

export const smallButton = (context: RenderContext, options: SmallButton): TemplateResult =>
  button(context, { ...options, size: 'small', isWide: false });

/** The buttons below a form of a line. */
export const formButtons = (
  context: RenderContext,
  { submit = 'common.save', look = 'primary', cancel }: FormButtons,
): TemplateResult =>
  html`<div data-part="actions">
    ${button(context, { label: submit, name: 'submit', look, isWide: false })}
    ${button(context, { label: 'common.cancel', name: 'cancel', isWide: false, onClick: cancel })}
  </div>`;

interface FormButtons {
  readonly submit?: MessageId;
  readonly look?: 'primary' | 'danger';
  readonly cancel: () => void;
}

/** A form with one field for a name. */
export interface RenameForm {
  readonly label: MessageId;
  readonly value: string;
  readonly submit: (event: Event) => void;
  readonly cancel: () => void;
}

const NAME_LENGTH = 128;

export const renameForm = (context: RenderContext, { label, value, submit, cancel }: RenameForm): TemplateResult =>
  html`<form data-part="form" novalidate @submit=${submit}>
    ${field(context, { name: 'name', label, autocomplete: 'off', value, maxLength: NAME_LENGTH })}
    ${formButtons(context, { cancel })}
  </form>`;

/** A question before something that cannot be taken back. */
export const question = (
  context: RenderContext & { readonly form: FormController },
  { text, submit, label, cancel }: Question,
): TemplateResult =>
  html`<form data-part="form" novalidate @submit=${submit}>
    <p data-part="question" tabindex="-1">${text}</p>
    ${formButtons(context, { submit: label, look: 'danger', cancel })}
  </form>`;

interface Question {
  readonly text: string;
  readonly label: MessageId;
  readonly submit: (event: Event) => void;
  readonly cancel: () => void;
}
