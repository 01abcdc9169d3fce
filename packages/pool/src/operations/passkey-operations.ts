import { createHash } from 'node:crypto';
import type { Input, Output } from '@poolgate/provider';
import { deliverAfterCommit } from '../delivery/deliver-after-commit.ts';
import type { NotificationPorts } from '../delivery/delivery-ports.ts';
import { queueFactorNotice } from '../delivery/notices.ts';
import { recordEvent } from '../kernel/audit-events.ts';
import type { ClockPort, MacPorts, RandomPort, StorePort, StoreReads, StoreWrites } from '../kernel/ports.ts';
import {
  passkeyNotFoundError,
  passkeyRegistrationError,
  tooManyPasskeysError,
} from '../proofs/passkeys/passkey-errors.ts';
import { chooseDefaultPasskeyName } from '../proofs/passkeys/passkey-names.ts';
import {
  belongsToRelyingParty,
  createPasskeyCreationOptions,
  generatePasskeyChallenge,
  MAX_PASSKEYS,
  requirePasskeySettings,
} from '../proofs/passkeys/passkey-options.ts';
import { type PasskeyRefusalPort, withPasskeyRefusalReports } from '../proofs/passkeys/passkey-refusals.ts';
import { verifyRegistration } from '../proofs/passkeys/passkey-registration.ts';
import { isCredentialId, parseClientData, parseRegistrationResponse } from '../proofs/passkeys/passkey-responses.ts';
import { lockUserFactors } from '../proofs/totp/totp-enrolment.ts';
import { createPageToken, parsePageSize, verifyPageToken } from '../settings/page-tokens.ts';
import type { WebAuthnSettings } from '../store/pool-and-client-settings.ts';
import type { PasskeyRecord } from '../store/records.ts';
import { isConflictError } from '../store/store-error-guards.ts';
import { type AuthorizedUser, lockAuthorizedUser, requireAccessToken } from '../tokens/access-tokens.ts';
import type { AccessTokenPorts } from '../tokens/token-ports.ts';
import type { OwnAccountPorts } from './account-ports.ts';
import type { ExtensionTable, OperationTable } from './operation-table.ts';

type PasskeyOperation =
  | 'completeWebAuthnRegistration'
  | 'deleteWebAuthnCredential'
  | 'listWebAuthnCredentials'
  | 'startWebAuthnRegistration';

/** How long a registration may take, because its user has to find a finger or a key. */
const CEREMONY_MS = 5 * 60_000;

/**
 * Operations of users on their own passkeys.
 * @see https://docs.aws.amazon.com/cognito-user-identity-pools/latest/APIReference/API_StartWebAuthnRegistration.html
 */
export const passkeyOperations: OperationTable<PasskeyOperation> = {
  completeWebAuthnRegistration: completeRegistration,
  deleteWebAuthnCredential: deleteCredential,
  listWebAuthnCredentials: listCredentials,
  startWebAuthnRegistration: startRegistration,
};

async function startRegistration(
  ports: AccessTokenPorts & RandomPort & StoreReads<'passkeys'> & StoreWrites<'passkeyCeremonies'>,
  { AccessToken }: Input<'StartWebAuthnRegistration'>,
): Promise<Output<'StartWebAuthnRegistration'>> {
  const { pool, client, user } = await requireAccessToken(ports, AccessToken);
  const webAuthn = requirePasskeySettings(pool);
  const passkeys = await ports.store.passkeys.listOf(pool.id, user.username);
  if (passkeys.length >= MAX_PASSKEYS) throw tooManyPasskeysError(MAX_PASSKEYS);
  const challenge = generatePasskeyChallenge(ports.random);
  await ports.store.write((transaction) =>
    transaction.passkeyCeremonies.put({
      poolId: pool.id,
      username: user.username,
      clientId: client.id,
      challengeDigestHex: digestChallenge(challenge),
      expiresAtMs: ports.clock.now() + CEREMONY_MS,
    }),
  );
  const held = passkeys.filter((passkey) => belongsToRelyingParty(webAuthn, passkey));
  return { CredentialCreationOptions: createPasskeyCreationOptions(pool, webAuthn, user, challenge, held) };
}

function digestChallenge(challenge: string): string {
  return createHash('sha256').update(challenge).digest('hex');
}

/** The pending registration is consumed before anything is verified, so a challenge is valid for one response only. */
async function completeRegistration(
  ports: OwnAccountPorts & PasskeyRefusalPort,
  { AccessToken, Credential }: Input<'CompleteWebAuthnRegistration'>,
): Promise<Output<'CompleteWebAuthnRegistration'>> {
  const access = await requireAccessToken(ports, AccessToken);
  const webAuthn = requirePasskeySettings(access.pool);
  await withPasskeyRefusalReports(ports, 'attestation', () => registerPasskey(ports, access, webAuthn, Credential));
  await deliverAfterCommit(ports);
  return {};
}

async function registerPasskey(
  ports: NotificationPorts & StorePort,
  access: AuthorizedUser,
  webAuthn: WebAuthnSettings,
  Credential: unknown,
): Promise<void> {
  const registration = parseRegistrationResponse(Credential);
  const clientData = parseClientData(registration.clientDataJSON);
  if (clientData === undefined) throw passkeyRegistrationError('malformed');
  await consumeCeremony(ports, access, clientData.challenge);
  const credential = await verifyRegistration(webAuthn, registration, clientData);
  const passkey: PasskeyRecord = {
    poolId: access.pool.id,
    username: access.user.username,
    ...credential,
    name: chooseDefaultPasskeyName(credential.aaguid, credential.attachment),
    relyingPartyId: webAuthn.relyingPartyId,
    createdAtMs: ports.clock.now(),
    lastUsedAtMs: null,
  };
  await storePasskey(ports, access, passkey);
}

