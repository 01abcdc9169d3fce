import { formatTimestamp } from '@poolgate/srp';
import { toPoolName } from '../../srp/pool-name.ts';
import { PoolgateError } from '../../transport/poolgate-error.ts';
import type { RouteBody } from '../../transport/routes.ts';
import { attemptStep } from './attempt-step.ts';
import { answerChallenge, type LoginRun, type PendingChallenge, type RetryOptions } from './login-run.ts';
import type { LoginStep, PasswordStep } from './login-steps.ts';

/** Starts SRP with an `SRP_A`. */
type StartSrp = (run: LoginRun, srpAHex: string) => Promise<LoginStep>;

/** Sends the session of a registration, until the password turns out to be a different one. */
const createSrpStart =
  (more: Omit<RouteBody<'loginSrp'>, 'username'>): StartSrp =>
  async (run, srp_a) => {
    const { username = '', registrations, withoutRegistration } = run;
    const session = registrations.get(username.toLowerCase());
    const registered = withoutRegistration ? { with_registration: false } : session && { session };
    return run.advance(
      run,
      await run.transport.send('loginSrp', { body: { username, srp_a, ...more, ...registered } }),
    );
  };

const startByUsername = createSrpStart({});

/** Like {@link startByUsername}, but the pool's triggers decide what follows. */
export const startForTriggers = createSrpStart({ custom: true });

/** Asks for the password. */
export function createPasswordStep(
  run: LoginRun,
  error: PoolgateError | null = null,
  start: StartSrp = startByUsername,
  startAgain: StartSrp = start,
): PasswordStep {
  const again = (failure: PoolgateError): PasswordStep => createPasswordStep(run, failure, start, startAgain);
  return {
    kind: 'password',
    username: run.username ?? null,
    error,
    submit: (password) => attemptStep(run, again, () => logInWithPassword(run, password, start, startAgain)),
  };
}

/** PASSWORD_SRP: asks for the password in a login that is already running. */
export function createPasswordSrpStep(run: LoginRun, challenge: PendingChallenge): PasswordStep {
  const start: StartSrp = (started, SRP_A) => answerChallenge(started, challenge, { SRP_A });
  return createPasswordStep(run, null, start, startByUsername);
}

/** A retry starts a new login, because the challenge that asked for the password is spent. */
async function logInWithPassword(
  run: LoginRun,
  password: string,
  startSrp: StartSrp,
  startAgain: StartSrp,
): Promise<LoginStep> {
  const start = await run.srp('start', null);
  const repeat = (changes: RetryOptions = {}): Promise<LoginStep> =>
    logInWithPassword({ ...run, ...changes }, password, startAgain, startAgain);
  return startSrp({ ...run, proof: { password, start }, repeat }, start.srpAHex);
}

/** PASSWORD_VERIFIER: proves the password, and names this user's device if one is stored here. */
export async function provePassword(run: LoginRun, challenge: PendingChallenge): Promise<LoginStep> {
  const { USER_ID_FOR_SRP = '' } = challenge.parameters;
  const { provider } = await run.parameters();
  if (run.proof === undefined) throw new PoolgateError({ code: 'unexpected_answer' });
  const owner = { userPoolId: provider.user_pool_id, username: USER_ID_FOR_SRP };
  const device = run.withoutDevice ? undefined : await run.devices.find(owner);
  const identity = { poolName: toPoolName(provider.user_pool_id), userIdForSrp: USER_ID_FOR_SRP };
  const claim = await signPasswordClaim(run, challenge, { ...run.proof.start, identity, password: run.proof.password });
  const next = { ...run, userIdForSrp: USER_ID_FOR_SRP, ...(device && { device }) };
  try {
    return await answerChallenge(next, challenge, { ...claim, ...(device && { DEVICE_KEY: device.deviceKey }) });
  } catch (error) {
    // The account may have a newer password than the registration.
    if (!challenge.parameters.REGISTRATION || (error as PoolgateError).status !== 401 || !run.repeat) throw error;
    return run.repeat({ withoutRegistration: true });
  }
}

/** The input of a claim, without the parts from the challenge. */
export interface PasswordClaimInput {
  readonly aHex: string;
  readonly srpAHex: string;
  readonly identity: { readonly poolName: string; readonly userIdForSrp: string };
  readonly password: string;
}

/** Signs a claim. The result contains no secret. */
export async function signPasswordClaim(
  run: LoginRun,
  { parameters }: PendingChallenge,
  prover: PasswordClaimInput,
): Promise<Readonly<Record<string, string>>> {
  const { SALT = '', SRP_B = '', SECRET_BLOCK = '' } = parameters;
  const timestamp = formatTimestamp(run.now());
  const received = { srpBHex: SRP_B, saltHex: SALT, secretBlockB64: SECRET_BLOCK };
  return {
    PASSWORD_CLAIM_SECRET_BLOCK: SECRET_BLOCK,
    PASSWORD_CLAIM_SIGNATURE: await run.srp('prove', { ...prover, ...received, timestamp }),
    TIMESTAMP: timestamp,
  };
}
