/** What the screens share: their base class, fields, tables, confirmations, and the failures and API calls that they show. */
import { html, LitElement, nothing, type PropertyDeclarations, type TemplateResult } from 'lit';
import type { AdminRouteName, Answer, ApiCall } from '../api/admin-routes.ts';
import type { TextId } from '../translations/texts.ts';
import { renderApiCalls } from './api-calls.ts';
import type { Question } from './confirmation.ts';
import { type ConsoleContext, formatWayBack, mayCall } from './context.ts';
import { renderFailure } from './failure.ts';
import type { ConsoleRoute } from './route.ts';

/** The base class of the screens: it loads, shows failures and results, and asks before actions. */
export abstract class ConsoleScreen extends LitElement {
  static override properties: PropertyDeclarations = {
    context: { attribute: false },
    route: { attribute: false },
    notice: { state: true },
    failure: { state: true },
    question: { state: true },
    isLoaded: { state: true },
    isBusy: { state: true },
  };

  declare context: ConsoleContext;
  declare route: ConsoleRoute;
  /** The result of the last action. */
  declare protected notice: unknown;
  declare protected question: Question | undefined;
  declare private failure: unknown;
  declare private isLoaded: boolean;
  declare protected isBusy: boolean;

  constructor() {
    super();
    this.isLoaded = false;
    this.isBusy = false;
  }

  /** The title of the screen. */
  protected abstract get heading(): string;
  /** The calls that load the screen. */
  protected abstract get calls(): readonly ApiCall[];
  /** Loads what the screen shows. */
  protected abstract load(): Promise<void>;
  /** Renders what was loaded. */
  protected abstract renderContent(): TemplateResult;
  /** Renders buttons and links next to the title. */
  protected renderActions(): TemplateResult | typeof nothing {
    return nothing;
  }

  protected override createRenderRoot(): HTMLElement {
    return this;
  }

  protected override firstUpdated(): void {
    void this.reload();
  }

  protected readonly t = (id: TextId, values?: Parameters<ConsoleContext['translation']['text']>[1]): string =>
    this.context.translation.text(id, values);

  protected may(name: AdminRouteName): boolean {
    return mayCall(this.context, name);
  }

  protected call<Name extends AdminRouteName>(call: ApiCall<Name>): Promise<Answer<Name>> {
    return this.context.client.call(call);
  }

  /** Loads the screen again. Afterwards a list is where it was left. */
  protected readonly reload = async (): Promise<void> => {
    this.failure = undefined;
    const isFirst = !this.isLoaded;
    try {
      await this.load();
      this.isLoaded = true;
    } catch (error) {
      this.failure = error;
    }
    await this.updateComplete;
    this.requestUpdate();
    await this.updateComplete;
    const position = this.context.positions.get(location.hash);
    if (isFirst && position !== undefined) scrollTo(0, position);
  };

  /** Performs the work of a form, and shows its failure. */
  protected readonly submit =
    (work: (form: FormData) => Promise<void>) =>
    async (event: SubmitEvent): Promise<void> => {
      event.preventDefault();
      const form = new FormData(event.currentTarget as HTMLFormElement);
      this.isBusy = true;
      this.failure = undefined;
      this.notice = undefined;
      try {
        await work(form);
      } catch (error) {
        this.failure = error;
      } finally {
        this.isBusy = false;
      }
      await this.updateComplete;
      this.querySelector<HTMLElement>('[data-part=alert], [data-part=notice]')?.focus();
    };

  /** Asks before an action. Afterwards the screen is loaded again and shows the result, or the screen `leaveTo` opens. */
  protected ask(question: Omit<Question, 'onDone'> & { readonly done: unknown; readonly leaveTo?: string }): void {
    const { done, leaveTo, ...asked } = question;
    this.question = {
      ...asked,
      onDone: () => {
        if (leaveTo === undefined) void this.reload().then(() => this.announce(done));
        else location.hash = formatWayBack(this.context, leaveTo);
      },
    };
  }

  /** Shows a result, and moves the focus there. */
  protected readonly announce = async (notice: unknown): Promise<void> => {
    this.notice = notice;
    await this.updateComplete;
    this.querySelector<HTMLElement>('[data-part=notice]')?.focus();
  };

  protected override render(): TemplateResult {
    return html`<header data-part="screen-header">
        <h1 data-part="title" tabindex="-1"><bdi>${this.heading}</bdi></h1>
        <div data-part="actions">${this.renderActions()}</div>
      </header>
      ${this.notice === undefined ? nothing : html`<div data-part="notice" role="status" tabindex="-1">${this.notice}</div>`}
      ${this.failure === undefined ? nothing : this.#renderFailure()}
      ${this.isLoaded ? this.renderContent() : this.failure === undefined ? html`<p data-part="loading" role="status">${this.t('app.loading')}</p>` : nothing}
      ${this.calls.length === 0 ? nothing : renderApiCalls(this.context, this.calls)}
      ${this.question === undefined ? nothing : this.#renderQuestion(this.question)}`;
  }

  #renderFailure(): TemplateResult {
    return html`${renderFailure(this.context.translation, this.failure)}
    ${
      this.isLoaded
        ? nothing
        : html`<button type="button" data-part="button" data-name="retry" @click=${this.reload}>${this.t('action.retry')}</button>`
    }`;
  }

  #renderQuestion(question: Question): TemplateResult {
    const close = (): void => {
      this.question = undefined;
    };
    return html`<poolgate-console-confirmation .context=${this.context} .question=${question} @closed=${close}></poolgate-console-confirmation>`;
  }
}
