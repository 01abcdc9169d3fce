import { AUTH_FLOWS, type AuthFlow, type Input, ProviderError, parseAuthFlow } from '@poolgate/provider';
import type { LoginCandidate } from '../identity/login-candidate.ts';
import { flowNotAllowedError, wrongChallengeError } from '../identity/login-errors.ts';
import { findLocalUser } from '../identity/user-records.ts';
import { checkSrpA } from '../proofs/passwords/srp-exchange.ts';
import { checkSecretHash, type PoolAndClient } from '../settings/pools-and-clients.ts';
import { refreshTokens } from '../tokens/token-refresh.ts';
import { findConfiguredTrigger, requireConfiguredTrigger } from '../triggers/configured-triggers.ts';
import type { CustomAuthStepResult } from '../triggers/custom-auth-triggers.ts';
import type { TriggerData } from '../triggers/trigger-definitions.ts';
import { createLoginCandidate, findLoginCandidate } from '../users/find-login-candidate.ts';
import { answerFactor, continueCustomAuth } from './answer-factor.ts';
import { requireParameters, withoutEmptyParameters } from './auth-parameters.ts';
import { type AuthResponse, type FirstChallengeName, issueFirstChallenge } from './auth-response.ts';
import { type ChallengeSession, decryptChallengeSession } from './challenge-session.ts';
import type { Factor, LevelTarget, LoginStep, ParameterMap } from './challenges/challenge.ts';
import type { LoginPorts } from './challenges/login-ports.ts';
import { POOL_CHALLENGES } from './challenges/pool-challenges.ts';
import { registrationPasswordFactor } from './challenges/registration-verifier-challenge.ts';
import { resolveChosenFactor } from './chosen-factor.ts';
import { invokePreAuthentication } from './invoke-pre-authentication.ts';
import { findCodeFactor } from './login-after-code.ts';
import { readFirstDeviceKey } from './login-attempt.ts';
import { canMigrateUsers } from './migrate-user.ts';
import { requireCurrentCandidate, requirePendingSession, requireSameLoginName } from './pending-session.ts';
import { recordFailedLogin } from './record-decision.ts';
import { findRegistrationCandidate } from './registration-candidate.ts';
import { readRequestedLevel } from './requested-level.ts';
import { startStepUp } from './step-up.ts';

/** The operation that starts a login. */
export type InitiateAuthOperation = 'InitiateAuth' | 'AdminInitiateAuth';

/** The first request of a login, whose required keys were checked. */
export interface LoginStart extends PoolAndClient {
  readonly ports: LoginPorts;
  readonly sent: ParameterMap;
  /** The `Session` in addition to the parameters. */
  readonly session: string | undefined;
  /** The request's data for triggers. */
  readonly validationData: TriggerData | undefined;
  /** The level that the login must reach; undefined if none was requested. */
  readonly target?: LevelTarget | undefined;
}

/** What this pool does with a flow. The provider's table of flows has the parameters and operations. */
interface FlowRow {
  /** The error message if the client does not allow the flow. In Cognito, each flow has its own. */
  readonly disabledMessage: string;
  readonly start: (start: LoginStart) => Promise<AuthResponse>;
}

