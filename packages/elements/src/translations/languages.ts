import type { ACCOUNT_EN } from './account-en.ts';
import type { EN } from './en.ts';
import type { FORMS_EN } from './forms-en.ts';
import type { Message } from './message.ts';

type MessagesLike<English> = { readonly [id in keyof English]: Message };

/** What a sign-in shows, and what every element shares. */
export type SignInMessages = MessagesLike<typeof EN>;

/** What only sign-up, recovery, and the pages of emailed links show. */
export type FormsMessages = MessagesLike<typeof FORMS_EN>;

/** What only the account shows. */
export type AccountMessages = MessagesLike<typeof ACCOUNT_EN>;

/** The name of a message. */
export type MessageId = keyof SignInMessages | keyof FormsMessages | keyof AccountMessages;

/** Every message of a language. */
export type Messages = { readonly [id in MessageId]: Message };

/** Texts in a separate file, which only some elements load. */
export type TextPart = 'forms' | 'account';

type LoadMessages = () => Promise<{ readonly messages: Partial<Messages> }>;

/** A language. Messages that an integrator omits are shown in English. */
export interface Language {
  /** BCP 47, such as `pt-BR`. */
  readonly tag: string;
  /** Its name in the language itself. */
  readonly name: string;
  readonly direction: 'ltr' | 'rtl';
  /** Loads every message, or those that are not in `parts`. */
  readonly load: LoadMessages;
  /** The texts that only some elements need. Default: `load` has all. */
  readonly parts?: Readonly<Record<TextPart, LoadMessages>>;
}
