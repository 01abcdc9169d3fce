import { ProviderError } from '@poolgate/provider';
import { makeDeviceVerifier } from '@poolgate/srp';
import { type Finding, failed, ok, warn } from '../finding.ts';
import { CALL, proveDevice, proveUser, type Step } from './login.ts';
import { keepTokens, type Rehearsal, requireTokens } from './rehearsal-state.ts';
import { tokenProblem } from './token-check.ts';
import { rehearseTotp } from './totp.ts';

/** One step of a rehearsal. */
interface RehearsalStep {
  readonly name: string;
  readonly applies: (rehearsal: Rehearsal) => boolean;
  readonly run: (rehearsal: Rehearsal) => Promise<Finding>;
}

const always = (): boolean => true;
const hasNewDevice = ({ newDevice }: Rehearsal): boolean => newDevice !== undefined;
const hasDevice = ({ device }: Rehearsal): boolean => device !== undefined;

/** The steps in their order. */
export const STEPS: readonly RehearsalStep[] = [
  { name: 'login', applies: always, run: logIn },
  { name: 'tokens', applies: always, run: checkTokens },
  { name: 'authenticator', applies: ({ withTotp }) => withTotp, run: rehearseTotp },
  { name: 'device', applies: hasNewDevice, run: registerDevice },
  { name: 'device login', applies: hasDevice, run: logInOnDevice },
  { name: 'refresh', applies: always, run: refresh },
  { name: 'device removed', applies: hasDevice, run: removeDevice },
  { name: 'revocation', applies: always, run: revoke },
];

/** What to do about a challenge that a test user should not meet. */
const CHALLENGE_ADVICE: Partial<Readonly<Record<NonNullable<Step['ChallengeName']>, string>>> = {
  NEW_PASSWORD_REQUIRED: 'Give the test user a permanent password.',
  MFA_SETUP: 'The pool demands a second factor: take a user and a pool for whom it is optional.',
};
const HAS_FACTOR = 'Take a test user without a second factor.';

async function logIn(rehearsal: Rehearsal): Promise<Finding> {
  const step = await proveUser(rehearsal);
  if (!keepTokens(rehearsal, step)) return unexpectedChallenge(step);
  if (!hasNewDevice(rehearsal)) {
    return warn(
      'The login by SRP works, and the pool said nothing of a new device.',
      'Set DeviceConfiguration of the pool, with both of its members true.',
    );
  }
  return ok('The login by SRP works.');
}

function unexpectedChallenge({ ChallengeName: name }: Step): Finding {
  const advice = (name && CHALLENGE_ADVICE[name]) ?? HAS_FACTOR;
  return failed(`The login did not end: it asks for ${name ?? 'nothing, and gives no tokens'}.`, advice);
}

async function checkTokens(rehearsal: Rehearsal): Promise<Finding> {
  const { subject, context } = rehearsal;
  const { access, id } = requireTokens(rehearsal);
  const [description, keys = []] = await Promise.all([
    subject.provider.describe(subject.userPoolId),
    subject.provider.signingKeys(subject.userPoolId),
  ]);
  const expected = { issuer: description?.issuer ?? '', clientId: subject.clientId, nowMs: context.clock.now() };
  const problems = [
    { name: 'access', problem: tokenProblem(access, keys, { ...expected, use: 'access' }) },
    { name: 'ID', problem: tokenProblem(id, keys, { ...expected, use: 'id' }) },
  ];
  const wrong = problems.find(({ problem }) => problem !== undefined);
  if (wrong === undefined) return ok('Access and ID token verify with the published keys.');
  return failed(`The ${wrong.name} token ${wrong.problem}.`, 'Check IDP_ISSUER, IDP_JWKS_URL and IDP_CLIENT_ID.');
}

async function registerDevice(rehearsal: Rehearsal): Promise<Finding> {
  const { subject, context, newDevice: device } = rehearsal;
  if (device === undefined) throw new TypeError('newDevice: no login before has named one');
  const { access } = requireTokens(rehearsal);
  const { devicePassword, config } = makeDeviceVerifier({ ...context, device });
  const { confirmDevice, updateDeviceStatus } = subject.provider.operations;
  const named = { AccessToken: access, DeviceKey: device.deviceKey };
  const { UserConfirmationNecessary } = await confirmDevice(
    { ...named, DeviceName: 'poolgate doctor', DeviceSecretVerifierConfig: config },
    CALL,
  );
  rehearsal.device = { ...device, devicePassword };
  if (UserConfirmationNecessary) {
    await updateDeviceStatus({ ...named, DeviceRememberedStatus: 'remembered' }, CALL);
  }
  return ok('A device is registered and remembered.');
}

async function logInOnDevice(rehearsal: Rehearsal): Promise<Finding> {
  const { device } = rehearsal;
  if (device === undefined) throw new TypeError('device: no step before has registered one');
  const asked = await proveUser(rehearsal, device);
  if (asked.ChallengeName !== 'DEVICE_SRP_AUTH') {
    return keepTokens(rehearsal, asked)
      ? warn(
          'The login on the device ended without a proof of the device.',
          'Set ChallengeRequiredOnNewDevice in the DeviceConfiguration of the pool to true.',
        )
      : unexpectedChallenge(asked);
  }
  const step = await proveDevice(rehearsal, asked, device);
  return keepTokens(rehearsal, step) ? ok('The device logs in by its own SRP proof.') : unexpectedChallenge(step);
}

async function refresh(rehearsal: Rehearsal): Promise<Finding> {
  const before = requireTokens(rehearsal);
  const step = await refreshed(rehearsal, before.refresh);
  if (!keepTokens(rehearsal, step))
    return failed('The refresh gave no tokens.', 'Allow refresh tokens to the app client.');
  const { refresh: after } = requireTokens(rehearsal);
  return after === before.refresh
    ? ok('Tokens are refreshed, with the same refresh token.')
    : ok('Tokens are refreshed, and the refresh token is replaced.');
}

function refreshed({ subject, device }: Rehearsal, RefreshToken: string) {
  const bound = device === undefined ? {} : { DeviceKey: device.deviceKey };
  return subject.provider.operations.getTokensFromRefreshToken(
    { ClientId: subject.clientId, RefreshToken, ...bound },
    CALL,
  );
}

async function removeDevice(rehearsal: Rehearsal): Promise<Finding> {
  const { subject, device } = rehearsal;
  const { access } = requireTokens(rehearsal);
  await subject.provider.operations.forgetDevice({ AccessToken: access, DeviceKey: device?.deviceKey ?? '' }, CALL);
  delete rehearsal.device;
  return ok('The device is removed again.');
}

async function revoke(rehearsal: Rehearsal): Promise<Finding> {
  const { subject } = rehearsal;
  const { refresh: Token } = requireTokens(rehearsal);
  await subject.provider.operations.revokeToken({ ClientId: subject.clientId, Token }, CALL);
  rehearsal.refreshTokens.delete(Token);
  try {
    keepTokens(rehearsal, await refreshed(rehearsal, Token));
  } catch (error) {
    if (error instanceof ProviderError && error.reason === 'invalid_grant') {
      return ok('A revoked refresh token gives nothing any more.');
    }
    throw error;
  }
  return failed('A revoked refresh token still works.', 'Set EnableTokenRevocation of the app client to true.');
}
