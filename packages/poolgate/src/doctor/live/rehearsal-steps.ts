import { ProviderError } from '@poolgate/provider';
import { makeDeviceVerifier } from '@poolgate/srp';
import { createFault, createOkFinding, createWarning, type Finding } from '../findings/finding.ts';
import { answerDeviceChallenge, DOCTOR_CALL, type LoginStep, logInBySrp } from './rehearsal-login.ts';
import { type Rehearsal, requireTokens, storeTokens } from './rehearsal-state.ts';
import { rehearseTotp } from './rehearse-totp.ts';
import { findTokenProblem } from './token-check.ts';

/** A step of a rehearsal. */
interface RehearsalStep {
  readonly name: string;
  readonly applies: (rehearsal: Rehearsal) => boolean;
  readonly run: (rehearsal: Rehearsal) => Promise<Finding>;
}

const alwaysApplies = (): boolean => true;
const hasNewDevice = ({ newDevice }: Rehearsal): boolean => newDevice !== undefined;
const hasDevice = ({ device }: Rehearsal): boolean => device !== undefined;

/** The steps in order. */
export const REHEARSAL_STEPS: readonly RehearsalStep[] = [
  { name: 'login', applies: alwaysApplies, run: checkLogin },
  { name: 'tokens', applies: alwaysApplies, run: checkTokens },
  { name: 'authenticator', applies: ({ withTotp }) => withTotp, run: rehearseTotp },
  { name: 'device', applies: hasNewDevice, run: checkDeviceRegistration },
  { name: 'device login', applies: hasDevice, run: checkDeviceLogin },
  { name: 'refresh', applies: alwaysApplies, run: checkRefresh },
  { name: 'device removed', applies: hasDevice, run: checkDeviceRemoval },
  { name: 'revocation', applies: alwaysApplies, run: checkRevocation },
];

/** Advice for a challenge that a test user should not get. */
const CHALLENGE_ADVICE: Partial<Readonly<Record<NonNullable<LoginStep['ChallengeName']>, string>>> = {
  NEW_PASSWORD_REQUIRED: 'Give the test user a permanent password.',
  MFA_SETUP: 'The pool requires a second factor. Use a pool where it is optional.',
};
const HAS_FACTOR = 'Use a test user without a second factor.';

async function checkLogin(rehearsal: Rehearsal): Promise<Finding> {
  const step = await logInBySrp(rehearsal);
  if (!storeTokens(rehearsal, step)) return reportUnexpectedChallenge(step);
  if (!hasNewDevice(rehearsal)) {
    return createWarning(
      'SRP login works, but the pool did not report a new device.',
      "Set both members of the pool's DeviceConfiguration to true.",
    );
  }
  return createOkFinding('SRP login works.');
}

function reportUnexpectedChallenge({ ChallengeName: name }: LoginStep): Finding {
  const advice = (name && CHALLENGE_ADVICE[name]) ?? HAS_FACTOR;
  return createFault(`The login did not finish. It requires ${name ?? 'nothing, but returned no tokens'}.`, advice);
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
    { name: 'access', problem: findTokenProblem(access, keys, { ...expected, use: 'access' }) },
    { name: 'ID', problem: findTokenProblem(id, keys, { ...expected, use: 'id' }) },
  ];
  const wrong = problems.find(({ problem }) => problem !== undefined);
  if (wrong === undefined) return createOkFinding('The access token and ID token verify with the published keys.');
  return createFault(`The ${wrong.name} token ${wrong.problem}.`, 'Check IDP_ISSUER, IDP_JWKS_URL and IDP_CLIENT_ID.');
}

async function checkDeviceRegistration(rehearsal: Rehearsal): Promise<Finding> {
  const { subject, context, newDevice: device } = rehearsal;
  if (device === undefined) throw new TypeError('newDevice: no login before has named one');
  const { access } = requireTokens(rehearsal);
  const { devicePassword, config } = makeDeviceVerifier({ ...context, device });
  const { confirmDevice, updateDeviceStatus } = subject.provider.operations;
  const named = { AccessToken: access, DeviceKey: device.deviceKey };
  const { UserConfirmationNecessary } = await confirmDevice(
    { ...named, DeviceName: 'poolgate doctor', DeviceSecretVerifierConfig: config },
    DOCTOR_CALL,
  );
  rehearsal.device = { ...device, devicePassword };
  if (UserConfirmationNecessary) {
    await updateDeviceStatus({ ...named, DeviceRememberedStatus: 'remembered' }, DOCTOR_CALL);
  }
  return createOkFinding('A device was registered and remembered.');
}

async function checkDeviceLogin(rehearsal: Rehearsal): Promise<Finding> {
  const { device } = rehearsal;
  if (device === undefined) throw new TypeError('device: no step before has registered one');
  const asked = await logInBySrp(rehearsal, device);
  if (asked.ChallengeName !== 'DEVICE_SRP_AUTH') {
    return storeTokens(rehearsal, asked)
      ? createWarning(
          'The login with the device finished without a device proof.',
          'Set ChallengeRequiredOnNewDevice in the DeviceConfiguration of the pool to true.',
        )
      : reportUnexpectedChallenge(asked);
  }
  const step = await answerDeviceChallenge(rehearsal, asked, device);
  return storeTokens(rehearsal, step)
    ? createOkFinding('The device logs in with its own SRP proof.')
    : reportUnexpectedChallenge(step);
}

async function checkRefresh(rehearsal: Rehearsal): Promise<Finding> {
  const before = requireTokens(rehearsal);
  const step = await requestRefresh(rehearsal, before.refresh);
  if (!storeTokens(rehearsal, step))
    return createFault('The refresh returned no tokens.', 'Allow refresh tokens for the app client.');
  const { refresh: after } = requireTokens(rehearsal);
  return after === before.refresh
    ? createOkFinding('Tokens were refreshed with the same refresh token.')
    : createOkFinding('Tokens were refreshed and the refresh token was rotated.');
}

function requestRefresh({ subject, device }: Rehearsal, RefreshToken: string) {
  const bound = device === undefined ? {} : { DeviceKey: device.deviceKey };
  return subject.provider.operations.getTokensFromRefreshToken(
    { ClientId: subject.clientId, RefreshToken, ...bound },
    DOCTOR_CALL,
  );
}

async function checkDeviceRemoval(rehearsal: Rehearsal): Promise<Finding> {
  const { subject, device } = rehearsal;
  const { access } = requireTokens(rehearsal);
  await subject.provider.operations.forgetDevice(
    { AccessToken: access, DeviceKey: device?.deviceKey ?? '' },
    DOCTOR_CALL,
  );
  delete rehearsal.device;
  return createOkFinding('The device was removed.');
}

async function checkRevocation(rehearsal: Rehearsal): Promise<Finding> {
  const { subject } = rehearsal;
  const { refresh: Token } = requireTokens(rehearsal);
  await subject.provider.operations.revokeToken({ ClientId: subject.clientId, Token }, DOCTOR_CALL);
  rehearsal.refreshTokens.delete(Token);
  try {
    storeTokens(rehearsal, await requestRefresh(rehearsal, Token));
  } catch (error) {
    if (error instanceof ProviderError && error.reason === 'invalid_grant') {
      return createOkFinding('A revoked refresh token no longer works.');
    }
    throw error;
  }
  return createFault('A revoked refresh token still works.', 'Set EnableTokenRevocation of the app client to true.');
}
