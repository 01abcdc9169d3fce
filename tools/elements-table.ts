/**
 * What the sources of the elements do not contain: which events each element dispatches, and the purpose of its custom properties.
 * tools/elements.ts generates the documentation from it.
 */
import type { EventName } from '../packages/elements/src/index.ts';

interface EventRow {
  readonly detail: string;
  readonly description: string;
  /**
   * The elements that dispatch it, or contain one that does; events bubble. `forms`, `account`: the elements that the module of that name
   * defines.
   */
  readonly tags: readonly (Tag | ElementModule)[];
}

/** A module that defines elements, by file name. */
export type ElementModule = 'forms' | 'mail-links' | 'account';

type Tag = Extract<keyof HTMLElementTagNameMap, `poolgate-${string}`>;

/** The events, by name. */
export const EVENTS: { readonly [Name in EventName]: EventRow } = {
  'poolgate-navigate': {
    detail: '{ to: PageName; href: string }',
    description: 'A link to another page was used. Prevented: the application goes there by itself.',
    tags: ['forms', 'mail-links', 'poolgate-account'],
  },
  'poolgate-step': {
    detail: "{ kind: StepKind | 'start' }",
    description: 'A sign-in shows another step.',
    tags: ['poolgate-sign-in', 'poolgate-sign-up', 'poolgate-account'],
  },
  'poolgate-signed-in': {
    detail: '{ username: string }',
    description: 'The user is signed in, and no step is left. If the event is prevented, the element stays as it is.',
    tags: ['poolgate-sign-in', 'poolgate-sign-up'],
  },
  'poolgate-signed-up': {
    detail: '{ username: string }',
    description: 'An account was made; it waits for its code.',
    tags: ['poolgate-sign-up'],
  },
  'poolgate-code-sent': {
    detail: '{ username: string }',
    description: 'A code to reset a password was requested.',
    tags: ['poolgate-forgot-password', 'poolgate-sign-in'],
  },
  'poolgate-verified': {
    detail: '{ username: string }',
    description: 'An address is proven. After a link, no user is named.',
    tags: ['poolgate-verify', 'poolgate-confirm-link', 'poolgate-sign-up', 'poolgate-sign-in'],
  },
  'poolgate-signed-out': {
    detail: '{ isEnded: boolean }',
    description: 'The sign-in has ended: by the user, or (`isEnded`) because the service knows it no longer.',
    tags: ['account'],
  },
  'poolgate-step-up': {
    detail: '{ retry: () => void }',
    description:
      'A change asks for a recent sign-in. Prevented: the application has it proven again, and calls `retry`.',
    tags: ['account'],
  },
  'poolgate-account-changed': {
    detail: 'Record<string, never>',
    description: 'Something of the account was changed.',
    tags: ['account'],
  },
  'poolgate-deleted': {
    detail: '{ deletionAt?: string }',
    description: 'The account is deleted, or will be at `deletionAt` unless the user signs in and keeps it.',
    tags: ['poolgate-account', 'poolgate-delete-account'],
  },
  'poolgate-password-reset': {
    detail: '{ username: string }',
    description: 'A new password is set.',
    tags: ['poolgate-reset-password', 'poolgate-forgot-password', 'poolgate-sign-in'],
  },
  'poolgate-reported': {
    detail: 'Record<string, never>',
    description: 'The user reported a change as not theirs, and every login ended.',
    tags: ['poolgate-not-me'],
  },
};

const createNamedRows = (
  prefix: string,
  names: readonly string[],
  description: string,
): Readonly<Record<string, string>> => Object.fromEntries(names.map((name) => [`--pg-${prefix}${name}`, description]));

/** The purpose of each custom property. */
export const CSS_PROPERTIES: Readonly<Record<string, string>> = {
  ...createNamedRows(
    'color-',
    ['accent', 'accent-hover', 'accent-soft', 'on-accent'],
    'Color of the main button, links, marks.',
  ),
  ...createNamedRows('color-', ['text', 'muted'], 'Color of text.'),
  ...createNamedRows('color-', ['surface', 'raised', 'field'], 'Color of cards, what lies on them, fields.'),
  ...createNamedRows('color-', ['border', 'border-strong', 'outline'], 'Color of lines, fields, plain buttons.'),
  ...createNamedRows('color-', ['danger', 'danger-soft', 'success', 'success-soft'], 'Color of messages.'),
  ...createNamedRows('color-', ['focus'], 'Color of the ring around what has the focus.'),
  ...createNamedRows('', ['font', 'font-mono'], 'Typeface.'),
  ...createNamedRows('text-', ['xs', 'sm', 'md', 'lg', 'xl'], 'Size of type.'),
  ...createNamedRows('', ['weight', 'weight-medium', 'weight-bold'], 'Weight of type.'),
  ...createNamedRows('space-', ['1', '2', '3', '4', '5', '6', '7'], 'Space.'),
  ...createNamedRows('', ['control'], 'Height of fields and buttons.'),
  ...createNamedRows('', ['width'], 'Width of a card.'),
  ...createNamedRows('', ['radius', 'radius-large', 'shadow'], 'Shape.'),
  ...createNamedRows('', ['speed', 'ease'], 'Motion; none where the device asks for less.'),
};
