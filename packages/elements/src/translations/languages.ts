import type { EN } from './en.ts';
import type { Message } from './message.ts';

/** The name of a message. */
export type MessageId = keyof typeof EN;

/** Every message of a language. */
export type Messages = { readonly [id in MessageId]: Message };

/** A language: one file. Messages that an integrator leaves out are shown in English. */
export interface Language {
  /** BCP 47, e.g. `pt-BR`. */
  readonly tag: string;
  /** What its speakers call it. */
  readonly name: string;
  readonly direction: 'ltr' | 'rtl';
  readonly load: () => Promise<{ readonly messages: Partial<Messages> }>;
}
