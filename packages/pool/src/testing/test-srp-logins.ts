import type { CallContext, Input, Output } from '@poolgate/provider';
import {
  type ClientStart,
  formatTimestamp,
  hashPassword,
  secureRandom,
  signPasswordClaim,
  startClient,
} from '@poolgate/srp';
import { openSslEngine } from '@poolgate/srp/openssl';
import { PASSWORD, type PoolHandle, TEST_CALL, type TestPool } from './test-pool.ts';

/** A login after its first request. */
export interface SrpChallenge {
  readonly start: ClientStart;
  readonly parameters: Readonly<Record<string, string>>;
  readonly output: Output<'InitiateAuth'>;
}

type Answer = Input<'RespondToAuthChallenge'>;

/** Sends `SRP_A` and returns the challenge. */
export async function startSrpLogin(
  { operations, clientId }: PoolHandle,
  username: string,
  more: Readonly<Record<string, string>> = {},
): Promise<SrpChallenge> {
  const start = startClient({ engine: openSslEngine, random: secureRandom });
  const output = await operations.initiateAuth(
    {
      ClientId: clientId,
      AuthFlow: 'USER_SRP_AUTH',
      AuthParameters: { USERNAME: username, SRP_A: start.srpAHex, ...more },
    },
    TEST_CALL,
  );
  return { start, parameters: output.ChallengeParameters ?? {}, output };
}

/** The final response to a challenge, computed like a real client does. */
export function computeSrpAnswer(
  { clientId, clock, userPoolId }: PoolHandle,
  { start, parameters }: SrpChallenge,
  password: string = PASSWORD,
  timestamp: string = formatTimestamp(clock.now()),
): Answer & { readonly ChallengeResponses: Readonly<Record<string, string>> } {
  const { SALT = '', SRP_B = '', SECRET_BLOCK = '', USER_ID_FOR_SRP = '' } = parameters;
  const identity = { poolName: userPoolId.split('_')[1] ?? '', userIdForSrp: USER_ID_FOR_SRP };
  const signature = signPasswordClaim({
    engine: openSslEngine,
    ...start,
    srpBHex: SRP_B,
    saltHex: SALT,
    passwordHash: hashPassword(openSslEngine, identity, password),
    identity,
    secretBlockB64: SECRET_BLOCK,
    timestamp,
  });
  return {
    ClientId: clientId,
    ChallengeName: 'PASSWORD_VERIFIER',
    ChallengeResponses: {
      USERNAME: USER_ID_FOR_SRP,
      PASSWORD_CLAIM_SECRET_BLOCK: SECRET_BLOCK,
      TIMESTAMP: timestamp,
      PASSWORD_CLAIM_SIGNATURE: signature,
    },
  };
}

/** A complete SRP login. */
export async function loginBySrp(
  pool: PoolHandle,
  username: string,
  password: string = PASSWORD,
  call: CallContext = TEST_CALL,
): Promise<Output<'RespondToAuthChallenge'>> {
  const challenged = await startSrpLogin(pool, username);
  return pool.operations.respondToAuthChallenge(computeSrpAnswer(pool, challenged, password), call);
}

/** A complete login with the plain-text password. */
export function loginByPassword(
  { operations, clientId }: PoolHandle,
  username: string,
  password: string = PASSWORD,
  call: CallContext = TEST_CALL,
): Promise<Output<'InitiateAuth'>> {
  return operations.initiateAuth(
    { ClientId: clientId, AuthFlow: 'USER_PASSWORD_AUTH', AuthParameters: { USERNAME: username, PASSWORD: password } },
    call,
  );
}

/** Like {@link loginByPassword}, through the extension that checks the password in process. */
export async function loginInProcess(
  { embedded, clientId: ClientId }: Pick<TestPool, 'embedded' | 'clientId'>,
  Username: string,
  Password: string = PASSWORD,
  more: { readonly DeviceKey?: string } = {},
): Promise<Output<'RespondToAuthChallenge'>> {
  const { log_in_with_password: logIn } = embedded.extensions;
  if (logIn === undefined) throw new TypeError('The pool checks no passwords in process');
  return logIn({ ClientId, Username, Password, ...more }, TEST_CALL);
}

/** Like {@link loginByPassword}, through the administrators' operations. */
export function loginByPasswordAsAdmin(
  { operations, clientId, userPoolId }: PoolHandle,
  username: string,
  password: string = PASSWORD,
): Promise<Output<'AdminInitiateAuth'>> {
  return operations.adminInitiateAuth(
    {
      UserPoolId: userPoolId,
      ClientId: clientId,
      AuthFlow: 'ADMIN_USER_PASSWORD_AUTH',
      AuthParameters: { USERNAME: username, PASSWORD: password },
    },
    TEST_CALL,
  );
}

/** The result of a call: `tokens`, the name of a challenge, or the error message. */
export async function describeOutcome(call: Promise<Output<'RespondToAuthChallenge'>>): Promise<string> {
  try {
    const { AuthenticationResult, ChallengeName } = await call;
    return AuthenticationResult?.AccessToken ? 'tokens' : (ChallengeName ?? 'nothing');
  } catch (error) {
    return error instanceof Error && error.name === 'ProviderError' ? error.message : String(error);
  }
}