/** What this pool does with each flow. */
const POOL_FLOWS: Readonly<Record<AuthFlow, FlowRow>> = {
  ADMIN_USER_PASSWORD_AUTH: { disabledMessage: 'Auth flow not enabled for this client', start: startWithPassword },
  CUSTOM_AUTH: { disabledMessage: 'CUSTOM_AUTH is not enabled for the client.', start: startCustomAuth },
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
 * @throws {ProviderError} the errors of `InitiateAuth`
 */
export async function startLogin(
  ports: LoginPorts,
  scope: PoolAndClient,
  operation: InitiateAuthOperation,
  input: Pick<Input<'InitiateAuth'>, 'AuthFlow' | 'AuthParameters' | 'ClientMetadata' | 'Session'>,
): Promise<AuthResponse> {
  const flow = parseAuthFlow(input.AuthFlow);
  if (flow === undefined || !isStartedBy(flow, operation))
    throw flowNotAllowedError('Initiate Auth method not supported');
  const row = POOL_FLOWS[flow];
  if (!scope.client.settings.allowedFlows.includes(flow)) throw flowNotAllowedError(row.disabledMessage);
  const sent = withoutEmptyParameters(input.AuthParameters);
  requireParameters(sent, AUTH_FLOWS[flow].parameters.required);
  const { Session, ClientMetadata: validationData } = input;
  return row.start({ ports, ...scope, sent, session: Session || undefined, validationData });
}

function isStartedBy(flow: AuthFlow, operation: InitiateAuthOperation): boolean {
  const startedBy: readonly InitiateAuthOperation[] = AUTH_FLOWS[flow].startedBy;
  return startedBy.includes(operation);
}

function startWithPassword(start: LoginStart): Promise<AuthResponse> {
  return answerPassword(start, POOL_CHALLENGES.PASSWORD);
}

/** Verifies the password of the first request: against the registration whose session was sent, and otherwise against the user. */
export async function answerPassword(start: LoginStart, factor: Factor): Promise<AuthResponse> {
  const { isRegistration, ...step } = await createPasswordStep(start, factor.allowsMigration === true);
  if (!isRegistration) return answerFactor(step, factor, { candidate: step.candidate });
  try {
    return await answerFactor(step, registrationPasswordFactor, { candidate: step.candidate });
  } catch (cause) {
    if (!(cause instanceof ProviderError) || cause.reason === 'registration_unconfirmed') throw cause;
    return answerPassword({ ...start, session: undefined }, factor);
  }
}

async function startWithSrp(start: LoginStart): Promise<AuthResponse> {
  checkSrpA(start.sent);
  // If users are not hidden, a login for an unknown name ends before its challenge gives the hint.
  if (findConfiguredTrigger(start.pool.settings, 'UserMigration')) start.ports.hint?.('srp_without_migration');
  const { isRegistration, ...step } = await createPasswordStep(start, false);
  return issueFirstChallenge(step, isRegistration ? 'REGISTRATION_VERIFIER' : 'PASSWORD_VERIFIER');
}

/**
 * Starts a login whose order the triggers decide, with the password if the client says so.
 * @see https://docs.aws.amazon.com/cognito/latest/developerguide/user-pool-lambda-challenge.html
 */
async function startCustomAuth(start: LoginStart): Promise<AuthResponse> {
  const { pool, sent } = start;
  requireConfiguredTrigger(pool.settings, 'DefineAuthChallenge');
  const begins = sent.CHALLENGE_NAME === 'SRP_A';
  if (begins) {
    requireParameters(sent, ['SRP_A']);
    checkSrpA(sent);
  }
  const custom: readonly CustomAuthStepResult[] = begins ? [{ challengeName: 'SRP_A', challengeResult: true }] : [];
  const step = { ...(await createLoginStep(start)), custom };
  return continueCustomAuth({ step, proofs: [], deviceKey: readFirstDeviceKey(pool, sent), isBoundToDevice: false });
}

/**
 * A choice in the first request counts as an answer to the list of choices. The session of a sign-up or a
 * password reset whose code was just entered needs no choice. With the session of an earlier code, the same choice sends another code.
 * @see https://docs.aws.amazon.com/cognito/latest/developerguide/authentication-flows-selection-sdk.html
 */
async function startWithChoice(asked: LoginStart): Promise<AuthResponse> {
  const level = await readRequestedLevel(asked.ports, asked, asked.sent);
  const start = { ...asked, target: level?.target };
  if (level?.from !== undefined) {
    const step = await createLoginStep(start);
    return (await startStepUp({ ...step, target: level.target }, level.from)) ?? startFromScratch(start, step);
  }
  return startFromScratch(start);
}

async function startFromScratch(start: LoginStart, earlierStep?: LoginStep): Promise<AuthResponse> {
  const { PREFERRED_CHALLENGE: choice } = start.sent;
  const earlier = start.session === undefined ? undefined : decryptChallengeSession(start.ports, start, start.session);
  const isRepeated = choice !== undefined && earlier?.challenge === choice;
  if (start.session !== undefined && !isRepeated) {
    if (start.target === undefined) return continueAfterCode(start, start.session);
    // The code of a sign-up reaches no level.
    throw new ProviderError('InvalidParameterException', 'TARGET_ACR_VALUES cannot be used with a Session.');
  }
  const begun =
    earlierStep ?? (await createLoginStep(start, { mayMigrate: choice === undefined || choice === 'PASSWORD' }));
  const step = { ...begun, isResend: isRepeated && isLiveSessionForCandidate(earlier, begun) };
  if (choice === undefined) return issueFirstChallenge(step, 'SELECT_CHALLENGE');
  const sent = { ...step.sent, ANSWER: choice };
  const factor = resolveChosenFactor(start.pool.settings, choice, sent);
  const first = factor === POOL_CHALLENGES.SELECT_CHALLENGE ? findChallengeWithoutMessage(choice) : undefined;
  // There is nothing to decide, so nothing is written.
  if (first !== undefined) return issueFirstChallenge(step, first);
  return answerFactor({ ...step, sent }, factor, { candidate: step.candidate });
}

/** Whether it is the session of an earlier code for this user, who may not exist. */
function isLiveSessionForCandidate(
  { userId, expiresAtMs }: ChallengeSession,
  { candidate, nowMs }: LoginStep,
): boolean {
  return userId === candidate.userId && expiresAtMs > nowMs;
}

const WITHOUT_MESSAGE = ['PASSWORD', 'PASSWORD_SRP', 'WEB_AUTHN'] as const satisfies readonly FirstChallengeName[];

function findChallengeWithoutMessage(choice: string): FirstChallengeName | undefined {
  return WITHOUT_MESSAGE.find((name) => name === choice);
}

async function continueAfterCode(start: LoginStart, session: string): Promise<AuthResponse> {
  const answer = { session, responses: start.sent };
  const pending = requirePendingSession(start.ports, start, 'session', answer);
  const factor = findCodeFactor(pending.session.challenge);
  if (factor === undefined) throw wrongChallengeError();
  requireSameLoginName(start, pending, start.sent);
  const { typedName, userId } = pending.session;
  checkSecretHash(start.ports, start, [start.sent.USERNAME ?? '', typedName, userId], start.sent.SECRET_HASH);
  await invokePreAuthentication(
    start,
    () => requireCurrentCandidate(start.ports, start, pending),
    start.validationData,
  );
  return answerFactor({ ...start, nowMs: start.ports.clock.now() }, factor, { pending });
}

/** The first step of a password login, and whether it concerns an unconfirmed registration. */
type PasswordStep = LoginStep & { readonly isRegistration: boolean };

async function createPasswordStep(start: LoginStart, mayMigrate: boolean): Promise<PasswordStep> {
  const registered = await findRegistrationCandidate(start.ports, start, start.sent.USERNAME ?? '', start.session);
  return { ...(await createLoginStep(start, { registered, mayMigrate })), isRegistration: registered !== undefined };
}

interface CandidateLookup {
  /** The candidate of a registration, which needs no lookup by name. */
  readonly registered?: LoginCandidate | undefined;
  /** Whether this login contains a password that can migrate a user of an older system. */
  readonly mayMigrate?: boolean;
}

/** Checks the secret hash, looks up the user, and asks the trigger whether the user may log in. */
async function createLoginStep(start: LoginStart, lookup: CandidateLookup = {}): Promise<LoginStep> {
  const { ports, pool, client, sent, validationData, target } = start;
  const typedName = sent.USERNAME ?? '';
  checkSecretHash(ports, start, [typedName], sent.SECRET_HASH);
  const candidate = lookup.registered ?? (await findCandidateForName(start, typedName, lookup.mayMigrate === true));
  const step = { ports, pool, client, sent, candidate, validationData, target };
  await invokePreAuthentication(step, () => candidate, validationData);
  return { ...step, nowMs: ports.clock.now() };
}

/** If users are not hidden, a login for an unknown name ends here, unless its password can migrate the user. */
async function findCandidateForName(
  start: LoginStart,
  typedName: string,
  mayMigrate: boolean,
): Promise<LoginCandidate> {
  if (mayMigrate && canMigrateUsers(start)) {
    return createLoginCandidate(
      start.ports,
      start.pool,
      typedName,
      await findLocalUser(start.ports, start.pool, typedName),
    );
  }
  try {
    return await findLoginCandidate(start.ports, start, typedName);
  } catch (cause) {
    if (cause instanceof ProviderError) await recordFailedLogin(start.ports, start, 'USERNAME', cause);
    throw cause;
  }
}

/** The request names no user, so the secret hash uses the name of the token's user. */
async function startWithRefreshToken({ ports, pool, client, sent }: LoginStart): Promise<AuthResponse> {
  const tokens = await refreshTokens(ports, {
    pool,
    client,
    refreshToken: sent.REFRESH_TOKEN ?? '',
    deviceKey: sent.DEVICE_KEY,
    authorize: (user) => checkSecretHash(ports, { pool, client }, [user.username, user.sub], sent.SECRET_HASH),
  });
  return { AuthenticationResult: tokens, ChallengeParameters: {} };
}
