import type { EN } from './en.ts';
import type { Message } from './message.ts';

/** The name of a message. */
export type MessageId = keyof typeof EN;

/** Every message of a language. */
export type Messages = { readonly [id in MessageId]: Message };

/** A language: one file. Messages that an integrator omits are shown in English. */
export interface Language {
  /** BCP 47, such as `pt-BR`. */
  readonly tag: string;
  /** Its name in the language itself. */
  readonly name: string;
  readonly direction: 'ltr' | 'rtl';
  readonly load: () => Promise<{ readonly messages: Partial<Messages> }>;
}
