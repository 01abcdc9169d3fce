export * from './account.ts';
export { defaultClient, useClient } from './elements/element.ts';
export type { ElementEvents, EventName } from './elements/events.ts';
export { DEFAULT_LINKS, type Links, type PageName } from './elements/links.ts';
export * from './forms.ts';
export type { Appearance, Layout } from './look/appearance.ts';
export { addLanguage, allLanguages, languageFor } from './words/catalogue.ts';
export type { Language, MessageId, Words } from './words/languages.ts';
export type { Message, PluralMessage } from './words/message.ts';
