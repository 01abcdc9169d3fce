import type { PoolgateError } from '../../errors.ts';
import type { AnswerOf } from '../../routes.ts';
import { attempt } from '../attempt.ts';
import { answer, type LoginRun, type PendingChallenge } from '../run.ts';
import type { CustomStep, LoginStep, SetUpAuthenticatorStep } from '../steps.ts';

type Activation = AnswerOf<'mfaActivate'>;

/** MFA_SETUP: asks the service for a secret, and the user to put it into an app. */
export async function startSetUp(run: LoginRun, challenge: PendingChallenge): Promise<LoginStep> {
  const named = run.username === undefined ? {} : { username: run.username };
  const activation = await run.transport.send('mfaActivate', { body: { session: challenge.session, ...named } });
  return setUpStep(run, challenge, activation);
}

function setUpStep(
  run: LoginRun,
  challenge: PendingChallenge,
  activation: Activation,
  error: PoolgateError | null = null,
): SetUpAuthenticatorStep {
  const again = (failure: PoolgateError): SetUpAuthenticatorStep => setUpStep(run, challenge, activation, failure);
  return {
    kind: 'setUpAuthenticator',
    username: run.username ?? null,
    error,
    secretCode: activation.SecretCode,
    qrCodeUrl: activation.SecretCodeQR,
    uri: activation.TotpUri,
    submit: (code, name) => attempt(run, again, () => verify(run, challenge, { activation, code, name })),
  };
}

interface Verification {
  readonly activation: Activation;
  readonly code: string;
  readonly name: string | undefined;
}

async function verify(
  run: LoginRun,
  challenge: PendingChallenge,
  { activation, code, name }: Verification,
): Promise<LoginStep> {
  const { session = challenge.session } = activation;
  const body = { session, code, ...(name === undefined ? {} : { device_name: name }) };
  const verified = await run.transport.send('mfaVerify', { body });
  return answer(run, { ...challenge, session: verified.session ?? session });
}

/** CUSTOM_CHALLENGE: what it shows and what is answered is up to the operator's triggers. */
export function customStep(run: LoginRun, challenge: PendingChallenge, error: PoolgateError | null = null): CustomStep {
  const again = (failure: PoolgateError): CustomStep => customStep(run, challenge, failure);
  return {
    kind: 'custom',
    username: run.username ?? null,
    error,
    parameters: challenge.parameters,
    submit: (text) => attempt(run, again, () => answer(run, challenge, text)),
  };
}
