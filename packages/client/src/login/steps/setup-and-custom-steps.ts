import type { PoolgateError } from '../../transport/poolgate-error.ts';
import type { RouteResponse } from '../../transport/routes.ts';
import { attemptStep } from './attempt-step.ts';
import { answerChallenge, type LoginRun, type PendingChallenge } from './login-run.ts';
import type { CustomStep, KeepAccountStep, LoginStep, SetUpAuthenticatorStep } from './login-steps.ts';

type Activation = RouteResponse<'mfaActivate'>;

/** MFA_SETUP: fetches a secret from the service, which the user enters into an app. */
export async function startAuthenticatorSetup(run: LoginRun, challenge: PendingChallenge): Promise<LoginStep> {
  const named = run.username === undefined ? {} : { username: run.username };
  const activation = await run.transport.send('mfaActivate', { body: { session: challenge.session, ...named } });
  return createAuthenticatorSetupStep(run, challenge, activation);
}

function createAuthenticatorSetupStep(
  run: LoginRun,
  challenge: PendingChallenge,
  activation: Activation,
  error: PoolgateError | null = null,
): SetUpAuthenticatorStep {
  const again = (failure: PoolgateError): SetUpAuthenticatorStep =>
    createAuthenticatorSetupStep(run, challenge, activation, failure);
  return {
    kind: 'setUpAuthenticator',
    username: run.username ?? null,
    error,
    secretCode: activation.SecretCode,
    qrCodeUrl: activation.SecretCodeQR,
    uri: activation.TotpUri,
    submit: (code, name) =>
      attemptStep(run, again, () => verifyAuthenticator(run, challenge, { activation, code, name })),
  };
}

interface Verification {
  readonly activation: Activation;
  readonly code: string;
  readonly name: string | undefined;
}

async function verifyAuthenticator(
  run: LoginRun,
  challenge: PendingChallenge,
  { activation, code, name }: Verification,
): Promise<LoginStep> {
  const { session = challenge.session } = activation;
  const body = { session, code, ...(name === undefined ? {} : { device_name: name }) };
  const verified = await run.transport.send('mfaVerify', { body });
  return answerChallenge(run, { ...challenge, session: verified.session ?? session });
}

/** The parameter of a CUSTOM_CHALLENGE that asks whether to keep an account that waits for its deletion, and the answer that keeps it. */
const KEEP_ACCOUNT = 'KEEP_ACCOUNT';

/** CUSTOM_CHALLENGE: the service asks whether to keep the account, or the operator's triggers ask something. */
export function createQuestionStep(run: LoginRun, challenge: PendingChallenge): CustomStep | KeepAccountStep {
  const deletionAt = challenge.parameters[KEEP_ACCOUNT];
  return deletionAt === undefined
    ? createCustomStep(run, challenge)
    : createKeepAccountStep(run, challenge, deletionAt);
}

function createKeepAccountStep(
  run: LoginRun,
  challenge: PendingChallenge,
  deletionAt: string,
  error: PoolgateError | null = null,
): KeepAccountStep {
  const again = (failure: PoolgateError) => createKeepAccountStep(run, challenge, deletionAt, failure);
  return {
    kind: 'keepAccount',
    username: run.username ?? null,
    error,
    deletionAt,
    keep: () => attemptStep(run, again, () => answerChallenge(run, challenge, KEEP_ACCOUNT)),
  };
}

/** The operator's triggers define its parameters and answers. */
function createCustomStep(run: LoginRun, challenge: PendingChallenge, error: PoolgateError | null = null): CustomStep {
  const again = (failure: PoolgateError): CustomStep => createCustomStep(run, challenge, failure);
  return {
    kind: 'custom',
    username: run.username ?? null,
    error,
    parameters: challenge.parameters,
    submit: (text) => attemptStep(run, again, () => answerChallenge(run, challenge, text)),
  };
}
