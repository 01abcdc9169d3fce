/**
 * The signed-in user's account: profile, password, MFA, passkeys, devices, sessions and sign-up. Each file adds its methods to the client.
 * They work the same in both modes.
 */
import type { LoginDependencies } from '../login/steps/login-run.ts';

/** The dependencies of account methods, which are those of a login. */
export type AccountDependencies = LoginDependencies;

/** A user, identified by username or email address. */
export type UserIdentifier = { readonly username: string } | { readonly email: string };

/** A page of a list. */
export interface PageOf<Item> {
  readonly items: readonly Item[];
  /** The cursor of the next page; null on the last page. */
  readonly nextCursor: string | null;
}

/** Selects a page of a list. */
export interface PageRequest {
  /** 1 to 60. */
  readonly limit?: number;
  readonly cursor?: string;
}

/** Converts a page request to query parameters. */
export function toPageQuery({ limit, cursor }: PageRequest): { readonly limit?: string; readonly cursor?: string } {
  return { ...(limit === undefined ? {} : { limit: String(limit) }), ...(cursor === undefined ? {} : { cursor }) };
}

/** How a change to a login factor affected the user's logins. */
export interface ChangeOutcome {
  /** True if the service could not end only the other sessions, so this login has ended too. */
  readonly loginEnded: boolean;
}

/** Whether a change ends the user's other sessions. The default is true. */
export interface ChangeOptions {
  readonly endOtherSessions?: boolean;
}

/** Converts the options to a member of the request body. */
export function toEndSessionsBody({ endOtherSessions }: ChangeOptions): { readonly end_other_sessions?: boolean } {
  return endOtherSessions === undefined ? {} : { end_other_sessions: endOtherSessions };
}

/** Discards this login if the change has ended it. */
export async function dropLoginIfEnded(
  { keeper }: Pick<AccountDependencies, 'keeper'>,
  answer: { readonly login_ended?: boolean },
): Promise<ChangeOutcome> {
  const loginEnded = answer.login_ended === true;
  if (loginEnded) await keeper.drop();
  return { loginEnded };
}
