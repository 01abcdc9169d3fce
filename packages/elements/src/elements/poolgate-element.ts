/**
 * The custom elements for signing in: sign-in, sign-up, recovery, and the pages of emailed links. `poolgate-element` is their base class:
 * translation, client, events and hydration.
 */
import type { Client } from '@poolgate/client';
import { createClient } from '@poolgate/client';
import { LitElement, noChange, type PropertyDeclarations, type PropertyValues, type RenderOptions } from 'lit';
import { type Appearance, applyAppearance, applyPartClasses } from '../look/appearance.ts';
import { languageFor, loadTranslation, NO_TRANSLATION, type Translation } from '../translations/language-catalogue.ts';
import type { Messages, TextPart } from '../translations/languages.ts';
import { FormController } from '../ui/form-controller.ts';
import type { RenderContext } from '../ui/render-context.ts';
import { yieldToBrowser } from '../ui/yield-to-browser.ts';
import type { ElementEvents, EventName } from './element-events.ts';
import { DEFAULT_LINKS, type Links } from './links.ts';

let sharedClient: Client | undefined;

/** The default client of all elements: one for the page. */
export function defaultClient(): Client {
  sharedClient ??= createClient();
  return sharedClient;
}

/** Sets the client of all elements without their own. */
export function useClient(client: Client): void {
  sharedClient = client;
}

/** Connects server-rendered markup with its templates. */
type HydrateMarkup = (drawn: unknown, root: HTMLElement, options: RenderOptions) => void;

let hydrateMarkup: HydrateMarkup | undefined;

/** Lets elements take over the markup that a server has rendered into them. */
export function useHydration(way: HydrateMarkup): void {
  hydrateMarkup = way;
}

let count = 0;

/** Where the focus goes in new content: to a field, to a question that waits for an answer, else to the title. */
const FOCUS_SELECTORS = [
  'input:not([type=hidden], [hidden], [readonly])',
  '[data-part=question]',
  '[data-part=title], [data-part=section-title]',
] as const;

/**
 * The base class of all elements. They render in the light DOM, where password managers, labels and the application's styles can reach
 * them.
 */
export abstract class PoolgateElement extends LitElement {
  static override properties: PropertyDeclarations = {
    client: { attribute: false },
    appearance: { attribute: false },
    texts: { attribute: false },
    links: { attribute: false },
    language: {},
    translation: { state: true },
  };

  /** The client of the element. Default: one for the page, see {@link useClient}. */
  declare client: Client | undefined;
  /** Theme, custom properties, CSS classes of parts, layout. */
  declare appearance: Appearance;
  /** The integrator's texts by message id. */
  declare texts: Partial<Messages>;
  /** The addresses of the other pages. */
  declare links: Links;
  /** BCP 47. Default: the language of the surrounding page, else of the browser. */
  declare language: string | null;
  declare private translation: Translation | undefined;

  protected readonly form = new FormController(this);
  private readonly number = ++count;
  private focusWanted = false;
  private asked: Pick<PoolgateElement, 'language' | 'texts'> | undefined;

  constructor() {
    super();
    this.appearance = {};
    this.texts = {};
    this.links = DEFAULT_LINKS;
    this.language = null;
  }

  protected override createRenderRoot(): HTMLElement {
    return this;
  }

  override connectedCallback(): void {
    super.connectedCallback();
    const around = this.parentElement?.closest('[data-poolgate]');
    if (around instanceof PoolgateElement) {
      this.copySettings(around);
      this.focusWanted = this.isNextStep;
    }
    this.reloadTexts();
    queueMicrotask(() => {
      if (this.isConnected) this.connected();
    });
  }

  /** Loads the content from the service. Called with a delay, because React sets properties just after adding an element to the page. */
  protected connected(): void {}

  /** Whether an element within another one is its next step, which takes the focus. */
  protected get isNextStep(): boolean {
    return true;
  }

  /** The texts that it needs in addition to those of a sign-in. */
  protected get textParts(): readonly TextPart[] {
    return [];
  }

