import { AUTH_FLOWS, type AuthFlow, authFlowOf, type Input, ProviderError } from '@poolgate/provider';
import type { LoginCandidate } from '../identity/login-candidate.ts';
import { checkSrpA } from '../passwords/srp-exchange.ts';
import { checkSecretHash, type PoolAndClient } from '../pools/pools.ts';
import { flowNotAllowed, wrongChallenge } from '../shared/login-errors.ts';
import { refreshTokens } from '../tokens/refresh.ts';
import { requiredTrigger } from '../triggers/configured.ts';
import type { CustomStepResult } from '../triggers/custom-auth.ts';
import type { TriggerData } from '../triggers/points.ts';
import { findCandidate } from '../users/login-candidate.ts';
import { askPreAuthentication } from './ask-pre-authentication.ts';
import { firstDeviceKey } from './attempt-context.ts';
import { type ChallengeSession, decryptSession } from './challenge-session.ts';
import type { Factor, LoginStepContext, ParameterMap } from './challenges/challenge.ts';
import { POOL_CHALLENGES } from './challenges/index.ts';
import type { LoginPorts } from './challenges/login-ports.ts';
import { registrationPassword } from './challenges/registration-verifier.ts';
import { chosenFactor } from './chosen-factor.ts';
import { answerFactor, continueCustomLogin } from './judge.ts';
import { signUpFactor } from './login-after-sign-up.ts';
import { openPendingSession, rebuildCandidate, requireSameLoginName } from './pending-session.ts';
import { recordRefusedStart } from './record-decision.ts';
import { registrationCandidate } from './registration-candidate.ts';
import { type AuthResponse, type FirstChallengeName, issueFirstChallenge } from './respond.ts';
import { requireKeys, withoutEmptyParameters } from './sent-parameters.ts';

/** The operation by which a login is started. */
export type InitiateOperation = 'InitiateAuth' | 'AdminInitiateAuth';

/** The first request of a login; which keys it must have is checked already. */
export interface FlowStart extends PoolAndClient {
  readonly ports: LoginPorts;
  readonly sent: ParameterMap;
  /** The `Session` beside the parameters. */
  readonly session: string | undefined;
  /** What the request gives to triggers. */
  readonly validationData: TriggerData | undefined;
}

/** What this pool does with one flow. Parameters and operations are in the provider's table of flows. */
interface FlowRow {
  /** Answered where the client does not allow the flow; each flow has its own words in Cognito. */
  readonly disabledMessage: string;
  readonly start: (start: FlowStart) => Promise<AuthResponse>;
}

/** What this pool does with each flow. */
const POOL_FLOWS: Readonly<Record<AuthFlow, FlowRow>> = {
  ADMIN_USER_PASSWORD_AUTH: { disabledMessage: 'Auth flow not enabled for this client', start: startWithPassword },
  CUSTOM_AUTH: { disabledMessage: 'CUSTOM_AUTH is not enabled for the client.', start: startCustom },
  REFRESH_TOKEN_AUTH: { disabledMessage: 'Auth flow not enabled for this client', start: startWithRefreshToken },
  USER_AUTH: { disabledMessage: 'USER_AUTH is not enabled for the client.', start: startWithChoice },
  USER_PASSWORD_AUTH: {
    disabledMessage: 'USER_PASSWORD_AUTH flow not enabled for this client',
    start: startWithPassword,
  },
  USER_SRP_AUTH: { disabledMessage: 'USER_SRP_AUTH is not enabled for the client.', start: startWithSrp },
};

/**
 * Starts a login.
 * @throws {ProviderError} the refusals of `InitiateAuth`
 */
export async function startLogin(
  ports: LoginPorts,
  scope: PoolAndClient,
  operation: InitiateOperation,
  input: Pick<Input<'InitiateAuth'>, 'AuthFlow' | 'AuthParameters' | 'ClientMetadata' | 'Session'>,
): Promise<AuthResponse> {
  const flow = authFlowOf(input.AuthFlow);
  if (flow === undefined || !isStartedBy(flow, operation)) throw flowNotAllowed('Initiate Auth method not supported');
  const row = POOL_FLOWS[flow];
  if (!scope.client.settings.allowedFlows.includes(flow)) throw flowNotAllowed(row.disabledMessage);
  const sent = withoutEmptyParameters(input.AuthParameters);
  requireKeys(sent, AUTH_FLOWS[flow].parameters.required);
  const { Session, ClientMetadata: validationData } = input;
  return row.start({ ports, ...scope, sent, session: Session || undefined, validationData });
}

function isStartedBy(flow: AuthFlow, operation: InitiateOperation): boolean {
  const startedBy: readonly InitiateOperation[] = AUTH_FLOWS[flow].startedBy;
  return startedBy.includes(operation);
}

function startWithPassword(start: FlowStart): Promise<AuthResponse> {
  return answerPassword(start, POOL_CHALLENGES.PASSWORD);
}

/** Judges the password of the first request: that of the registration whose session came with it, and where it is another one the user's. */
export async function answerPassword(start: FlowStart, factor: Factor): Promise<AuthResponse> {
  const { isRegistration, ...step } = await newPasswordStep(start);
  if (!isRegistration) return answerFactor(step, factor, { candidate: step.candidate });
  try {
    return await answerFactor(step, registrationPassword, { candidate: step.candidate });
  } catch (cause) {
    if (!(cause instanceof ProviderError) || cause.reason === 'registration_unconfirmed') throw cause;
    return answerPassword({ ...start, session: undefined }, factor);
  }
}

async function startWithSrp(start: FlowStart): Promise<AuthResponse> {
  checkSrpA(start.sent);
  const { isRegistration, ...step } = await newPasswordStep(start);
  return issueFirstChallenge(step, isRegistration ? 'REGISTRATION_VERIFIER' : 'PASSWORD_VERIFIER');
}

