import type { Output } from '@poolgate/provider';
import { availableChoices } from '../factors/first-factors.ts';
import { deliverAfterCommit } from '../messages/deliver.ts';
import { usablePasskeys } from '../passkeys/passkeys.ts';
import type { LoginRecord } from '../store/records.ts';
import { signTokens } from '../tokens/login.ts';
import { revokeLogin } from '../tokens/revoke-login.ts';
import { unrecognizableAnswer } from '../triggers/trigger-errors.ts';
import { askBeforeTokens } from './ask-before-tokens.ts';
import { firstDeviceKey, readTotp } from './attempt-context.ts';
import { type ChallengeSessionContent, encryptSession, newChallengeSession } from './challenge-session.ts';
import type {
  ChallengeFacts,
  Issued,
  LoginStepContext,
  PoolChallengeName,
  ProofName,
  UserFactors,
} from './challenges/challenge.ts';
import { POOL_CHALLENGES } from './challenges/index.ts';
import type { CustomNext } from './custom-login.ts';
import type { CustomLogin } from './custom-login-state.ts';
import type { Decision, TriggersDecide } from './decision.ts';
import { CARRIERS } from './session-carrier.ts';

/** The answer to one request of a login: a challenge or tokens. */
export type AuthResponse = Output<'RespondToAuthChallenge'>;

/** The challenges that a login can begin with before anything is decided; those that send a message are decided on first. */
export type FirstChallengeName = Extract<
  PoolChallengeName,
  'PASSWORD' | 'PASSWORD_SRP' | 'PASSWORD_VERIFIER' | 'REGISTRATION_VERIFIER' | 'SELECT_CHALLENGE' | 'WEB_AUTHN'
>;

const NO_STATE = new Uint8Array();

/** Issues the first challenge of a login. */
export async function issueFirstChallenge(step: LoginStepContext, name: FirstChallengeName): Promise<AuthResponse> {
  const { ports, pool, candidate, sent } = step;
  const challenge = POOL_CHALLENGES[name];
  const totp = challenge.namesChoices ? await readTotp(ports.store, pool, candidate.userId) : undefined;
  const shown = await challengeFacts(name, step, { totp, device: undefined });
  const issued = await challenge.issue(step, shown);
  return issueChallenge({
    step,
    name,
    shown,
    issued,
    proofs: [],
    deviceKey: firstDeviceKey(pool, sent),
    isBoundToDevice: false,
  });
}

/** For an unknown name as much as for a user. */
async function challengeFacts(
  name: PoolChallengeName,
  { ports, pool, candidate }: LoginStepContext,
  userFactors: UserFactors,
): Promise<ChallengeFacts> {
  const { namesChoices } = POOL_CHALLENGES[name];
  return { ...userFactors, passkeys: namesChoices ? await usablePasskeys(ports.store, pool, candidate.userId) : [] };
}

/**
 * Issues what triggers want next.
 * @throws {ProviderError} `InvalidLambdaResponseException`: what a trigger keeps is too much for a session
 */
export async function issueCustomChallenge({ step, ...carried }: CustomLogin, name: CustomNext): Promise<AuthResponse> {
  const shown = { totp: undefined, device: undefined, passkeys: [] };
  const issued = await POOL_CHALLENGES[name].issue(step, shown);
  const response = issueChallenge({ ...carried, step, name, shown, issued });
  const { Session = '' } = response;
  if (Session.length > MAX_SESSION) throw unrecognizableAnswer();
  return response;
}

/** What the Cognito API takes for a `Session`. */
const MAX_SESSION = 2_048;

interface IssuedChallenge {
  readonly step: LoginStepContext;
  readonly name: PoolChallengeName;
  readonly shown: ChallengeFacts;
  readonly issued: Issued;
  readonly proofs: readonly ProofName[];
  readonly deviceKey: string | null;
  readonly isBoundToDevice: boolean;
}

/** Encrypts what is known so far into the challenge. */
function issueChallenge({ step, name, shown, issued, ...carried }: IssuedChallenge): AuthResponse {
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
    state,
  };
  const session = newChallengeSession(ports, step, content);
  const given = CARRIERS[carrier].attach({
    full: () => encryptSession(ports, session),
    bare: () => encryptSession(ports, { ...session, state: NO_STATE }),
  });
  return {
    ChallengeName: cognitoName,
    ...(given.Session === undefined ? {} : { Session: given.Session }),
    ChallengeParameters: { ...parameters, ...given.parameters },
    ...(namesChoices ? { AvailableChallenges: availableChoices(step, enrolledFactorsOf(shown)) } : {}),
  };
}

function enrolledFactorsOf({ totp, passkeys }: ChallengeFacts) {
  return { hasActiveTotp: totp !== undefined, hasPasskeys: passkeys.length > 0 };
}

/** What a decision is answered with. Tokens are given here and nowhere else in a login. Rejects where the answer is refused. */
export async function respond(decision: Exclude<Decision, TriggersDecide>): Promise<AuthResponse> {
  if (decision.kind === 'refused') throw decision.error;
  const { step } = decision;
  if (decision.kind === 'challenge') {
    const { name, proofs, userFactors, isBoundToDevice, sent } = decision;
    if (sent !== undefined) await deliverAfterCommit(step.ports);
    const shown = await challengeFacts(name, step, userFactors);
    const issued = sent ?? (await POOL_CHALLENGES[name].issue(step, shown));
    return issueChallenge({
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
  const changes = await askBeforeTokens(decision).catch((cause) => revokeFailedLogin(step, login, cause));
  const tokens = await signTokens(step.ports, { ...step, user, login, changes });
  return {
    AuthenticationResult: { ...tokens, ...(newDevice === undefined ? {} : { NewDeviceMetadata: newDevice }) },
    ChallengeParameters: {},
  };
}

/** A login whose tokens cannot be made is none: nobody has anything of it. */
async function revokeFailedLogin(
  { ports, pool }: LoginStepContext,
  login: LoginRecord,
  cause: unknown,
): Promise<never> {
  await ports.store.write((transaction) => revokeLogin(ports, transaction, pool, login));
  throw cause;
}
