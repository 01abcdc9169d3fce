import assert from 'node:assert/strict';
import type { TestContext } from 'node:test';
import { type Client, PoolgateError, type PoolgateErrorFacts, type SignedInUser } from '@poolgate/client';
import type { MessageId } from '../translations/languages.ts';
import { ENGLISH_TEXTS } from './english.ts';

/** The user of a completed login. */
export const SIGNED_IN_USER: SignedInUser = {
  sub: 's',
  username: 'ada',
  email: null,
  email_verified: false,
  groups: [],
  attributes: {},
};

/** The part of a client that a test needs. Anything else fails when it is called. */
export type PartialClient = {
  readonly [Part in keyof Client]?: Client[Part] extends (...given: never[]) => unknown
    ? (...given: never[]) => unknown
    : Partial<Client[Part]>;
};

const quiet = { prepare: async () => {}, autofill: async () => null };

/** A client of a service without parameters, extended by the members that a test provides. */
function fakeClient({ login, ...given }: PartialClient): Client {
  const parameters = () => Promise.reject(createRefusal({ code: 'network_error' }));
  const client = { parameters, onChange: () => () => {}, ...given };
  return { ...client, login: { ...quiet, ...login } } as unknown as Client;
}

/** An error of the service, as the client reports it. */
export const createRefusal = (facts: PoolgateErrorFacts): PoolgateError => new PoolgateError(facts);

/** Enough turns of the event loop for every promise that waits for no timer, and for the rendering after it. */
export async function waitUntilSettled(): Promise<void> {
  for (let turn = 0; turn < 12; turn++) await new Promise<void>((resolve) => setImmediate(resolve));
}

/** An element in the page, as a person uses it. */
export class MountedElement<Element extends HTMLElement = HTMLElement> {
  readonly element: Element;
  /** Its events, by their names without the prefix. */
  readonly events: (readonly [name: string, detail: unknown])[] = [];

  constructor(element: Element) {
    this.element = element;
  }

  /** The text of a part of the element. Undefined if there is no such part. */
  text(selector: string): string | undefined {
    return this.element.querySelector(selector)?.textContent?.replaceAll(/\s+/g, ' ').trim();
  }

  get title(): string | undefined {
    return this.text('[data-part=title], [data-part=section-title]');
  }

  get alert(): string | undefined {
    return this.text('[role=alert]');
  }

  get notice(): string | undefined {
    return this.text('[data-part=notice]');
  }

  /** The errors at fields, by the names of the fields. Where a message names its field, the placeholder stands for the label. */
  get errors(): Readonly<Record<string, string>> {
    const fields = [...this.element.querySelectorAll<HTMLElement>('[data-part=field]')];
    return Object.fromEntries(
      fields.flatMap((field) => {
        const error = field.querySelector('[data-part=error]')?.textContent;
        const label =
          field
            .querySelector('[data-part=label]')
            ?.textContent?.replace(/ \(.*\)$/, '')
            .trim() || '\0';
        return typeof error === 'string' ? [[field.dataset.name ?? '', error.replace(label, '{field}')] as const] : [];
      }),
    );
  }

  /** The name of the field, the button or the part with the focus. Undefined if it is not in the element. */
  get focused(): string | undefined {
    const { activeElement } = document;
    if (!(activeElement instanceof HTMLElement) || !this.element.contains(activeElement)) return undefined;
    return activeElement.getAttribute('name') ?? activeElement.dataset.name ?? activeElement.dataset.part;
  }

  /** The names of the enabled buttons and links. */
  get actions(): readonly string[] {
    return [...this.element.querySelectorAll<HTMLElement>('[data-name]:is(button, a)')].map(
      ({ dataset }) => dataset.name ?? '',
    );
  }

  field(name: string): HTMLInputElement {
    const found = this.element.querySelector<HTMLInputElement>(`input[name="${name}"]:not([hidden])`);
    return found ?? assert.fail(`there is no field ${name}`);
  }

  /** Types into fields by name, and waits until the element has updated. */
  async type(values: Readonly<Record<string, string>>): Promise<void> {
    for (const [name, value] of Object.entries(values)) {
      const field = this.field(name);
      field.value = value;
      field.dispatchEvent(new Event('input', { bubbles: true }));
    }
    await waitUntilSettled();
  }

  /** Clicks a button or a link by its name, and waits until the element has updated. */
  async press(name: string): Promise<void> {
    const found = this.element.querySelector<HTMLElement>(`[data-name="${name}"]:is(button, a)`);
    (found ?? assert.fail(`there is no button ${name}, only ${this.actions.join(', ')}`)).click();
    await waitUntilSettled();
  }

  /** Fills in a form and sends it. */
  async submit(values: Readonly<Record<string, string>> = {}): Promise<void> {
    let isSubmitted = false;
    const note = (): void => {
      isSubmitted = true;
    };
    this.element.addEventListener('submit', note, { capture: true });
    await this.type(values);
    this.element.removeEventListener('submit', note, { capture: true });
    // The first complete code submits its form.
    if (!isSubmitted) await this.press('submit');
  }
}

const EVENTS = [
  'navigate',
  'step',
  'signed-in',
  'signed-up',
  'verified',
  'signed-out',
  'step-up',
  'account-changed',
  'deleted',
  'password-reset',
  'reported',
] as const;

/** The name of an event, without the prefix that all have. */
export type ElementEventName = (typeof EVENTS)[number];

/** The settings of a test in addition to the element's properties. */
export interface MountOptions {
  readonly client?: PartialClient;
  /** Events whose default the application prevents. */
  readonly prevents?: readonly ElementEventName[];
  /** Its parent. Default: the body of the page. */
  readonly into?: Element;
}

/** Puts an element into the page until the test ends. */
export async function mountElement<Name extends keyof HTMLElementTagNameMap>(
  context: TestContext,
  name: Name,
  properties: object = {},
  { client = {}, prevents = [], into = document.body }: MountOptions = {},
): Promise<MountedElement<HTMLElementTagNameMap[Name]>> {
  const element = document.createElement(name);
  const mounted = new MountedElement(element);
  for (const event of EVENTS) {
    element.addEventListener(`poolgate-${event}`, (told) => {
      if (prevents.includes(event)) told.preventDefault();
      mounted.events.push([event, (told as CustomEvent).detail]);
    });
  }
  Object.assign(element, { client: fakeClient(client), ...properties });
  into.append(element);
  context.after(() => element.remove());
  await waitUntilSettled();
  return mounted;
}

/** The English text of a message without values. */
export function getEnglishText(id: MessageId): string {
  const message = ENGLISH_TEXTS[id];
  return typeof message === 'string' ? message : assert.fail(`${id} has several forms`);
}
