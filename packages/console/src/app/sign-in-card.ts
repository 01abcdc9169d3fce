import { html, LitElement, nothing, type PropertyDeclarations, type TemplateResult } from 'lit';
import { ApiError, type ConsoleClient, type Session } from '../api/console-client.ts';
import type { Translation } from '../translations/catalogue.ts';
import { renderFailure } from '../ui/failure.ts';
import { readText, renderField } from '../ui/fields.ts';

/** The sign-in with an admin key. The field is emptied in any case, so that no key stays in the page. */
export class SignInCard extends LitElement {
  static override properties: PropertyDeclarations = {
    client: { attribute: false },
    translation: { attribute: false },
    reason: { attribute: false },
    failure: { state: true },
    isBusy: { state: true },
  };

  declare client: ConsoleClient;
  declare translation: Translation;
  /** Why the key is needed again. */
  declare reason: 'signIn.ended' | 'signIn.recent' | undefined;
  declare private failure: unknown;
  declare private isBusy: boolean;

  constructor() {
    super();
    this.isBusy = false;
  }

  protected override createRenderRoot(): HTMLElement {
    return this;
  }

  protected override firstUpdated(): void {
    this.querySelector('input')?.focus();
  }

  protected override render(): TemplateResult {
    const { text } = this.translation;
    return html`<div data-part="card">
      <h1 data-part="title">${text('signIn.title')}</h1>
      <p data-part="subtitle">${text('signIn.subtitle')}</p>
      <form data-part="form" @submit=${this.#signIn}>
        ${this.#renderProblem()}
        ${renderField({ name: 'admin-key', label: text('signIn.key'), type: 'password', isRequired: true, maxLength: 512 })}
        <button data-part="button" data-look="primary" data-wide data-name="submit" ?disabled=${this.isBusy}>
          ${text('signIn.submit')}
        </button>
        <p data-part="hint">${this.#renderHint()}</p>
      </form>
    </div>`;
  }

  #renderHint(): TemplateResult {
    const [before = '', after = ''] = this.translation.text('signIn.hint', { command: '\n' }).split('\n');
    return html`${before}<code dir="ltr">poolgate admin-key create</code>${after}`;
  }

  #renderProblem(): TemplateResult | typeof nothing {
    const { text } = this.translation;
    if (this.failure instanceof ApiError && this.failure.code === 'unauthenticated')
      return html`<div data-part="alert" role="alert" tabindex="-1">${text('signIn.wrong')}</div>`;
    if (this.failure !== undefined) return renderFailure(this.translation, this.failure);
    if (this.reason === undefined) return nothing;
    return html`<div data-part="alert" role="alert" tabindex="-1">${text(this.reason)}</div>`;
  }

  readonly #signIn = async (event: SubmitEvent): Promise<void> => {
    event.preventDefault();
    const form = event.currentTarget as HTMLFormElement;
    const key = readText(new FormData(form), 'admin-key') ?? '';
    form.reset();
    this.isBusy = true;
    this.failure = undefined;
    try {
      const session = await this.#open(key);
      if (session !== null) this.dispatchEvent(new CustomEvent('signed-in', { detail: session }));
    } catch (error) {
      this.failure = error;
      await this.updateComplete;
      this.querySelector('input')?.focus();
    } finally {
      this.isBusy = false;
    }
  };

  /** A page that was open for a day needs another CSRF token. */
  async #open(key: string): Promise<Session | null> {
    try {
      return await this.client.signIn(key);
    } catch (error) {
      if (!(error instanceof ApiError) || error.code !== 'csrf_failed') throw error;
      await this.client.session();
      return this.client.signIn(key);
    }
  }
}
