import { PoolgateSignIn } from './elements/sign-in.ts';

export { defaultClient, useClient } from './elements/element.ts';
export type { ElementEvents, EventName } from './elements/events.ts';
export type { Links, PageName } from './elements/links.ts';
export type { Appearance, Layout } from './look/appearance.ts';
export { addLanguage, allLanguages, languageFor } from './words/catalogue.ts';
export type { Language, MessageId, Words } from './words/languages.ts';
export type { Message, PluralMessage } from './words/message.ts';
export { PoolgateSignIn };

/** Elements by their names. */
const ELEMENTS: Readonly<Record<string, CustomElementConstructor>> = {
  'poolgate-sign-in': PoolgateSignIn,
};

for (const [name, element] of Object.entries(ELEMENTS)) {
  if (customElements.get(name) === undefined) customElements.define(name, element);
}
