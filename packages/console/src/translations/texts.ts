import type { Message } from '@poolgate/elements/messages';
import type { messages as english } from './en.ts';

/** The name of a text. */
export type TextId = keyof typeof english;

/** Every text of a language. */
export type Texts = { readonly [Id in TextId]: Message };
