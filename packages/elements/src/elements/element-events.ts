import type { LoginStep, SignedInUser, StepKind } from '@poolgate/client';
import type { PageName } from './links.ts';

/** The details of the elements' events, by event name. All events bubble. */
export interface ElementEvents {
  /** The user followed a link to another page. If prevented, the application navigates itself. */
  readonly 'poolgate-navigate': { readonly to: PageName; readonly href: string };
  /** A sign-in shows another step. */
  readonly 'poolgate-step': { readonly kind: StepKind | 'start' };
  /** A user is signed in and no step is left. If prevented, the element stays unchanged. */
  readonly 'poolgate-signed-in': { readonly username: string; readonly user: SignedInUser };
  /** An account was created and waits for its code. */
  readonly 'poolgate-signed-up': { readonly username: string };
  /** A code to reset a password was requested. */
  readonly 'poolgate-code-sent': { readonly username: string };
  /** An address was verified. A link does not reveal the user. `next`: the login that goes on, or null if the user signs in. */
  readonly 'poolgate-verified': { readonly username: string; readonly next: LoginStep | null };
  /** The sign-in has ended: by the user, or (`isEnded`) because the service no longer accepts it. */
  readonly 'poolgate-signed-out': { readonly isEnded: boolean };
  /** A change requires a recent sign-in. If prevented, the application verifies the user and then calls `retry`. */
  readonly 'poolgate-step-up': { readonly retry: () => void };
  /** The account was changed. */
  readonly 'poolgate-account-changed': Readonly<Record<string, never>>;
  /** The account was deleted, or will be at `deletionAt` (ISO 8601, UTC) unless the user signs in and keeps it. */
  readonly 'poolgate-deleted': { readonly deletionAt?: string };
  /** A new password was set. */
  readonly 'poolgate-password-reset': { readonly username: string; readonly next: LoginStep | null };
  /** A user reported a change as not theirs, and every login has ended. If prevented, the element stays unchanged. */
  readonly 'poolgate-reported': Readonly<Record<string, never>>;
}

/** The name of an event. */
export type EventName = keyof ElementEvents;

declare global {
  interface HTMLElementEventMap extends ElementEventMap {}
}

type ElementEventMap = { [Name in EventName]: CustomEvent<ElementEvents[Name]> };