  /** An element within another one inherits its settings. */
  private copySettings({ client, appearance, texts, links, language }: PoolgateElement): void {
    Object.assign(this, { client, appearance, texts, links, language });
  }

  /** Does not render in a language that is about to change. */
  protected override shouldUpdate(changed: PropertyValues): boolean {
    // Done here, because changes before the messages are loaded are not reported again.
    if (changed.has('appearance')) applyAppearance(this, this.appearance);
    this.reloadTexts();
    return this.translation !== undefined;
  }

  protected override willUpdate(): void {
    if (this.translation === undefined) return;
    this.lang = this.translation.language;
    this.dir = this.translation.direction;
  }

  /** Server-rendered content is already usable, so taking it over is a separate task. */
  protected override scheduleUpdate(): Promise<void> | undefined {
    const isNext = this.dataset.drawn !== undefined && this.translation !== undefined;
    if (isNext) return yieldToBrowser().then(() => void super.scheduleUpdate());
    void super.scheduleUpdate();
    return undefined;
  }

  protected override update(changed: PropertyValues): void {
    if (this.dataset.drawn === undefined || !this.adoptMarkup()) {
      super.update(changed);
      return;
    }
    // Content that was just hydrated need not be rendered again.
    this.render = () => noChange;
    super.update(changed);
    Reflect.deleteProperty(this, 'render');
  }

  /** The user may already be typing into a server-rendered form. If another form is due, the typed values move into it. */
  private adoptMarkup(): boolean {
    delete this.dataset.drawn;
    try {
      if (hydrateMarkup === undefined) throw new TypeError('nothing on this page adopts what is drawn');
      hydrateMarkup(this.render(), this, this.renderOptions);
      return true;
    } catch {
      this.replaceDrawnForm();
      return false;
    }
  }

  private replaceDrawnForm(): void {
    const inputs = [...this.querySelectorAll('input')].map((input) => ({
      name: input.name,
      value: input.value,
      hasFocus: input === document.activeElement,
    }));
    this.replaceChildren();
    void this.updateComplete.then(() => {
      for (const { name, value, hasFocus } of inputs) {
        const input = this.querySelector<HTMLInputElement>(`input[name="${CSS.escape(name)}"]:not([type=checkbox])`);
        if (input !== null && input.value === '') input.value = value;
        if (hasFocus) input?.focus();
      }
    });
  }

  protected override updated(_changed: PropertyValues): void {
    applyPartClasses(this, this.appearance.elements ?? {});
    if (this.focusWanted) this.focusFirst();
    this.focusWanted = false;
  }

  /** The client of the element. */
  protected get service(): Client {
    return this.client ?? defaultClient();
  }

  protected get layout(): NonNullable<Appearance['layout']> {
    return this.appearance.layout ?? {};
  }

  protected get context(): RenderContext {
    const { form, number, translation = NO_TRANSLATION } = this;
    return { form, translation, id: (name) => `poolgate-${number}-${name}` };
  }

  /** Moves the focus to new content once it is rendered. */
  protected focusNext(): void {
    this.focusWanted = true;
    this.requestUpdate();
  }

  /** Notifies the application. Returns false if the application handles the next step itself. */
  protected emit<Name extends EventName>(name: Name, detail: ElementEvents[Name]): boolean {
    return this.dispatchEvent(new CustomEvent(name, { detail, bubbles: true, composed: true, cancelable: true }));
  }

  private focusFirst(): void {
    const first = FOCUS_SELECTORS.map((selector) => this.querySelector<HTMLElement>(selector)).find(
      (one) => one !== null,
    );
    first?.focus();
  }

  /** Loads the messages if the language or texts changed. */
  private reloadTexts(): void {
    const { language, texts, asked } = this;
    if (asked?.language === language && asked.texts === texts) return;
    this.asked = { language, texts };
    void this.loadTexts();
  }

  private async loadTexts(): Promise<void> {
    const around = this.parentElement?.closest<HTMLElement>('[lang]')?.lang;
    const wanted = [this.language, around, ...navigator.languages].filter((tag) => tag !== null && tag !== undefined);
    this.translation = await loadTranslation(languageFor(wanted), this.texts, this.textParts);
  }
}
