import type { AnyRouteName, ROUTES, Static } from '@poolgate/contract';
import { GatewayError } from '../kernel/gateway-errors.ts';
import { createQrCodeUrl } from '../mfa/qr-code.ts';
import type { GatewayRuntime } from '../runtime/runtime.ts';
import type { Browser } from './browser.ts';
import {
  type ChallengeBody,
  listRecentCodes,
  type UnfinishedCode,
  type UnfinishedFlow,
  type UnfinishedLogin,
} from './unfinished-flow.ts';

const HOUR_MS = 3_600_000;
/** Used if the provider does not report how long a challenge lives. No challenge lives longer (Cognito's limit is 15 minutes). */
const LONGEST_CHALLENGE_SECONDS = 900;

/** Challenges that the user answers. The page answers the others itself, because it still has the password for them. */
const SHOWN_CHALLENGES: ReadonlySet<string> = new Set([
  'SELECT_CHALLENGE',
  'SELECT_MFA_TYPE',
  'SOFTWARE_TOKEN_MFA',
  'SMS_MFA',
  'EMAIL_OTP',
  'SMS_OTP',
  'MFA_SETUP',
  'WEB_AUTHN',
  'CUSTOM_CHALLENGE',
]);

/** Challenges that send a code. */
const CODE_CHALLENGES: ReadonlySet<string> = new Set(['EMAIL_OTP', 'SMS_MFA', 'SMS_OTP']);

type ChoiceStep = Static<(typeof ROUTES)['passkeyChallenge']['responses'][200]['schema']>;
type Activation = Static<(typeof ROUTES)['mfaActivate']['responses'][200]['schema']>;

/** The members that a request to one of these routes may have. */
interface FlowRequest {
  readonly username?: string;
  readonly email?: string;
  readonly session?: string;
}

type RememberStep = (runtime: GatewayRuntime, browser: Browser, asked: FlowRequest, answer: object) => void;

/** Routes whose response begins, continues or finishes a flow of the browser. */
const STEPS: { readonly [Name in AnyRouteName]?: RememberStep } = {
  loginSrp: rememberChallenge,
  loginCustom: rememberChallenge,
  webLogin: rememberChallenge,
  webLoginAnswer: rememberChallenge,
  passkeyChallenges: rememberChoice,
  passkeyChallenge: rememberChoice,
  mfaActivate: rememberAuthenticator,
  register: createCodeStep('sign_up', 24 * HOUR_MS),
  registerResend: createCodeStep('sign_up', 24 * HOUR_MS),
  registerVerify: createEndStep('sign_up'),
  registerVerifyLink: createEndStep('sign_up'),
  passwordForgot: createCodeStep('reset', HOUR_MS),
  passwordReset: createEndStep('reset'),
};

/** Remembers the browser's step after a route's response, so that a reloaded page can show that step again. */
export function rememberFlow(
  runtime: GatewayRuntime,
  route: AnyRouteName,
  browser: Browser | null | undefined,
  { request, answer }: { readonly request: object; readonly answer: unknown },
): void {
  if (!browser) return;
  const { body = {} } = request as { readonly body?: FlowRequest };
  STEPS[route]?.(runtime, browser, body, answer as object);
}

/** A rejected session can no longer be answered, so a reload starts the flow again. */
export function forgetRefusedFlow(browser: Browser | null | undefined, request: object, error: unknown): void {
  if (!(error instanceof GatewayError) || !FINAL_CODES.has(error.code)) return;
  const flow = browser?.unfinishedFlow;
  const { body } = request as { readonly body?: FlowRequest };
  if (flow?.flow === 'login' && body?.session === flow.challenge.session) browser?.setUnfinishedFlow(undefined);
}

const FINAL_CODES: ReadonlySet<string> = new Set(['invalid_session', 'invalid_credentials', 'challenge_mismatch']);

