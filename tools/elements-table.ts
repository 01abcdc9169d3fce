/** What is told about the elements to editors and documentation tools: tools/elements.ts writes it down. */
import type * as classes from '../packages/elements/src/index.ts';

type ClassName = Extract<keyof typeof classes, `Poolgate${string}`>;

/** A property that an application may set. */
export interface PropertyRow {
  /** In TypeScript. */
  readonly type: string;
  readonly description: string;
  /** The name of its attribute, where it has one. */
  readonly attribute?: string;
  /** In TypeScript; left out: `undefined`. */
  readonly initial?: string;
}

/** An element. */
export interface ElementRow {
  readonly className: ClassName;
  /** The file of the package that defines it. */
  readonly module: 'dist/forms.js' | 'dist/mail-links.js' | 'dist/account.js';
  readonly description: string;
  /** Beside those that all have. */
  readonly properties: Readonly<Record<string, PropertyRow>>;
}

interface EventRow {
  readonly detail: string;
  readonly description: string;
  /** The elements that tell it, or have one inside that does; events bubble. */
  readonly tags: readonly string[];
}

/** The properties of every element. */
export const SHARED_PROPERTIES: Readonly<Record<string, PropertyRow>> = {
  client: { type: 'Client | undefined', description: 'The client of the element. Left out: one for the page.' },
  appearance: { type: 'Appearance', description: 'Theme, custom properties, classes of parts, layout.', initial: '{}' },
  texts: { type: 'Partial<Words>', description: 'Texts of the integrator, by the ids of messages.', initial: '{}' },
  links: { type: 'Links', description: 'Where the other pages are.', initial: 'DEFAULT_LINKS' },
  language: {
    type: 'string | null',
    description: 'BCP 47. Left out: the language of the page around it, else of the browser.',
    attribute: 'language',
    initial: 'null',
  },
};

const username = (description: string): PropertyRow => ({
  type: 'string',
  description,
  attribute: 'username',
  initial: "''",
});

const form = (
  className: ClassName,
  description: string,
  properties: Readonly<Record<string, PropertyRow>> = {},
): ElementRow => ({ className, module: 'dist/forms.js', description, properties });

const account = (className: ClassName, description: string): ElementRow => ({
  className,
  module: 'dist/account.js',
  description,
  properties: {},
});

const flow: PropertyRow = {
  type: "'password' | 'choice' | 'custom' | 'custom-password'",
  description:
    'How a sign-in begins: with name and password, with the name and a choice, or with either and then what the triggers of the pool ask.',
  attribute: 'flow',
  initial: "'password'",
};

/** The elements, by their tags. */
export const ELEMENTS: { readonly [Tag in Extract<keyof HTMLElementTagNameMap, `poolgate-${string}`>]: ElementRow } = {
  'poolgate-sign-in': form('PoolgateSignIn', 'Signs a user in: every step of the login, whatever the pool asks for.', {
    username: username('What the first form begins with.'),
    purpose: {
      type: "'sign-in' | 'step-up'",
      description: '`step-up`: whoever is signed in proves it again; nobody else can sign in here.',
      attribute: 'purpose',
      initial: "'sign-in'",
    },
    flow,
    notice: { type: 'MessageId | undefined', description: 'What is said first.' },
  }),
  'poolgate-sign-up': form('PoolgateSignUp', 'Makes an account, and confirms it.'),
  'poolgate-verify': form('PoolgateVerify', 'Confirms an account by the code that was sent to its address.', {
    username: username('Whose address it is; empty: that is asked for.'),
    registration: {
      type: 'Registration | undefined',
      description: 'The registration that the code belongs to, where it was made in this page.',
    },
    asks: {
      type: 'boolean',
      description: 'No code was sent yet, so that one is.',
      attribute: 'asks',
      initial: 'false',
    },
  }),
  'poolgate-forgot-password': form('PoolgateForgotPassword', 'Sends a code for a new password, and takes both.', {
    username: username('What the form begins with.'),
  }),
  'poolgate-reset-password': form('PoolgateResetPassword', 'Sets a new password by the code that was sent.', {
    username: username('Whose password it is; empty: that is asked for.'),
    session: {
      type: 'string | undefined',
      description: 'The session that came with the code. Left out: in a browser session the service remembers it.',
    },
  }),
  'poolgate-confirm-link': {
    className: 'PoolgateConfirmLink',
    module: 'dist/mail-links.js',
    description: 'Confirms an account by the link in the mail to whoever signed up.',
    properties: {
      link: {
        type: 'ConfirmLink | undefined',
        description: 'What stands in the link: a token, or name and code. Undefined: the link is not whole.',
      },
    },
  },
  'poolgate-not-me': {
    className: 'PoolgateNotMe',
    module: 'dist/mail-links.js',
    description: 'Ends every login of an account: what the link in a mail about a change is for.',
    properties: {
      token: { type: 'string', description: 'What stands in the fragment of the link.', initial: "''" },
    },
  },
  'poolgate-account': account(
    'PoolgateAccount',
    'The whole account, with the step-up where a part needs a recent sign-in.',
  ),
  'poolgate-profile': account('PoolgateProfile', 'Name, e-mail address and telephone number.'),
  'poolgate-change-password': account('PoolgateChangePassword', 'Changes the password.'),
  'poolgate-mfa': account('PoolgateMfa', 'The second factor: authenticator with its QR code, recovery codes.'),
  'poolgate-passkeys': account('PoolgatePasskeys', 'The passkeys: add, list, delete.'),
  'poolgate-devices': account('PoolgateDevices', 'The devices: this one marked, rename, remember, forget.'),
  'poolgate-sessions': account('PoolgateSessions', 'Where the user is signed in, and the end of it.'),
  'poolgate-delete-account': account('PoolgateDeleteAccount', 'Deletes the account.'),
};

