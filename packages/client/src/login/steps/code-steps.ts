import { PoolgateError } from '../../transport/poolgate-error.ts';
import { attemptStep } from './attempt-step.ts';
import { answerChallenge, type LoginRun, type PendingChallenge } from './login-run.ts';
import type { LoginStep, RecoveryCodeStep, SentCodeStep, TotpStep } from './login-steps.ts';

/** How long the client waits before it offers another code. */
const RESEND_WAIT_MS = 30_000;

/** Asks for the code of an authenticator app. */
export function createTotpStep(
  run: LoginRun,
  challenge: PendingChallenge,
  error: PoolgateError | null = null,
): TotpStep {
  const again = (failure: PoolgateError): TotpStep => createTotpStep(run, challenge, failure);
  return {
    kind: 'totp',
    username: run.username ?? null,
    error,
    authenticator: challenge.parameters.FRIENDLY_DEVICE_NAME ?? null,
    submit: (code) => attemptStep(run, again, () => answerChallenge(run, challenge, code)),
    useRecoveryCode: () => createRecoveryCodeStep(run, challenge, () => createTotpStep(run, challenge)),
  };
}

/** What a step with a sent code knows in addition to its challenge. */
interface SentCode {
  readonly channel: 'email' | 'sms';
  readonly resendAtMs: number;
  readonly expiresAtMs: number | null;
  readonly codesLeft: number;
  readonly error: PoolgateError | null;
}

const HOUR_MS = 3_600_000;
/** The service sends so many codes an hour to a browser that keeps the session of the first one. */
const CODES_PER_HOUR = 5;

/** Asks for a code that the service just sent. */
export function createSentCodeStep(channel: SentCode['channel']) {
  return async (run: LoginRun, challenge: PendingChallenge): Promise<SentCodeStep> => {
    const { startedAtMs, expiresAtMs } = challenge.times ?? (await createCodeTimes(run));
    const codesLeft = countCodesLeft(run, challenge, `${channel} ${challenge.isFirst} ${run.username}`);
    return createSentStep(run, challenge, {
      channel,
      resendAtMs: startedAtMs + RESEND_WAIT_MS,
      expiresAtMs,
      codesLeft,
      error: null,
    });
  };
}

/** @param key what asked for the code */
function countCodesLeft({ sentCodes, now }: LoginRun, { times }: PendingChallenge, key: string): number {
  const nowMs = now();
  const recent = (sentCodes.get(key) ?? []).filter((atMs) => atMs > nowMs - HOUR_MS);
  const sent = times
    ? Array.from({ length: Math.max(times.codesSent, recent.length) }, () => times.startedAtMs)
    : [...recent, nowMs];
  sentCodes.set(key, sent);
  return Math.max(0, CODES_PER_HOUR - sent.length);
}

async function createCodeTimes({ now, parameters }: LoginRun) {
  const startedAtMs = now();
  const { challenge_seconds: seconds } = await parameters();
  // A service of an earlier version does not tell.
  return { startedAtMs, expiresAtMs: seconds == null ? null : startedAtMs + seconds * 1000 };
}

function createSentStep(run: LoginRun, challenge: PendingChallenge, sent: SentCode): SentCodeStep {
  const again = (error: PoolgateError): SentCodeStep => createSentStep(run, challenge, { ...sent, error });
  const { repeat } = run;
  const isSecondFactor = !challenge.isFirst;
  return {
    kind: 'sentCode',
    username: run.username ?? null,
    error: sent.error,
    channel: sent.channel,
    destination: challenge.parameters.CODE_DELIVERY_DESTINATION ?? null,
    isSecondFactor,
    resendAtMs: sent.resendAtMs,
    expiresAtMs: sent.expiresAtMs,
    codesLeft: sent.codesLeft,
    submit: (code) => attemptStep(run, again, () => answerChallenge(run, challenge, code)),
    resend: repeat === undefined ? null : () => resendCode(run, { sent, repeat, again }),
    useRecoveryCode: isSecondFactor
      ? () => createRecoveryCodeStep(run, challenge, () => createSentStep(run, challenge, { ...sent, error: null }))
      : null,
  };
}

interface ResendInput {
  readonly sent: SentCode;
  readonly repeat: () => Promise<LoginStep>;
  readonly again: (error: PoolgateError) => SentCodeStep;
}

/** If the service says how long to wait, so does the step. */
async function resendCode(run: LoginRun, { sent, repeat, again }: ResendInput): Promise<LoginStep> {
  const waitMs = sent.resendAtMs - run.now();
  if (waitMs > 0) {
    return again(new PoolgateError({ code: 'too_many_requests', retryAfterSeconds: Math.ceil(waitMs / 1000) }));
  }
  const tooEarly = (error: PoolgateError): LoginStep => {
    const { retryAfterSeconds = 0 } = error;
    return { ...again(error), resendAtMs: run.now() + retryAfterSeconds * 1000 };
  };
  return attemptStep(run, tooEarly, repeat);
}

function createRecoveryCodeStep(
  run: LoginRun,
  challenge: PendingChallenge,
  back: RecoveryCodeStep['back'],
  error: PoolgateError | null = null,
): RecoveryCodeStep {
  const again = (failure: PoolgateError): RecoveryCodeStep => createRecoveryCodeStep(run, challenge, back, failure);
  return {
    kind: 'recoveryCode',
    username: run.username ?? null,
    error,
    submit: (code) => attemptStep(run, again, () => answerChallenge(run, challenge, code.trim())),
    back,
  };
}
