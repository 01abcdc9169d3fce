/**
 * New passwords: the service's policy, its blocklists, and the verifier that is sent instead of the password. Login, sign-up and account
 * use these rules.
 */
import { toPoolName } from '../srp/pool-name.ts';
import type { SrpRunner } from '../srp/srp-runner.ts';
import type { RouteBody, RouteResponse } from '../transport/routes.ts';
import type { Transport } from '../transport/transport.ts';
import { findListedProblems } from './listed-passwords.ts';
import { passwordProblems, requireGoodPassword } from './password-policy.ts';

/** The dependencies of setting a password. */
export interface PasswordDependencies {
  readonly transport: Transport;
  readonly srp: SrpRunner;
  readonly parameters: () => Promise<RouteResponse<'loginParameters'>>;
  /** Whether the program considers a password too common. */
  readonly isCommonPassword: (password: string) => boolean | Promise<boolean>;
}

/** A verifier in a request body. */
export type PasswordVerifierBody = NonNullable<RouteBody<'passwordReset'>['password_verifier']>;

/** A new password in a request. If the service allows it, only the verifier is sent. */
export type PasswordOrVerifier =
  | { readonly password: string; readonly verifier?: never; readonly username?: never }
  /** `username` is the SRP identity of the verifier. */
  | { readonly verifier: PasswordVerifierBody; readonly username: string; readonly password?: never };

/** A password that a user chose. */
export interface NewPassword {
  readonly password: string;
  /** The user's names, which the password must not equal. */
  readonly names: readonly string[];
  /** The owner of the password; empty for a new user. */
  readonly user: RouteBody<'registerStart'>;
  /** The request field to report in errors. */
  readonly field: string;
}

/** Checks a new password against the service's rules that the client knows. @throws {PoolgateError} `validation_failed` */
export async function checkPasswordRules(
  { parameters, isCommonPassword }: PasswordDependencies,
  { password, names, field }: Omit<NewPassword, 'user'>,
): Promise<void> {
  const { password_policy: policy } = await parameters();
  const problems = passwordProblems(policy, password, names);
  const isCommon = await isCommonPassword(password);
  requireGoodPassword(field, isCommon ? [...problems, 'password_too_common'] : problems);
}

/**
 * Checks a new password against the service's rules. A service that accepts verifiers does not see passwords, so the client looks it up in
 * the blocklists.
 * @throws {PoolgateError} `validation_failed`
 */
export async function checkNewPassword(
  dependencies: PasswordDependencies,
  chosen: Omit<NewPassword, 'user'>,
): Promise<void> {
  await checkPasswordRules(dependencies, chosen);
  const { password_policy: policy } = await dependencies.parameters();
  if (policy === null || !(await canUseVerifiers(dependencies))) return;
  requireGoodPassword(chosen.field, await findListedProblems(dependencies.transport, policy, chosen.password));
}

/** Whether the service accepts verifiers instead of passwords. */
export async function canUseVerifiers({ parameters }: Pick<PasswordDependencies, 'parameters'>): Promise<boolean> {
  return (await parameters()).capabilities.includes('verifier_passwords');
}

/** Prepares a new password for a request. @throws {PoolgateError} */
export async function prepareNewPassword(
  dependencies: PasswordDependencies,
  chosen: NewPassword,
): Promise<PasswordOrVerifier> {
  await checkNewPassword(dependencies, chosen);
  if (!(await canUseVerifiers(dependencies))) return { password: chosen.password };
  const { username, salt } = await dependencies.transport.send('registerStart', { body: chosen.user });
  return {
    username,
    verifier: await createPasswordVerifier(dependencies, { username, salt, password: chosen.password }),
  };
}

/** The input of a verifier. */
interface VerifierParts {
  /** The SRP identity. */
  readonly username: string;
  /** Hexadecimal. */
  readonly salt: string;
  readonly password: string;
}

/** Computes the verifier of a password. */
export async function createPasswordVerifier(
  { parameters, srp }: Pick<PasswordDependencies, 'parameters' | 'srp'>,
  { username, salt, password }: VerifierParts,
): Promise<PasswordVerifierBody> {
  const { provider } = await parameters();
  const identity = { poolName: toPoolName(provider.user_pool_id), userIdForSrp: username };
  return { salt, verifier: await srp('verifier', { identity, password, saltHex: salt }) };
}