/** The authenticator that this login has started already; undefined if it has none. */
export function findStartedAuthenticator(
  { settings }: GatewayRuntime,
  route: AnyRouteName,
  browser: Browser | null | undefined,
  request: object,
): { readonly status: 200; readonly body: Activation } | undefined {
  const flow = browser?.unfinishedFlow;
  const { body } = request as { readonly body?: FlowRequest };
  if (route !== 'mfaActivate' || flow?.flow !== 'login' || flow.authenticator === undefined) return undefined;
  if (body?.session !== flow.challenge.session) return undefined;
  const { secretCode, totpUri, session } = flow.authenticator;
  return {
    status: 200,
    body: {
      status: 'success',
      message: 'Add this secret to an authenticator app and verify it with a code.',
      data: {},
      SecretCode: secretCode,
      SecretCodeQR: createQrCodeUrl(settings.mfaQrLibrary, totpUri),
      TotpUri: totpUri,
      ...(session === undefined ? {} : { session }),
    },
  };
}

function rememberChallenge(runtime: GatewayRuntime, browser: Browser, _asked: FlowRequest, answer: object): void {
  const challenge = answer as ChallengeBody;
  if (challenge.status !== 'challenge') return;
  const isShown = SHOWN_CHALLENGES.has(challenge.challenge_name);
  browser.setUnfinishedFlow(isShown ? createUnfinishedLogin(runtime, browser, challenge, false) : undefined);
}

function rememberChoice(runtime: GatewayRuntime, browser: Browser, asked: FlowRequest, answer: object): void {
  const { ChallengeName, Session, ChallengeParameters, AvailableChallenges } = answer as ChoiceStep;
  const username = asked.username ?? asked.email;
  if (username === undefined || !SHOWN_CHALLENGES.has(ChallengeName)) return;
  const challenge: ChallengeBody = {
    status: 'challenge',
    challenge_name: ChallengeName,
    session: Session,
    session_token: Session,
    challenge_params: ChallengeParameters,
    available_challenges: AvailableChallenges,
    username,
  };
  browser.setUnfinishedFlow(createUnfinishedLogin(runtime, browser, challenge, true));
}

function createUnfinishedLogin(
  { clock, settings }: GatewayRuntime,
  { unfinishedFlow: before }: Browser,
  challenge: ChallengeBody,
  isFirst: boolean,
): UnfinishedLogin {
  const startedAtMs = clock.now();
  const { challenge_name: name, username } = challenge;
  const isSame =
    before?.flow === 'login' &&
    before.isFirst === isFirst &&
    before.challenge.username === username &&
    before.challenge.challenge_name === name;
  const codes = CODE_CHALLENGES.has(name) ? { codesSentAtMs: addCode(isSame ? before : undefined, startedAtMs) } : {};
  const endsAtMs = startedAtMs + (settings.challengeSeconds ?? LONGEST_CHALLENGE_SECONDS) * 1000;
  return { flow: 'login', challenge, isFirst, startedAtMs, endsAtMs, ...codes };
}

/** A code more than those that this browser got for the same step within the hour. */
const addCode = (before: UnfinishedFlow | undefined, nowMs: number): readonly number[] => [
  ...(before === undefined ? [] : listRecentCodes(before, nowMs)),
  nowMs,
];

function rememberAuthenticator(_runtime: GatewayRuntime, browser: Browser, asked: FlowRequest, answer: object): void {
  const { SecretCode: secretCode, TotpUri: totpUri, session } = answer as Activation;
  const flow = browser.unfinishedFlow;
  if (flow?.flow !== 'login' || asked.session !== flow.challenge.session) return;
  const authenticator = { secretCode, totpUri, ...(session === undefined ? {} : { session }) };
  browser.setUnfinishedFlow({ ...flow, authenticator });
}

function createCodeStep(flow: UnfinishedCode['flow'], lifeMs: number): RememberStep {
  return ({ clock }, browser, { username, email }) => {
    // The sign-up page may have generated a random username, so the email address takes precedence.
    const name = email ?? username;
    if (name === undefined) return;
    const startedAtMs = clock.now();
    const before = browser.unfinishedFlow;
    const codesSentAtMs = addCode(before?.flow === flow && before.username === name ? before : undefined, startedAtMs);
    browser.setUnfinishedFlow({ flow, username: name, startedAtMs, endsAtMs: startedAtMs + lifeMs, codesSentAtMs });
  };
}

function createEndStep(flow: UnfinishedCode['flow']): RememberStep {
  return (runtime, browser, asked, answer) => {
    if (browser.unfinishedFlow?.flow === flow) browser.setUnfinishedFlow(undefined);
    const { login } = answer as { readonly login?: object };
    if (login !== undefined) rememberChallenge(runtime, browser, asked, login);
  };
}
