import type { Output } from '@poolgate/provider';
import { deliverAfterCommit } from '../delivery/deliver-after-commit.ts';
import { listAvailableChoices } from '../proofs/first-factors.ts';
import { listUsablePasskeys } from '../proofs/passkeys/passkey-options.ts';
import type { LoginRecord } from '../store/records.ts';
import { signTokens } from '../tokens/login-tokens.ts';
import { revokeLogin } from '../tokens/revoke-login.ts';
import { invalidTriggerResponseError } from '../triggers/trigger-errors.ts';
import { type ChallengeSessionContent, createChallengeSession, encryptChallengeSession } from './challenge-session.ts';
import type {
  ChallengeContent,
  ChallengeFacts,
  LoginStep,
  PoolChallengeName,
  ProofName,
} from './challenges/challenge.ts';
import { POOL_CHALLENGES } from './challenges/pool-challenges.ts';
import type { CustomAuthChallengeName } from './custom-auth-login.ts';
import type { CustomAuthLogin } from './custom-auth-login-state.ts';
import { invokePostLoginTriggers } from './invoke-post-login-triggers.ts';
import { readFirstDeviceKey, readTotp } from './login-attempt.ts';
import type { LoginDecision, TriggerDecision } from './login-decision.ts';
import type { LevelChoices } from './next-step.ts';
import { SESSION_CARRIERS } from './session-carrier.ts';

/** The response to one request of a login: a challenge or tokens. */
export type AuthResponse = Output<'RespondToAuthChallenge'>;

/** The challenges that a login can start with before a decision. Those that send a message need a decision first. */
export type FirstChallengeName = Extract<
  PoolChallengeName,
  'PASSWORD' | 'PASSWORD_SRP' | 'PASSWORD_VERIFIER' | 'REGISTRATION_VERIFIER' | 'SELECT_CHALLENGE' | 'WEB_AUTHN'
>;

const NO_STATE = new Uint8Array();

/** Issues the first challenge of a login. */
export async function issueFirstChallenge(step: LoginStep, name: FirstChallengeName): Promise<AuthResponse> {
  const { ports, pool, candidate, sent } = step;
  const challenge = POOL_CHALLENGES[name];
  // Both are issued in one turn, so that they share a round trip.
  const reading = challenge.namesChoices ? readTotp(ports.store, pool, candidate.userId) : undefined;
  const [totp, passkeys] = await Promise.all([reading, listShownPasskeys(name, step)]);
  const shown = { totp, passkeys, device: undefined };
  const issued = await challenge.issue(step, shown);
  return createChallengeResponse({
    step,
    name,
    shown,
    issued,
    proofs: [],
    deviceKey: readFirstDeviceKey(pool, sent),
    isBoundToDevice: false,
  });
}

/** For unknown names as well as for users. */
async function listShownPasskeys(
  name: PoolChallengeName,
  { ports, pool, candidate }: LoginStep,
): Promise<ChallengeFacts['passkeys']> {
  return POOL_CHALLENGES[name].namesChoices ? listUsablePasskeys(ports.store, pool, candidate.userId) : [];
}

/**
 * Issues the challenge that the triggers want next.
 * @throws {ProviderError} `InvalidLambdaResponseException`: a trigger's data is too large for a session
 */
export async function issueCustomChallenge(
  { step, ...carried }: CustomAuthLogin,
  name: CustomAuthChallengeName,
): Promise<AuthResponse> {
  const shown = { totp: undefined, device: undefined, passkeys: [] };
  const issued = await POOL_CHALLENGES[name].issue(step, shown);
  const response = createChallengeResponse({ ...carried, step, name, shown, issued });
  const { Session = '' } = response;
  if (Session.length > MAX_SESSION) throw invalidTriggerResponseError();
  return response;
}

/** The Cognito API's maximum length of a `Session`. */
const MAX_SESSION = 2_048;

interface ChallengeToSend {
  readonly step: LoginStep;
  readonly name: PoolChallengeName;
  readonly shown: ChallengeFacts;
  readonly issued: ChallengeContent;
  readonly proofs: readonly ProofName[];
  readonly deviceKey: string | null;
  readonly isBoundToDevice: boolean;
  readonly limits?: LevelChoices;
}

/** Encrypts the current state into the challenge. */
function createChallengeResponse({ step, name, shown, issued, limits, ...carried }: ChallengeToSend): AuthResponse {
  const { ports, candidate } = step;
  const { cognitoName, carrier, namesChoices } = POOL_CHALLENGES[name];
  const { typedName, userId, passwordVersion } = candidate;
  const { parameters, state } = issued;
  const { custom, target } = step;
  const content: ChallengeSessionContent = {
    ...carried,
    custom,
    target,
    challenge: name,
    typedName,
    userId,
    passwordVersion,
    srpAEnd: carrier === 'session' ? undefined : findSrpAEnd(step),
    state,
  };
  const session = createChallengeSession(ports, step, content);
  const given = SESSION_CARRIERS[carrier].attach({
    full: () => encryptChallengeSession(ports, session),
    bare: () => encryptChallengeSession(ports, { ...session, srpAEnd: undefined, state: NO_STATE }),
  });
  return {
    ChallengeName: cognitoName,
    ...(given.Session === undefined ? {} : { Session: given.Session }),
    ChallengeParameters: { ...parameters, ...given.parameters },
    ...(namesChoices && {
      AvailableChallenges: limits?.choices ?? listAvailableChoices(step, toEnrolledFactors(shown)),
    }),
  };
}

const SRP_A_END = 32;

/** The ends of two `SRP_A` values differ as reliably as their digests. */
function findSrpAEnd({ ports, sent }: LoginStep): string | undefined {
  return ports.call.carriesSrpStart === true ? sent.SRP_A?.slice(-SRP_A_END) : undefined;
}

function toEnrolledFactors({ totp, passkeys }: ChallengeFacts) {
  return { hasActiveTotp: totp !== undefined, hasPasskeys: passkeys.length > 0 };
}

/** Creates the response to a decision. This is the only place in a login that issues tokens. Rejects if the answer is refused. */
export async function createAuthResponse(decision: Exclude<LoginDecision, TriggerDecision>): Promise<AuthResponse> {
  if (decision.kind === 'refused') throw decision.error;
  const { step } = decision;
  if (decision.kind === 'challenge') {
    const { name, proofs, userFactors, isBoundToDevice, limits, sent } = decision;
    if (sent !== undefined) await deliverAfterCommit(step.ports);
    const { mfaMethods } = limits;
    const shown = { ...userFactors, passkeys: await listShownPasskeys(name, step), mfaMethods };
    const issued = sent ?? (await POOL_CHALLENGES[name].issue(step, shown));
    return createChallengeResponse({
      step,
      name,
      shown,
      issued,
      proofs,
      deviceKey: userFactors.device?.key ?? null,
      isBoundToDevice,
      limits,
    });
  }
  const { login, newDevice } = decision;
  const { user } = decision.user;
  const changes = await invokePostLoginTriggers(decision).catch((cause) => revokeFailedLogin(step, login, cause));
  const tokens = await signTokens(step.ports, { ...step, user, login, changes });
  return {
    AuthenticationResult: { ...tokens, ...(newDevice === undefined ? {} : { NewDeviceMetadata: newDevice }) },
    ChallengeParameters: {},
  };
}

/** If the tokens cannot be created, the login is revoked, because no one could use it. */
async function revokeFailedLogin({ ports, pool }: LoginStep, login: LoginRecord, cause: unknown): Promise<never> {
  await ports.store.write((transaction) => revokeLogin(ports, transaction, pool, login));
  throw cause;
}
