/** The console: the sign-in, or the navigation with the screen of the current address. */
import { html, LitElement, nothing, type PropertyDeclarations, type TemplateResult } from 'lit';
import { keyed } from 'lit/directives/keyed.js';
import { ADMIN_ROUTES } from '../api/admin-routes.ts';
import type { ConsoleClient, Session } from '../api/console-client.ts';
import { findLanguage, LANGUAGES, loadTranslation, type Translation } from '../translations/catalogue.ts';
import { type ConsoleContext, formatWayBack, mayCall } from '../ui/context.ts';
import { renderFailure } from '../ui/failure.ts';
import type { ConsoleSettings } from '../ui/page-settings.ts';
import { type ConsoleRoute, formatRoute, parseRoute } from '../ui/route.ts';
import { defineScreens, SCREENS, type ScreenDefinition } from './screen-table.ts';
import { SignInCard } from './sign-in-card.ts';

/** The whole console. */
export class ConsoleApp extends LitElement {
  static override properties: PropertyDeclarations = {
    settings: { attribute: false },
    client: { attribute: false },
    translation: { attribute: false },
    session: { state: true },
    route: { state: true },
    failure: { state: true },
    reason: { state: true },
  };

  declare settings: ConsoleSettings;
  declare client: ConsoleClient;
  declare translation: Translation;
  /** Undefined until it is known. */
  declare private session: Session | null | undefined;
  declare private route: ConsoleRoute;
  declare private failure: unknown;
  declare private reason: SignInCard['reason'];
  readonly #positions = new Map<string, number>();
  readonly #places = new Map<string, string>();
  #context: ConsoleContext | undefined;
  #fragment = location.hash;

  constructor() {
    super();
    this.route = parseRoute(location.hash);
    this.#places.set(this.route.screen, location.hash);
  }

  protected override createRenderRoot(): HTMLElement {
    return this;
  }

  override connectedCallback(): void {
    super.connectedCallback();
    customElements.define('poolgate-console-sign-in', SignInCard);
    defineScreens();
    history.scrollRestoration = 'manual';
    addEventListener('hashchange', this.#follow);
    addEventListener('scroll', this.#keepPosition, { passive: true });
    this.client.onEnd = () => this.#end('signIn.ended');
    this.client.onStale = () => this.#end('signIn.recent');
    void this.#start();
  }

  readonly #start = async (): Promise<void> => {
    this.failure = undefined;
    try {
      this.session = await this.client.session();
    } catch (error) {
      this.failure = error;
    }
  };

  /** Of the address that is shown, until the next one is rendered. */
  readonly #keepPosition = (): void => {
    if (location.hash === this.#fragment) this.#positions.set(this.#fragment, scrollY);
  };

  readonly #follow = async (): Promise<void> => {
    this.#fragment = location.hash;
    this.route = parseRoute(location.hash);
    this.#places.set(this.route.screen, location.hash);
    await this.updateComplete;
    // On a phone, the navigation scrolls sideways.
    this.querySelector('nav [aria-current]')?.scrollIntoView({ block: 'nearest', inline: 'nearest' });
    scrollTo(0, 0);
    this.querySelector<HTMLElement>('h1')?.focus({ preventScroll: true });
  };

