/**
 * The custom elements around signing in: sign-in, sign-up, recovery, and the pages behind links in mails. `poolgate-element` is their base
 * class: translation, client, events and hydration.
 */
import type { Client } from '@poolgate/client';
import { createClient } from '@poolgate/client';
import { LitElement, noChange, type PropertyDeclarations, type PropertyValues, type RenderOptions } from 'lit';
import { type Appearance, applyAppearance, applyPartClasses } from '../look/appearance.ts';
import {
  createEnglishTranslation,
  languageFor,
  loadTranslation,
  type Translation,
} from '../translations/language-catalogue.ts';
import type { Messages } from '../translations/languages.ts';
import { FormController } from '../ui/form-controller.ts';
import type { RenderContext } from '../ui/render-context.ts';
import { yieldToBrowser } from '../ui/yield-to-browser.ts';
import type { ElementEvents, EventName } from './element-events.ts';
import { DEFAULT_LINKS, type Links } from './links.ts';

let sharedClient: Client | undefined;

/** The client of every element that is given none: one for the page, in its own way of keeping logins. */
export function defaultClient(): Client {
  sharedClient ??= createClient();
  return sharedClient;
}

/** Has every element without a client of its own use this one. */
export function useClient(client: Client): void {
  sharedClient = client;
}

/** Gives what a server has drawn into an element to the templates that draw it from then on. */
type HydrateMarkup = (drawn: unknown, root: HTMLElement, options: RenderOptions) => void;

let hydrateMarkup: HydrateMarkup | undefined;

/** Has elements that a server has drawn go on with the markup that stands in them. */
export function useHydration(way: HydrateMarkup): void {
  hydrateMarkup = way;
}

let count = 0;

/** Where the focus goes in what has just appeared: to a field, to a question that waits for an answer, else to the title. */
const FOCUS_SELECTORS = [
  'input:not([type=hidden], [hidden], [readonly])',
  '[data-part=question]',
  '[data-part=title], [data-part=section-title]',
] as const;

/**
 * What all elements have. They are drawn in the light DOM: password managers, labels and the application's own styles reach them there.
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

  /** The client of the element. Left out: one for the page, see {@link useClient}. */
  declare client: Client | undefined;
  /** Theme, custom properties, classes of parts, layout. */
  declare appearance: Appearance;
  /** Texts of the integrator, by the ids of messages. */
  declare texts: Partial<Messages>;
  /** Where the other pages are. */
  declare links: Links;
  /** BCP 47. Left out: the language of the page around it, else of the browser. */
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

  /** Asks the service for what is shown. Not at once: React sets properties right after it has put an element into the page. */
  protected connected(): void {}

  /** Whether an element that appears in another one is where that goes on: it takes the focus then. */
  protected get isNextStep(): boolean {
    return true;
  }

  /** An element inside another one is as that is. */
  private copySettings({ client, appearance, texts, links, language }: PoolgateElement): void {
    Object.assign(this, { client, appearance, texts, links, language });
  }

  /** Nothing is drawn in a language that is about to change. */
  protected override shouldUpdate(changed: PropertyValues): boolean {
    // Here, since what changes before the messages are there is not reported again.
    if (changed.has('appearance')) applyAppearance(this, this.appearance);
    this.reloadTexts();
    return this.translation !== undefined;
  }

  protected override willUpdate(): void {
    if (this.translation === undefined) return;
    this.lang = this.translation.language;
    this.dir = this.translation.direction;
  }

  /** What a server has drawn can be seen and typed into: to take it over is a task of its own. */
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
    // What was adopted a moment ago need not be drawn once more.
    this.render = () => noChange;
    super.update(changed);
    Reflect.deleteProperty(this, 'render');
  }

  /** What a server drew is the form that somebody may be typing into already. Where another form is due, what was typed goes on into that. */
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

  /** The client that the element works with. */
  protected get service(): Client {
    return this.client ?? defaultClient();
  }

  protected get layout(): NonNullable<Appearance['layout']> {
    return this.appearance.layout ?? {};
  }

  protected get context(): RenderContext {
    const { form, number, translation = createEnglishTranslation() } = this;
    return { form, translation, id: (name) => `poolgate-${number}-${name}` };
  }

  /** Moves the focus to what has just appeared, once it is drawn. */
  protected focusNext(): void {
    this.focusWanted = true;
    this.requestUpdate();
  }

  /** Tells the application; false where it takes what follows into its own hands. */
  protected emit<Name extends EventName>(name: Name, detail: ElementEvents[Name]): boolean {
    return this.dispatchEvent(new CustomEvent(name, { detail, bubbles: true, composed: true, cancelable: true }));
  }

  private focusFirst(): void {
    const first = FOCUS_SELECTORS.map((selector) => this.querySelector<HTMLElement>(selector)).find(
      (one) => one !== null,
    );
    first?.focus();
  }

  /** Loads the messages where others are wanted than before. */
  private reloadTexts(): void {
    const { language, texts, asked } = this;
    if (asked?.language === language && asked.texts === texts) return;
    this.asked = { language, texts };
    void this.loadTexts();
  }

  private async loadTexts(): Promise<void> {
    const around = this.parentElement?.closest<HTMLElement>('[lang]')?.lang;
    const wanted = [this.language, around, ...navigator.languages].filter((tag) => tag !== null && tag !== undefined);
    this.translation = await loadTranslation(languageFor(wanted), this.texts);
  }
}
