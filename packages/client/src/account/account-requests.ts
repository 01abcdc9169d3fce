/**
 * The signed-in user's account: profile, password, MFA, passkeys, devices and sessions, and sign-up. Each file adds its methods to the
 * client. They work the same in both modes.
 */
import type { LoginDependencies } from '../login/steps/login-run.ts';

/** What self-service needs: the same as a login. */
export type AccountDependencies = LoginDependencies;

/** A user by one of its names. */
export type UserIdentifier = { readonly username: string } | { readonly email: string };

/** A page of a list. */
export interface PageOf<Item> {
  readonly items: readonly Item[];
  /** For the next page; null on the last one. */
  readonly nextCursor: string | null;
}

/** Which page is asked for. */
export interface PageRequest {
  /** 1 to 60. */
  readonly limit?: number;
  readonly cursor?: string;
}

/** A page as the query of a request. */
export function toPageQuery({ limit, cursor }: PageRequest): { readonly limit?: string; readonly cursor?: string } {
  return { ...(limit === undefined ? {} : { limit: String(limit) }), ...(cursor === undefined ? {} : { cursor }) };
}

/** What a change of a factor did to the logins of the user. */
export interface ChangeOutcome {
  /** True where the service could not end the other sessions alone: this login has ended too. */
  readonly loginEnded: boolean;
}

/** Whether the other sessions of the user end with a change. Left out: they do. */
export interface ChangeOptions {
  readonly endOtherSessions?: boolean;
}

/** The member of a body that says it. */
export function toEndSessionsBody({ endOtherSessions }: ChangeOptions): { readonly end_other_sessions?: boolean } {
  return endOtherSessions === undefined ? {} : { end_other_sessions: endOtherSessions };
}

/** Drops a login that a change has ended with the others. */
export async function dropLoginIfEnded(
  { keeper }: Pick<AccountDependencies, 'keeper'>,
  answer: { readonly login_ended?: boolean },
): Promise<ChangeOutcome> {
  const loginEnded = answer.login_ended === true;
  if (loginEnded) await keeper.drop();
  return { loginEnded };
}
