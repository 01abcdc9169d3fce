import { html, LitElement, nothing, type PropertyDeclarations, type TemplateResult } from 'lit';
import type { ApiCall } from '../api/admin-routes.ts';
import { renderApiCalls } from './api-calls.ts';
import type { ConsoleContext } from './context.ts';
import { renderFailure } from './failure.ts';
import { renderField } from './fields.ts';

/** A question before an action: what it will do, and the call that does it. */
export interface Question {
  readonly title: string;
  readonly text: string;
  readonly call: ApiCall;
  /** The text that the user must type first, for an action that cannot be undone. */
  readonly typed?: string;
  readonly isDanger?: boolean;
  readonly onDone: (answer: never) => void;
}

/** A dialog that asks before an action, and performs it. */
export class ConfirmationDialog extends LitElement {
  static override properties: PropertyDeclarations = {
    context: { attribute: false },
    question: { attribute: false },
    failure: { state: true },
    isBusy: { state: true },
    hasTyped: { state: true },
  };

  declare context: ConsoleContext;
  declare question: Question;
  declare private failure: unknown;
  declare private isBusy: boolean;
  declare private hasTyped: boolean;

  constructor() {
    super();
    this.isBusy = false;
    this.hasTyped = false;
  }

  protected override createRenderRoot(): HTMLElement {
    return this;
  }

  protected override firstUpdated(): void {
    this.querySelector('dialog')?.showModal();
  }

  protected override render(): TemplateResult {
    const { title, text, typed, isDanger, call } = this.question;
    const { translation } = this.context;
    const close = (): void => void this.dispatchEvent(new Event('closed'));
    return html`<dialog data-part="dialog" aria-labelledby="question" @close=${close}>
      <form data-part="form" @submit=${this.#confirm} @input=${this.#readTyped}>
        <h2 id="question">${title}</h2>
        <p>${text}</p>
        ${
          typed === undefined
            ? nothing
            : renderField({ name: 'typed', label: translation.text('confirm.type', { text: typed }) })
        }
        ${this.failure === undefined ? nothing : renderFailure(translation, this.failure)}
        ${renderApiCalls(this.context, [call])}
        <div data-part="actions">
          <button
            type="submit"
            data-part="button"
            data-name="confirm"
            data-look=${isDanger ? 'danger' : 'primary'}
            ?disabled=${this.isBusy || (typed !== undefined && !this.hasTyped)}
          >
            ${title}
          </button>
          <button type="button" data-part="button" data-name="cancel" @click=${this.#cancel}>
            ${translation.text('action.cancel')}
          </button>
        </div>
      </form>
    </dialog>`;
  }

  readonly #cancel = (): void => this.querySelector('dialog')?.close();

  readonly #readTyped = (): void => {
    this.hasTyped = this.querySelector<HTMLInputElement>('#field-typed')?.value.trim() === this.question.typed;
  };

  readonly #confirm = async (event: Event): Promise<void> => {
    event.preventDefault();
    this.isBusy = true;
    this.failure = undefined;
    try {
      const answer = await this.context.client.call(this.question.call);
      this.querySelector('dialog')?.close();
      this.question.onDone(answer as never);
    } catch (error) {
      this.failure = error;
    } finally {
      this.isBusy = false;
    }
  };
}
