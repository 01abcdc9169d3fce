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
import { SESSION_CARRIERS } from './session-carrier.ts';

/** The answer to one request of a login: a challenge or tokens. */
export type AuthResponse = Output<'RespondToAuthChallenge'>;

/** The challenges that a login can begin with before anything is decided; those that send a message are decided on first. */
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

/** For an unknown name as much as for a user. */
async function listShownPasskeys(
  name: PoolChallengeName,
  { ports, pool, candidate }: LoginStep,
): Promise<ChallengeFacts['passkeys']> {
  return POOL_CHALLENGES[name].namesChoices ? listUsablePasskeys(ports.store, pool, candidate.userId) : [];
}

/**
 * Issues what triggers want next.
 * @throws {ProviderError} `InvalidLambdaResponseException`: what a trigger keeps is too much for a session
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

/** What the Cognito API takes for a `Session`. */
const MAX_SESSION = 2_048;

interface ChallengeToSend {
  readonly step: LoginStep;
  readonly name: PoolChallengeName;
  readonly shown: ChallengeFacts;
  readonly issued: ChallengeContent;
  readonly proofs: readonly ProofName[];
  readonly deviceKey: string | null;
  readonly isBoundToDevice: boolean;
}

/** Encrypts what is known so far into the challenge. */
function createChallengeResponse({ step, name, shown, issued, ...carried }: ChallengeToSend): AuthResponse {
  const { ports, candidate } = step;
  const { cognitoName, carrier, namesChoices } = POOL_CHALLENGES[name];
  const { typedName, userId, passwordVersion } = candidate;
  const { parameters, state } = issued;
  const { custom } = step;
  const content: ChallengeSessionContent = {
    ...carried,
    custom,
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
    ...(namesChoices ? { AvailableChallenges: listAvailableChoices(step, toEnrolledFactors(shown)) } : {}),
  };
}

const SRP_A_END = 32;

/** Of two `SRP_A`, the ends differ as surely as digests do. */
function findSrpAEnd({ ports, sent }: LoginStep): string | undefined {
  return ports.call.carriesSrpStart === true ? sent.SRP_A?.slice(-SRP_A_END) : undefined;
}

function toEnrolledFactors({ totp, passkeys }: ChallengeFacts) {
  return { hasActiveTotp: totp !== undefined, hasPasskeys: passkeys.length > 0 };
}

/** What a decision is answered with. Tokens are given here and nowhere else in a login. Rejects where the answer is refused. */
export async function createAuthResponse(decision: Exclude<LoginDecision, TriggerDecision>): Promise<AuthResponse> {
  if (decision.kind === 'refused') throw decision.error;
  const { step } = decision;
  if (decision.kind === 'challenge') {
    const { name, proofs, userFactors, isBoundToDevice, sent } = decision;
    if (sent !== undefined) await deliverAfterCommit(step.ports);
    const shown = { ...userFactors, passkeys: await listShownPasskeys(name, step) };
    const issued = sent ?? (await POOL_CHALLENGES[name].issue(step, shown));
    return createChallengeResponse({
      step,
      name,
      shown,
      issued,
      proofs,
      deviceKey: userFactors.device?.key ?? null,
      isBoundToDevice,
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

/** A login whose tokens cannot be made is none: nobody has anything of it. */
async function revokeFailedLogin({ ports, pool }: LoginStep, login: LoginRecord, cause: unknown): Promise<never> {
  await ports.store.write((transaction) => revokeLogin(ports, transaction, pool, login));
  throw cause;
}