/**
 * Begins a login whose order triggers decide on, with the password where the client says so.
 * @see https://docs.aws.amazon.com/cognito/latest/developerguide/user-pool-lambda-challenge.html
 */
async function startCustom(start: FlowStart): Promise<AuthResponse> {
  const { pool, sent } = start;
  requiredTrigger(pool.settings, 'DefineAuthChallenge');
  const begins = sent.CHALLENGE_NAME === 'SRP_A';
  if (begins) {
    requireKeys(sent, ['SRP_A']);
    checkSrpA(sent);
  }
  const custom: readonly CustomStepResult[] = begins ? [{ challengeName: 'SRP_A', challengeResult: true }] : [];
  const step = { ...(await newLoginStep(start)), custom };
  return continueCustomLogin({ step, proofs: [], deviceKey: firstDeviceKey(pool, sent), isBoundToDevice: false });
}

/**
 * A choice that comes with the first request is taken as if it answered the list of choices. The session of a sign-up
 * that was confirmed just before leaves nothing to choose. With the session of an earlier code the same choice sends another one.
 * @see https://docs.aws.amazon.com/cognito/latest/developerguide/authentication-flows-selection-sdk.html
 */
async function startWithChoice(start: FlowStart): Promise<AuthResponse> {
  const { PREFERRED_CHALLENGE: choice } = start.sent;
  const earlier = start.session === undefined ? undefined : decryptSession(start.ports, start, start.session);
  const isRepeated = choice !== undefined && earlier?.challenge === choice;
  if (start.session !== undefined && !isRepeated) return continueSignUp(start, start.session);
  const begun = await newLoginStep(start);
  const step = { ...begun, isResend: isRepeated && isLiveSessionOf(earlier, begun) };
  if (choice === undefined) return issueFirstChallenge(step, 'SELECT_CHALLENGE');
  const sent = { ...step.sent, ANSWER: choice };
  const factor = chosenFactor(start.pool.settings, choice, sent);
  const first = factor === POOL_CHALLENGES.SELECT_CHALLENGE ? challengeWithoutMessage(choice) : undefined;
  // Nothing is to be decided, so nothing is written.
  if (first !== undefined) return issueFirstChallenge(step, first);
  return answerFactor({ ...step, sent }, factor, { candidate: step.candidate });
}

/** The session of an earlier code for this user, who may exist or not. */
function isLiveSessionOf({ userId, expiresAtMs }: ChallengeSession, { candidate, nowMs }: LoginStepContext): boolean {
  return userId === candidate.userId && expiresAtMs > nowMs;
}

const WITHOUT_MESSAGE = ['PASSWORD', 'PASSWORD_SRP', 'WEB_AUTHN'] as const satisfies readonly FirstChallengeName[];

function challengeWithoutMessage(choice: string): FirstChallengeName | undefined {
  return WITHOUT_MESSAGE.find((name) => name === choice);
}

async function continueSignUp(start: FlowStart, session: string): Promise<AuthResponse> {
  const answer = { session, responses: start.sent };
  const pending = openPendingSession(start.ports, start, 'session', answer);
  if (pending.session.challenge !== signUpFactor.name) throw wrongChallenge();
  requireSameLoginName(start, pending, start.sent);
  const { typedName, userId } = pending.session;
  checkSecretHash(start.ports, start, [start.sent.USERNAME ?? '', typedName, userId], start.sent.SECRET_HASH);
  await askPreAuthentication(start, () => rebuildCandidate(start.ports, start, pending), start.validationData);
  return answerFactor({ ...start, nowMs: start.ports.clock.now() }, signUpFactor, { pending });
}

/** A first step of a login by password, and whether it is about a registration that is not confirmed. */
type PasswordStep = LoginStepContext & { readonly isRegistration: boolean };

async function newPasswordStep(start: FlowStart): Promise<PasswordStep> {
  const registered = await registrationCandidate(start.ports, start, start.sent.USERNAME ?? '', start.session);
  return { ...(await newLoginStep(start, registered)), isRegistration: registered !== undefined };
}

/**
 * Checks the secret hash, looks up who is logging in, and asks whether that one may.
 * @param known the candidate, where it is known without the name
 */
async function newLoginStep(start: FlowStart, known?: LoginCandidate): Promise<LoginStepContext> {
  const { ports, pool, client, sent, validationData } = start;
  const typedName = sent.USERNAME ?? '';
  checkSecretHash(ports, start, [typedName], sent.SECRET_HASH);
  const candidate = known ?? (await candidateForName(start, typedName));
  const step = { ports, pool, client, sent, candidate, validationData };
  await askPreAuthentication(step, () => candidate, validationData);
  return { ...step, nowMs: ports.clock.now() };
}

/** Where users are not hidden, a login for a name that nobody has ends here. */
async function candidateForName(start: FlowStart, typedName: string): Promise<LoginCandidate> {
  try {
    return await findCandidate(start.ports, start, typedName);
  } catch (cause) {
    if (cause instanceof ProviderError) await recordRefusedStart(start.ports, start, 'USERNAME', cause);
    throw cause;
  }
}

/** The request names no user: the secret hash is over the name of the one to whom the token belongs. */
async function startWithRefreshToken({ ports, pool, client, sent }: FlowStart): Promise<AuthResponse> {
  const tokens = await refreshTokens(ports, {
    pool,
    client,
    refreshToken: sent.REFRESH_TOKEN ?? '',
    deviceKey: sent.DEVICE_KEY,
    authorize: (user) => checkSecretHash(ports, { pool, client }, [user.username, user.sub], sent.SECRET_HASH),
  });
  return { AuthenticationResult: tokens, ChallengeParameters: {} };
}
