import type { Input, Output, ProviderExtensions, RegistrationConfirmation } from '@poolgate/provider';
import { decryptConfirmLink } from '../delivery/confirm-link.ts';
import type { NotificationPorts } from '../delivery/delivery-ports.ts';
import { invalidSessionError } from '../identity/login-errors.ts';
import { userOrClientNotFoundError } from '../identity/user-records.ts';
import type { StorePort, StoreReads } from '../kernel/ports.ts';
import { createCodeLoginSession } from '../login/login-after-code.ts';
import type { DecoyPorts } from '../proofs/passwords/password-ports.ts';
import {
  MissingClaimError,
  parseRegistrationClaim,
  type RegistrationClaimInput,
  retryWithCredential,
} from '../registrations/registration-claim.ts';
import type { ConfirmationPorts } from '../registrations/registration-ports.ts';
import {
  decryptRegistrationSession,
  matchesRegistrationName,
  type RegistrationSession,
  requireRegistrationSession,
} from '../registrations/registration-session.ts';
import { confirmSignUpByCode, type SignUpConfirmation } from '../registrations/sign-up-confirmation.ts';
import { checkSecretHash, type PoolAndClient, requireClientAndPool } from '../settings/pools-and-clients.ts';
import type { SettingsPorts } from '../settings/settings-ports.ts';
import { toCanonicalName } from '../settings/sign-in-names.ts';
import type { UserWithCredential } from '../store/records.ts';
import type { TriggerPorts } from '../triggers/trigger-ports.ts';
import { createLoginCandidate, findLoginCandidate } from '../users/find-login-candidate.ts';
import type { ExtensionTable, OperationTable } from './operation-table.ts';

/** The operation with which users verify their contact. */
export const confirmSignUpOperations: OperationTable<'confirmSignUp'> = { confirmSignUp };

/** The same for a person who may not be the one who registered, with the code or the emailed link. */
export const confirmationExtensions: ExtensionTable<'confirm_by_link' | 'confirm_registration'> = {
  confirm_by_link: confirmByLink,
  confirm_registration: confirmByCodeOrClaim,
};

/**
 * Turns the first verified registration of a name into a user. The code verifies the contact, and the session identifies the reader's
 * registration. Without a session, a code makes the password valid only if no one else has registered the name.
 * @see https://docs.aws.amazon.com/cognito-user-identity-pools/latest/APIReference/API_ConfirmSignUp.html
 */
async function confirmSignUp(
  ports: NotificationPorts & TriggerPorts & DecoyPorts & SettingsPorts & StorePort,
  input: Input<'ConfirmSignUp'>,
): Promise<Output<'ConfirmSignUp'>> {
  const owner = await requireClientAndPool(ports, input.ClientId);
  const candidate = await findLoginCandidate(ports, owner, input.Username, userOrClientNotFoundError);
  checkSecretHash(ports, owner, [input.Username, candidate.userId], input.SecretHash);
  const { Session } = input;
  const own = Session === undefined ? undefined : requireRegistrationSession(ports, owner, input.Username, Session);
  const confirmed = await confirmSignUpByCode(ports, {
    owner,
    candidate,
    own,
    isBound: false,
    input,
    claim: undefined,
  });
  return createLoginAfterSignUp(ports, owner, input.Username, confirmed);
}

/** The session with which the person who registered logs in next, if the client allows that flow. */
function createLoginAfterSignUp(
  ports: DecoyPorts,
  owner: PoolAndClient,
  typedName: string,
  confirmed: UserWithCredential,
): { readonly Session?: string } {
  if (!owner.client.settings.allowedFlows.includes('USER_AUTH')) return {};
  const candidate = createLoginCandidate(ports, owner.pool, typedName, confirmed);
  return { Session: createCodeLoginSession(ports, owner, 'SIGN_UP', candidate) };
}

async function confirmByCodeOrClaim(
  ports: ConfirmationPorts & SettingsPorts,
  { Session, ...input }: Parameters<ProviderExtensions['confirm_registration']>[0],
): Promise<RegistrationConfirmation> {
  const owner = await requireClientAndPool(ports, input.ClientId);
  const { Username } = input;
  const candidate = await findLoginCandidate(ports, owner, Username, userOrClientNotFoundError);
  const session = Session === undefined ? undefined : decryptRegistrationSession(ports, owner, Session);
  const own =
    session !== undefined && matchesRegistrationName(owner, session, Username)
      ? await findExistingRegistration(ports, owner, session)
      : undefined;
  const isNamed = toCanonicalName(owner.pool.settings, Username) === candidate.userId;
  return confirmWithClaim(
    ports,
    { owner, candidate, own, isBound: false, input },
    { ...input, isIdentityKnown: isNamed },
  );
}

/**
 * Confirms the registration for which a link was sent. The person who opens it may not be the one who registered. With the session of a
 * registration of the same name, that registration is confirmed.
 */
async function confirmByLink(
  ports: ConfirmationPorts & SettingsPorts,
  { Token, Session, ...claim }: Parameters<ProviderExtensions['confirm_by_link']>[0],
): Promise<RegistrationConfirmation> {
  const link = decryptConfirmLink(ports, Token);
  if (link === undefined) throw invalidSessionError();
  const { clientId: ClientId, username: Username, code: ConfirmationCode } = link;
  const owner = await requireClientAndPool(ports, ClientId);
  const candidate = await findLoginCandidate(ports, owner, Username, userOrClientNotFoundError);
  const session = Session === undefined ? undefined : decryptRegistrationSession(ports, owner, Session);
  const linked = await ports.store.registrations.byUsername(owner.pool.id, Username);
  const own =
    session !== undefined && linked?.name === session.name
      ? await findExistingRegistration(ports, owner, session)
      : undefined;
  const input = { ClientId, Username, ConfirmationCode };
  const isBound = own === undefined;
  return confirmWithClaim(ports, { owner, candidate, own, isBound, input }, { ...claim, isIdentityKnown: true });
}

/** The session of a taken name may belong to no registration. It then proves nothing, and the correct code needs a claim. */
async function findExistingRegistration(
  { store }: StoreReads<'users'>,
  { pool }: PoolAndClient,
  own: RegistrationSession,
): Promise<RegistrationSession | undefined> {
  return (await store.users.byName(pool.id, own.username)) === undefined ? undefined : own;
}

async function confirmWithClaim(
  ports: ConfirmationPorts,
  confirmation: Omit<SignUpConfirmation, 'claim' | 'guessedAs'>,
  sent: RegistrationClaimInput,
): Promise<RegistrationConfirmation> {
  const claim = await parseRegistrationClaim(ports, confirmation.owner, sent);
  try {
    const confirmed = await retryWithCredential(claim, (prepared) =>
      confirmSignUpByCode(ports, { ...confirmation, claim: prepared }),
    );
    // A claim proves a password. It does not show that the code was requested here, so the person signs in.
    const { own, owner } = confirmation;
    if (own === undefined) return {};
    return { ...createLoginAfterSignUp(ports, owner, own.name, confirmed), Username: own.name };
  } catch (cause) {
    if (cause instanceof MissingClaimError) return { Missing: cause.missing };
    throw cause;
  }
}
