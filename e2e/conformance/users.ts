import assert from 'node:assert/strict';
import type { Output, ProviderErrorCode, RefusalReason } from '@poolgate/provider';
import { ProviderError } from '@poolgate/provider';
import { PASSWORD, TEST_CALL } from '../../packages/pool/src/testing/test-pool.ts';
import { loginBySrp } from '../../packages/pool/src/testing/test-srp-logins.ts';
import { requireTokens, type Tokens } from '../../packages/pool/src/testing/test-tokens.ts';
import type { Subject } from './subject.ts';

/** A user of a pool. */
export interface TestUser {
  /** The name that the user types. */
  readonly name: string;
  /** `{ UserPoolId, Username }`, as administrators name the user. */
  readonly identifiers: { readonly UserPoolId: string; readonly Username: string };
}

/** A user who does not exist. */
export function unknownUser({ userPoolId, newAddress }: Subject): TestUser {
  const name = newAddress();
  return { name, identifiers: { UserPoolId: userPoolId, Username: name } };
}

/** Creates a user who must change a temporary password. */
export async function invited(subject: Subject): Promise<TestUser> {
  const user = unknownUser(subject);
  await subject.operations.adminCreateUser(
    {
      ...user.identifiers,
      TemporaryPassword: PASSWORD,
      MessageAction: 'SUPPRESS',
      UserAttributes: [
        { Name: 'email', Value: user.name },
        { Name: 'email_verified', Value: 'true' },
      ],
    },
    TEST_CALL,
  );
  return user;
}

/** Creates a user with a password and a verified address. */
export async function confirmed(subject: Subject): Promise<TestUser> {
  const user = await invited(subject);
  await subject.operations.adminSetUserPassword(
    { ...user.identifiers, Password: PASSWORD, Permanent: true },
    TEST_CALL,
  );
  return user;
}

/** Logs in with SRP. */
export async function loggedIn(subject: Subject, { name }: TestUser, password = PASSWORD): Promise<Tokens> {
  return requireTokens(await loginBySrp(subject, name, password));
}

/** A new user, and the tokens of a login. */
export async function newLoggedInUser(subject: Subject): Promise<TestUser & { readonly tokens: Tokens }> {
  const user = await confirmed(subject);
  return { ...user, tokens: await loggedIn(subject, user) };
}

/** Signs up a user who must confirm the address. */
export async function signedUp(subject: Subject): Promise<TestUser> {
  const user = unknownUser(subject);
  await subject.operations.signUp(
    {
      ClientId: subject.clientId,
      Username: user.name,
      Password: PASSWORD,
      UserAttributes: [{ Name: 'email', Value: user.name }],
    },
    TEST_CALL,
  );
  return user;
}

/** Returns a user as administrators see it. */
export function userAsAdmin({ operations }: Subject, { identifiers }: TestUser): Promise<Output<'AdminGetUser'>> {
  return operations.adminGetUser(identifiers, TEST_CALL);
}

/** Returns the attributes of a list, by name. */
export function mapAttributes(
  attributes: readonly { readonly Name: string; readonly Value?: string }[] | undefined,
): Readonly<Record<string, string | undefined>> {
  return Object.fromEntries((attributes ?? []).map(({ Name, Value }) => [Name, Value]));
}

/** Expects an error with one of some codes, and with a reason if one is given. */
export async function assertRefuses(
  act: Promise<unknown>,
  codes: ProviderErrorCode | readonly ProviderErrorCode[],
  reason?: RefusalReason,
): Promise<void> {
  await assert.rejects(act, (error) => {
    assert.ok(error instanceof ProviderError, String(error));
    assert.ok([codes].flat().includes(error.code), `${error.code} is not ${codes}`);
    if (reason !== undefined) assert.equal(error.reason, reason, error.message);
    return true;
  });
}

/** Expects seconds since the epoch, near the time of the subject. */
export function assertNow({ clock }: Subject, seconds: number | undefined): void {
  assert.equal(typeof seconds, 'number');
  assert.ok(Math.abs((seconds ?? 0) - clock.now() / 1_000) < 600, `${seconds} is not near now`);
}