async function consumeCeremony(
  ports: ClockPort & StoreWrites<'passkeyCeremonies'>,
  { pool, client, user }: AuthorizedUser,
  challenge: string,
): Promise<void> {
  const nowMs = ports.clock.now();
  const ceremony = await ports.store.write((transaction) =>
    transaction.passkeyCeremonies.take(pool.id, user.username, digestChallenge(challenge), nowMs),
  );
  if (ceremony === undefined) throw passkeyRegistrationError('challenge');
  if (ceremony.clientId !== client.id) throw passkeyRegistrationError('app_client');
}

async function storePasskey(
  ports: NotificationPorts & StorePort,
  access: AuthorizedUser,
  passkey: PasskeyRecord,
): Promise<void> {
  const { pool, client, user } = access;
  const { username } = user;
  try {
    await ports.store.write(async (transaction) => {
      await lockUserFactors(transaction, pool, username, passkey.createdAtMs);
      await lockAuthorizedUser(transaction, access);
      const { length } = await transaction.passkeys.lockAndListOf(pool.id, username);
      if (length >= MAX_PASSKEYS) throw tooManyPasskeysError(MAX_PASSKEYS);
      await transaction.passkeys.insert(passkey);
      const details = { factor: 'WEB_AUTHN' };
      const clientId = client.id;
      await recordEvent(ports, transaction, { type: 'factor.added', pool, user, clientId, details });
      await queueFactorNotice(ports, transaction, pool, user, ['passkey_added']);
    });
  } catch (cause) {
    if (!isConflictError(cause)) throw cause;
    throw passkeyRegistrationError('credential_exists', cause);
  }
}

/** Oldest first, including those of a former relying party, which could not be removed otherwise. */
async function listCredentials(
  ports: AccessTokenPorts & MacPorts & StoreReads<'passkeys'>,
  { AccessToken, MaxResults, NextToken }: Input<'ListWebAuthnCredentials'>,
): Promise<Output<'ListWebAuthnCredentials'>> {
  const { pool, user } = await requireAccessToken(ports, AccessToken);
  const query = `passkeys\n${user.username}`;
  const after = NextToken === undefined ? undefined : verifyPageToken(ports, pool, query, NextToken);
  const most = parsePageSize(MaxResults, { name: 'maxResults', most: MAX_PASSKEYS });
  const all = await ports.store.passkeys.listOf(pool.id, user.username);
  const rest = after === undefined ? all : all.filter((passkey) => formatPasskeyCursor(passkey) > after);
  const page = rest.slice(0, most);
  const last = rest.length > most ? page.at(-1) : undefined;
  return {
    Credentials: page.map(toCognitoCredential),
    ...(last === undefined ? {} : { NextToken: createPageToken(ports, pool, query, formatPasskeyCursor(last)) }),
  };
}

/** Passkey information for users beyond Cognito's operations. */
export const passkeyExtensions: ExtensionTable<'list_passkey_uses'> = {
  async list_passkey_uses(ports, { AccessToken }) {
    const { pool, user } = await requireAccessToken(ports, AccessToken);
    const passkeys = await ports.store.passkeys.listOf(pool.id, user.username);
    const uses = passkeys.flatMap(({ credentialId, lastUsedAtMs }) =>
      lastUsedAtMs === null ? [] : [[credentialId, lastUsedAtMs / 1000] as const],
    );
    return { LastUsedAt: Object.fromEntries(uses) };
  },
};

/** A text that sorts like the store's list. Sixteen digits are enough for every time. */
function formatPasskeyCursor({ createdAtMs, credentialId }: PasskeyRecord): string {
  return `${String(createdAtMs).padStart(16, '0')}/${credentialId}`;
}

type Credential = Output<'ListWebAuthnCredentials'>['Credentials'][number];

function toCognitoCredential(passkey: PasskeyRecord): Credential {
  return {
    CredentialId: passkey.credentialId,
    FriendlyCredentialName: passkey.name,
    RelyingPartyId: passkey.relyingPartyId,
    ...(passkey.attachment === null ? {} : { AuthenticatorAttachment: passkey.attachment }),
    AuthenticatorTransports: passkey.transports,
    CreatedAt: passkey.createdAtMs / 1000,
  };
}

/** Devices that were remembered because of it are forgotten. */
async function deleteCredential(
  ports: OwnAccountPorts,
  { AccessToken, CredentialId }: Input<'DeleteWebAuthnCredential'>,
): Promise<Output<'DeleteWebAuthnCredential'>> {
  const access = await requireAccessToken(ports, AccessToken);
  const { pool, client, user } = access;
  if (!isCredentialId(CredentialId)) throw passkeyNotFoundError();
  const nowMs = ports.clock.now();
  const wasThere = await ports.store.write(async (transaction) => {
    await lockUserFactors(transaction, pool, user.username, nowMs);
    await lockAuthorizedUser(transaction, access);
    if (!(await transaction.passkeys.delete(pool.id, user.username, CredentialId))) return false;
    await transaction.devices.forgetTrust(pool.id, user.username, nowMs);
    const details = { factor: 'WEB_AUTHN' };
    await recordEvent(ports, transaction, { type: 'factor.removed', pool, user, clientId: client.id, details });
    await queueFactorNotice(ports, transaction, pool, user, ['passkey_removed']);
    return true;
  });
  if (!wasThere) throw passkeyNotFoundError();
  await deliverAfterCommit(ports);
  return {};
}
