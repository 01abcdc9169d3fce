/**
 * New passwords: the policy of the service, the list of common ones, and the verifier that is sent in place of the password. Login,
 * sign-up and account use these rules.
 */
import { toPoolName } from '../srp/pool-name.ts';
import type { SrpRunner } from '../srp/srp-runner.ts';
import type { RouteBody, RouteResponse } from '../transport/routes.ts';
import type { Transport } from '../transport/transport.ts';
import { findListedProblems } from './listed-passwords.ts';
import { passwordProblems, requireGoodPassword } from './password-policy.ts';

/** What setting a password needs. */
export interface PasswordDependencies {
  readonly transport: Transport;
  readonly srp: SrpRunner;
  readonly parameters: () => Promise<RouteResponse<'loginParameters'>>;
  /** Whether a password is among those that everybody uses, as far as the program knows. */
  readonly isCommonPassword: (password: string) => boolean | Promise<boolean>;
}

/** A verifier, as routes take it. */
export type PasswordVerifierBody = NonNullable<RouteBody<'passwordReset'>['password_verifier']>;

/** A new password for the service: where the service can, only what it is checked against. */
export type PasswordOrVerifier =
  | { readonly password: string; readonly verifier?: never; readonly username?: never }
  /** `username` is the SRP identity that the verifier was made with. */
  | { readonly verifier: PasswordVerifierBody; readonly username: string; readonly password?: never };

/** A password that a user chose. */
export interface NewPassword {
  readonly password: string;
  /** Names of the user: none may be the password. */
  readonly names: readonly string[];
  /** Whose password it is; empty for somebody new. */
  readonly user: RouteBody<'registerStart'>;
  /** The field of the request that an error is about. */
  readonly field: string;
}

/** Checks a new password by the rules of the service that can be checked here. @throws {PoolgateError} `validation_failed` */
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
 * Checks a new password by the rules of the service. A service that takes verifiers sees no password, so its lists of refused passwords are
 * asked here.
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

/** Whether the service takes verifiers in place of passwords. */
export async function canUseVerifiers({ parameters }: Pick<PasswordDependencies, 'parameters'>): Promise<boolean> {
  return (await parameters()).capabilities.includes('verifier_passwords');
}

/** Makes a password ready to be set. @throws {PoolgateError} */
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

/** What a verifier is made of. */
interface VerifierParts {
  /** The SRP identity. */
  readonly username: string;
  /** Hexadecimal. */
  readonly salt: string;
  readonly password: string;
}

/** The verifier of a password. */
export async function createPasswordVerifier(
  { parameters, srp }: Pick<PasswordDependencies, 'parameters' | 'srp'>,
  { username, salt, password }: VerifierParts,
): Promise<PasswordVerifierBody> {
  const { provider } = await parameters();
  const identity = { poolName: toPoolName(provider.user_pool_id), userIdForSrp: username };
  return { salt, verifier: await srp('verifier', { identity, password, saltHex: salt }) };
}
