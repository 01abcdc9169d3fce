import type { StepKind } from '@poolgate/client';
import type { PageName } from './links.ts';

/** The details of the events that elements tell, by the events' names. All bubble. */
export interface ElementEvents {
  /** A link to another page was used. Prevented: the application goes there by itself. */
  readonly 'poolgate-navigate': { readonly to: PageName; readonly href: string };
  /** A sign-in shows another step. */
  readonly 'poolgate-step': { readonly kind: StepKind | 'start' };
  /** Somebody is signed in, and has nothing left to answer. Prevented: the element stays as it is. */
  readonly 'poolgate-signed-in': { readonly username: string };
  /** An account was made; it waits for its code. */
  readonly 'poolgate-signed-up': { readonly username: string };
  /** An address is proven; by a link nobody is named. */
  readonly 'poolgate-verified': { readonly username: string };
  /** The sign-in has ended: by the user, or (`isEnded`) because the service knows it no longer. */
  readonly 'poolgate-signed-out': { readonly isEnded: boolean };
  /** A change asks for a recent sign-in. Prevented: the application has it proven again, and calls `retry` then. */
  readonly 'poolgate-step-up': { readonly retry: () => void };
  /** Something of the account was changed. */
  readonly 'poolgate-account-changed': Readonly<Record<string, never>>;
  /** The account is gone. */
  readonly 'poolgate-deleted': Readonly<Record<string, never>>;
  /** A new password is set. */
  readonly 'poolgate-password-reset': { readonly username: string };
  /** Somebody has said that a change was not theirs: every login has ended. Prevented: the element stays as it is. */
  readonly 'poolgate-reported': Readonly<Record<string, never>>;
}

/** The name of an event. */
export type EventName = keyof ElementEvents;

declare global {
  interface HTMLElementEventMap extends ElementEventMap {}
}

type ElementEventMap = { [Name in EventName]: CustomEvent<ElementEvents[Name]> };