type Tag = keyof typeof ELEMENTS;

const SECTIONS: readonly Tag[] = [
  'poolgate-account',
  'poolgate-profile',
  'poolgate-change-password',
  'poolgate-mfa',
  'poolgate-passkeys',
  'poolgate-devices',
  'poolgate-sessions',
  'poolgate-delete-account',
];

const FORMS: readonly Tag[] = [
  'poolgate-sign-in',
  'poolgate-sign-up',
  'poolgate-verify',
  'poolgate-forgot-password',
  'poolgate-reset-password',
  'poolgate-confirm-link',
  'poolgate-not-me',
];

/** The events, by their names. */
export const EVENTS: { readonly [Name in classes.EventName]: EventRow & { readonly tags: readonly Tag[] } } = {
  'poolgate-navigate': {
    detail: '{ to: PageName; href: string }',
    description: 'A link to another page was used. Prevented: the application goes there by itself.',
    tags: [...FORMS, 'poolgate-account'],
  },
  'poolgate-step': {
    detail: "{ kind: StepKind | 'start' }",
    description: 'A sign-in shows another step.',
    tags: ['poolgate-sign-in', 'poolgate-sign-up', 'poolgate-account'],
  },
  'poolgate-signed-in': {
    detail: '{ username: string }',
    description: 'Somebody is signed in, and has nothing left to answer. Prevented: the element stays as it is.',
    tags: ['poolgate-sign-in', 'poolgate-sign-up'],
  },
  'poolgate-signed-up': {
    detail: '{ username: string }',
    description: 'An account was made; it waits for its code.',
    tags: ['poolgate-sign-up'],
  },
  'poolgate-verified': {
    detail: '{ username: string }',
    description: 'An address is proven; by a link nobody is named.',
    tags: ['poolgate-verify', 'poolgate-confirm-link', 'poolgate-sign-up', 'poolgate-sign-in'],
  },
  'poolgate-signed-out': {
    detail: '{ isEnded: boolean }',
    description: 'The sign-in has ended: by the user, or (`isEnded`) because the service knows it no longer.',
    tags: SECTIONS,
  },
  'poolgate-step-up': {
    detail: '{ retry: () => void }',
    description:
      'A change asks for a recent sign-in. Prevented: the application has it proven again, and calls `retry`.',
    tags: SECTIONS,
  },
  'poolgate-account-changed': {
    detail: 'Record<string, never>',
    description: 'Something of the account was changed.',
    tags: SECTIONS,
  },
  'poolgate-deleted': {
    detail: 'Record<string, never>',
    description: 'The account is gone.',
    tags: ['poolgate-account', 'poolgate-delete-account'],
  },
  'poolgate-password-reset': {
    detail: '{ username: string }',
    description: 'A new password is set.',
    tags: ['poolgate-reset-password', 'poolgate-forgot-password', 'poolgate-sign-in'],
  },
  'poolgate-reported': {
    detail: 'Record<string, never>',
    description: 'Somebody has said that a change was not theirs: every login has ended.',
    tags: ['poolgate-not-me'],
  },
};

const named = (prefix: string, names: readonly string[], description: string): Readonly<Record<string, string>> =>
  Object.fromEntries(names.map((name) => [`--pg-${prefix}${name}`, description]));

/** What each custom property is for. */
export const CSS_PROPERTIES: Readonly<Record<string, string>> = {
  ...named(
    'color-',
    ['accent', 'accent-hover', 'accent-soft', 'on-accent'],
    'Colour of the main button, links, marks.',
  ),
  ...named('color-', ['text', 'muted'], 'Colour of text.'),
  ...named('color-', ['surface', 'raised', 'field'], 'Colour of cards, what lies on them, fields.'),
  ...named('color-', ['border', 'border-strong', 'outline'], 'Colour of lines, fields, plain buttons.'),
  ...named('color-', ['danger', 'danger-soft', 'success', 'success-soft'], 'Colour of messages.'),
  ...named('color-', ['focus'], 'Colour of the ring around what has the focus.'),
  ...named('', ['font', 'font-mono'], 'Typeface.'),
  ...named('text-', ['xs', 'sm', 'md', 'lg', 'xl'], 'Size of type.'),
  ...named('', ['weight', 'weight-medium', 'weight-bold'], 'Weight of type.'),
  ...named('space-', ['1', '2', '3', '4', '5', '6', '7'], 'Space.'),
  ...named('', ['control'], 'Height of fields and buttons.'),
  ...named('', ['width'], 'Width of a card.'),
  ...named('', ['radius', 'radius-large', 'shadow'], 'Shape.'),
  ...named('', ['speed', 'ease'], 'Motion; none where the device asks for less.'),
};
