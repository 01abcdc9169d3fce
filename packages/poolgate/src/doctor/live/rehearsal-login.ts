import type { CallContext, Output } from '@poolgate/provider';
import {
  deviceIdentity,
  formatTimestamp,
  hashPassword,
  type SrpIdentity,
  signPasswordClaim,
  startClient,
} from '@poolgate/srp';
import type { CheckedProvider, CheckUpInput } from '../subjects/checked-provider.ts';

/** The provider's response to a login step. */
export type LoginStep = Output<'RespondToAuthChallenge'>;

/** The user, pool and client of the login. */
export interface LoginSetup {
  readonly subject: CheckedProvider;
  readonly context: CheckUpInput;
  readonly user: { readonly username: string; readonly password: string };
}

/** A device that can prove itself. */
export interface KnownDevice {
  readonly deviceKey: string;
  readonly deviceGroupKey: string;
  readonly devicePassword: string;
}

/** The doctor as a caller of the provider. */
export const DOCTOR_CALL: CallContext = { requestId: 'doctor', sourceAddress: '127.0.0.1' };

type ChallengeResponses = Readonly<Record<string, string>>;

interface PasswordProof {
  readonly start: ReturnType<typeof startClient>;
  readonly identity: SrpIdentity;
  readonly password: string;
  readonly parameters: ChallengeResponses;
}

/** Computes the response to a verifier challenge of a password or a device. */
function createPasswordClaim(
  { engine, clock }: CheckUpInput,
  { start, identity, password, parameters }: PasswordProof,
): ChallengeResponses {
  const { SALT = '', SRP_B = '', SECRET_BLOCK = '' } = parameters;
  const timestamp = formatTimestamp(clock.now());
  const signature = signPasswordClaim({
    engine,
    ...start,
    srpBHex: SRP_B,
    saltHex: SALT,
    passwordHash: hashPassword(engine, identity, password),
    identity,
    secretBlockB64: SECRET_BLOCK,
    timestamp,
  });
  return {
    PASSWORD_CLAIM_SECRET_BLOCK: SECRET_BLOCK,
    PASSWORD_CLAIM_SIGNATURE: signature,
    TIMESTAMP: timestamp,
  };
}

/** Answers a challenge. */
export function respondToChallenge(
  { provider, clientId }: CheckedProvider,
  { ChallengeName, Session }: LoginStep,
  responses: ChallengeResponses,
): Promise<LoginStep> {
  if (ChallengeName === undefined) throw new TypeError('ChallengeName: the step asks for nothing');
  const session = Session === undefined ? {} : { Session };
  return provider.operations.respondToAuthChallenge(
    { ClientId: clientId, ChallengeName, ...session, ChallengeResponses: responses },
    DOCTOR_CALL,
  );
}

/** Proves a password by SRP like an unmodified client. Returns tokens or another challenge. */
export async function logInBySrp({ subject, context, user }: LoginSetup, device?: KnownDevice): Promise<LoginStep> {
  const start = startClient(context);
  const named: ChallengeResponses = device === undefined ? {} : { DEVICE_KEY: device.deviceKey };
  const AuthParameters = { USERNAME: user.username, SRP_A: start.srpAHex, ...named };
  const begun = await subject.provider.operations.initiateAuth(
    { ClientId: subject.clientId, AuthFlow: 'USER_SRP_AUTH', AuthParameters },
    DOCTOR_CALL,
  );
  if (begun.ChallengeName !== 'PASSWORD_VERIFIER') return begun;
  const parameters = begun.ChallengeParameters ?? {};
  const userIdForSrp = parameters.USER_ID_FOR_SRP ?? '';
  const identity = { poolName: subject.userPoolId.split('_')[1] ?? '', userIdForSrp };
  const claim = createPasswordClaim(context, { start, identity, password: user.password, parameters });
  return respondToChallenge(subject, begun, { USERNAME: userIdForSrp, ...claim, ...named });
}

/** Proves a device if the step requires it. */
export async function answerDeviceChallenge(
  { subject, context, user }: LoginSetup,
  asked: LoginStep,
  device: KnownDevice,
): Promise<LoginStep> {
  const start = startClient(context);
  const named = { USERNAME: asked.ChallengeParameters?.USERNAME ?? user.username, DEVICE_KEY: device.deviceKey };
  const challenge = await respondToChallenge(subject, asked, { ...named, SRP_A: start.srpAHex });
  if (challenge.ChallengeName !== 'DEVICE_PASSWORD_VERIFIER') return challenge;
  const parameters = challenge.ChallengeParameters ?? {};
  const proof = { start, identity: deviceIdentity(device), password: device.devicePassword, parameters };
  return respondToChallenge(subject, challenge, { ...named, ...createPasswordClaim(context, proof) });
}