  #end(reason: SignInCard['reason']): void {
    this.session = null;
    this.reason = reason;
    this.#positions.clear();
    this.#places.clear();
    // The sign-in needs another CSRF token.
    void this.client.session().catch(() => undefined);
  }

  readonly #signOut = async (): Promise<void> => {
    await this.client.signOut().catch(() => undefined);
    this.#end(undefined);
    location.hash = formatRoute('');
  };

  readonly #chooseLanguage = async ({ currentTarget }: Event): Promise<void> => {
    const language = findLanguage((currentTarget as HTMLSelectElement).value);
    this.translation = await loadTranslation(language);
    document.documentElement.lang = language.tag;
    document.documentElement.dir = language.direction;
    document.title = `${this.translation.text('app.title')} · ${this.settings.appName}`;
  };

  protected override render(): TemplateResult {
    const { text } = this.translation;
    return html`<header data-part="bar">
        <a data-part="skip" href="#main" @click=${this.#skip}>${text('app.skip')}</a>
        <a data-part="brand" href=${formatRoute('')}><bdi>${this.settings.appName}</bdi> ${text('app.title')}</a>
        <div data-part="bar-end">${this.#renderLanguages()} ${this.session ? this.#renderSession(this.session) : nothing}</div>
      </header>
      ${this.#renderBody()}`;
  }

  /** A link would change the address, which names the screen. */
  readonly #skip = (event: Event): void => {
    event.preventDefault();
    this.querySelector<HTMLElement>('main')?.focus();
  };

  #renderLanguages(): TemplateResult {
    const { language, text } = this.translation;
    return html`<select data-part="input" data-size="small" aria-label=${text('app.language')} @change=${this.#chooseLanguage}>
      ${LANGUAGES.map(
        ({ tag, name }) => html`<option value=${tag} lang=${tag} ?selected=${tag === language.tag}>${name}</option>`,
      )}
    </select>`;
  }

  #renderSession({ label, admin_key_id }: Session): TemplateResult {
    const { text } = this.translation;
    return html`<span data-part="who"><bdi>${text('app.signedInAs', { key: label || admin_key_id })}</bdi></span>
      <button type="button" data-part="button" data-size="small" data-name="sign-out" @click=${this.#signOut}>
        ${text('app.signOut')}
      </button>`;
  }

  #renderBody(): TemplateResult {
    const { text } = this.translation;
    if (this.failure !== undefined)
      return html`<main id="main" tabindex="-1" data-part="screen">${renderFailure(this.translation, this.failure)}
        <button type="button" data-part="button" data-name="retry" @click=${this.#start}>${text('action.retry')}</button>
      </main>`;
    if (this.session === undefined)
      return html`<main id="main" tabindex="-1" data-part="screen"><p data-part="loading" role="status">${text('app.loading')}</p></main>`;
    if (this.session === null)
      return html`<main id="main" tabindex="-1" data-part="screen">
        <poolgate-console-sign-in
          .client=${this.client}
          .translation=${this.translation}
          .reason=${this.reason}
          @signed-in=${this.#open}
        ></poolgate-console-sign-in>
      </main>`;
    const context = this.#createContext(this.session);
    return html`<div data-part="columns">
      ${this.#renderNavigation(context)}
      <main id="main" tabindex="-1" data-part="screen">${this.#renderScreen(context)}</main>
    </div>`;
  }

  readonly #open = ({ detail }: CustomEvent<Session>): void => {
    this.reason = undefined;
    this.session = detail;
  };

  /** The same one while nothing in it changes, so that screens are not rendered in vain. */
  #createContext(session: Session): ConsoleContext {
    const { client, translation, settings } = this;
    const known = this.#context;
    if (known?.session === session && known.translation === translation) return known;
    const apiUrl = settings.apiUrl ?? location.origin;
    this.#context = { client, session, translation, apiUrl, positions: this.#positions, places: this.#places };
    return this.#context;
  }

  #renderNavigation(context: ConsoleContext): TemplateResult {
    const { text } = this.translation;
    const { within = this.route.screen } = this.#definition ?? {};
    const shown = Object.entries(SCREENS).flatMap(([name, { navigation, needs }]) =>
      navigation !== undefined && (needs === undefined || mayCall(context, needs)) ? [{ name, navigation }] : [],
    );
    return html`<nav data-part="navigation" aria-label=${text('app.navigation')}>
      <ul>
        ${shown.map(
          ({ name, navigation }) =>
            html`<li>
              <a href=${formatRoute(name)} aria-current=${name === within ? 'page' : nothing}>${text(navigation)}</a>
            </li>`,
        )}
      </ul>
    </nav>`;
  }

  get #definition(): ScreenDefinition | undefined {
    return Object.hasOwn(SCREENS, this.route.screen) ? SCREENS[this.route.screen] : undefined;
  }

  #renderScreen(context: ConsoleContext): TemplateResult {
    const { text } = this.translation;
    const definition = this.#definition;
    if (definition === undefined)
      return html`<h1 data-part="title" tabindex="-1">${text('app.title')}</h1>
        <p>${text('app.notFound')}</p>`;
    const { needs, render } = definition;
    if (needs !== undefined && !mayCall(context, needs))
      return html`<h1 data-part="title" tabindex="-1">${text('app.title')}</h1>
        <p>${text('app.noScope', { scope: ADMIN_ROUTES[needs].scope })}</p>`;
    return html`${this.#renderWayBack(context, definition)}
    ${keyed(`${location.hash} ${context.session.admin_key_id}`, render(context, this.route))}`;
  }

  #renderWayBack(context: ConsoleContext, { within = '' }: ScreenDefinition): TemplateResult | typeof nothing {
    const { navigation } = SCREENS[within] ?? {};
    if (within === '' || navigation === undefined) return nothing;
    return html`<a data-part="back" data-name="back" href=${formatWayBack(context, within)}
      ><span aria-hidden="true">‹</span> ${this.translation.text(navigation)}</a
    >`;
  }
}
