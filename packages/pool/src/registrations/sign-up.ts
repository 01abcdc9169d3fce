/**
 * Sign-ups that wait for confirmation. Several may wait for one name, and the first verified one gets it
 * (docs/decisions/0022-parallel-registrations.md).
 */
import { type Input, type Output, ProviderError } from '@poolgate/provider';
import { lacksConfirmPage } from '../delivery/confirm-link.ts';
import { requireSender } from '../delivery/deliver-after-commit.ts';
import type { DeliveryPorts, NotificationPorts } from '../delivery/delivery-ports.ts';
import {
  checkAttributes,
  checkRequiredAttributes,
  parseAttributes,
  removeEmptyAttributes,
} from '../identity/attributes.ts';
import { type Contact, chooseContactToVerify, listContacts, toCodeDeliveryDetails } from '../identity/contacts.ts';
import type { CallPort, ClockPort, RandomPort, StorePort } from '../kernel/ports.ts';
import { hidesUserExistence } from '../kernel/user-existence.ts';
import { canLoginByCode } from '../proofs/first-factors.ts';
import { createPlainPassword, listPasswordUserNames, type NewPassword } from '../proofs/passwords/new-password.ts';
import type { DecoyPorts, NewPasswordPorts } from '../proofs/passwords/password-ports.ts';
import { hasDomain } from '../settings/pool-domains.ts';
import { checkSecretHash, type PoolAndClient } from '../settings/pools-and-clients.ts';
import type { SettingsCachePort } from '../settings/settings-ports.ts';
import type { UserRecord } from '../store/records.ts';
import type { PreSignUpResponse } from '../triggers/trigger-definitions.ts';
import type { TriggerPorts } from '../triggers/trigger-ports.ts';
import { createUserIdentity, createUserRecord, type UserIdentity } from '../users/create-user-record.ts';
import { invokePostConfirmation } from '../users/post-confirmation-trigger.ts';
import { applyAutoVerification, invokePreSignUp } from '../users/pre-sign-up-trigger.ts';
import { refuseProviderNames } from '../users/provider-usernames.ts';
import { registerConfirmedUser } from './register-confirmed-user.ts';
import { registerExclusiveName } from './register-exclusive-name.ts';
import { registerSharedName } from './register-shared-name.ts';
import type { RegistrationExpiryPorts, SignUpPorts } from './registration-ports.ts';
import { encryptRegistrationSession } from './registration-session.ts';
import type { RegistrationRequest } from './sign-up-messages.ts';

/** A request of `SignUp` with any form of password. */
export interface SignUpInput extends Omit<Input<'SignUp'>, 'Password'> {
  /** Undefined if none was sent. */
  readonly password: NewPassword | undefined;
  /** The new user's username, if the pool issued it before. */
  readonly identity?: string;
}

/**
 * Registers a user.
 * @throws {ProviderError} the errors of `SignUp`
 */
export async function signUp(ports: SignUpPorts, owner: PoolAndClient, input: SignUpInput): Promise<Output<'SignUp'>> {
  checkSecretHash(ports, owner, [input.Username], input.SecretHash);
  const { pool } = owner;
  if (pool.settings.onlyAdminsCreateUsers) {
    throw new ProviderError('NotAuthorizedException', 'SignUp is not permitted for this user pool', {
      reason: 'flow_disabled',
    });
  }
  const identity = createSignUpIdentity(ports, owner, input);
  await refuseProviderNames(ports, pool, identity);
  const contact = chooseContactToVerify(pool.settings, identity.attributes, input.Username);
  const password = input.password ?? resolveMissingPassword(ports, owner, contact);
  await password?.check();
  password?.checkOwner([input.Username, ...listPasswordUserNames(identity)]);
  const response = await requestPreSignUp(ports, owner, input, identity);
  const request = { typedName: input.Username, password, contact, isReserved: input.identity !== undefined };
  return response.autoConfirmUser
    ? signUpConfirmed(ports, owner, input, {
        ...request,
        contact: undefined,
        user: createAutoConfirmedUser(ports, owner, identity, response),
      })
    : signUpUnconfirmed(ports, owner, input, {
        ...request,
        user: createUserRecord(ports, pool, identity, 'UNCONFIRMED'),
      });
}

/** Passes the attributes as the client sent them, without verified flags. */
function requestPreSignUp(
  ports: TriggerPorts,
  { pool, client }: PoolAndClient,
  { ValidationData, ClientMetadata }: SignUpInput,
  { username, attributes }: UserIdentity,
): Promise<PreSignUpResponse> {
  return invokePreSignUp(ports, {
    pool,
    clientId: client.id,
    source: 'PreSignUp_SignUp',
    username,
    attributes: Object.fromEntries(
      Object.entries(attributes).filter(([name]) => !/^(?:email|phone_number)_verified$/.test(name)),
    ),
    validationData: ValidationData,
    clientMetadata: ClientMetadata,
  });
}

function createAutoConfirmedUser(
  ports: ClockPort,
  { pool }: PoolAndClient,
  identity: UserIdentity,
  response: PreSignUpResponse,
): UserRecord {
  const attributes = applyAutoVerification(identity.attributes, response);
  return createUserRecord(ports, pool, { ...identity, attributes }, 'CONFIRMED');
}

/** A contact that the trigger verifies counts only if it also confirms the user. Otherwise a code must verify it. */
async function signUpUnconfirmed(
  ports: NotificationPorts & DecoyPorts & DeliveryPorts & RegistrationExpiryPorts & SettingsCachePort & StorePort,
  owner: PoolAndClient,
  { Username }: SignUpInput,
  request: RegistrationRequest,
): Promise<Output<'SignUp'>> {
  const { contact } = request;
  if (contact) requireSender(ports, contact.channel);
  if (contact?.channel === 'email' && lacksConfirmPage(owner.pool.settings))
    throw await createNoLinkError(ports, owner);
  const registered = allowsSharedNames(owner)
    ? await registerSharedName(ports, owner, request)
    : await registerExclusiveName(ports, owner, request, hidesUserExistence(ports.call));
  return {
    UserConfirmed: false,
    UserSub: registered.user.sub,
    ...(contact === undefined ? {} : { CodeDeliveryDetails: toCodeDeliveryDetails(contact) }),
    Session: encryptRegistrationSession(ports, owner, registered, Username),
  };
}

/** A pool gets its domain after it was created, so the setting is accepted before the domain exists. */
async function createNoLinkError(
  ports: SettingsCachePort & StorePort,
  { pool }: PoolAndClient,
): Promise<ProviderError> {
  const message = (await hasDomain(ports, pool.id))
    ? 'CONFIRM_WITH_LINK is not supported by this service: it has no page that the link could open.'
    : 'There has to be an existing domain associated with this user pool';
  return new ProviderError('InvalidParameterException', message, { reason: 'feature_disabled' });
}

async function signUpConfirmed(
  ports: NotificationPorts & TriggerPorts & DeliveryPorts & StorePort,
  owner: PoolAndClient,
  { ClientMetadata: clientMetadata }: SignUpInput,
  request: RegistrationRequest,
): Promise<Output<'SignUp'>> {
  const { pool, client } = owner;
  const { user, isTaken } = await registerConfirmedUser(ports, owner, request, hidesTakenName(ports, owner));
  const source = 'PostConfirmation_ConfirmSignUp';
  if (!isTaken) await invokePostConfirmation(ports, { pool, clientId: client.id, user, source, clientMetadata });
  return { UserConfirmed: true, UserSub: user.sub };
}

/**
 * Empty if codes to the contact are enough to log in (docs.aws.amazon.com, "Passwords at sign-up"). Otherwise a missing password counts as
 * an empty one, which is rejected as in Cognito.
 */
function resolveMissingPassword(
  ports: NewPasswordPorts,
  { pool, client }: PoolAndClient,
  contact: Contact | undefined,
): NewPassword | undefined {
  const isServed = client.settings.allowedFlows.includes('USER_AUTH');
  const isEnough = contact !== undefined && isServed && canLoginByCode(pool.settings, contact.channel);
  return isEnough ? undefined : createPlainPassword(ports, pool, '');
}

/**
 * Whether several people may register one name, and no one learns that it is taken. Not if users choose their usernames, who must learn it,
 * nor for a client that does not hide users, which reports it as Cognito does.
 */
function allowsSharedNames({ pool, client }: PoolAndClient): boolean {
  return pool.settings.usernameAttributes.length > 0 && client.settings.preventUserExistenceErrors;
}

function hidesTakenName({ call }: CallPort, owner: PoolAndClient): boolean {
  return allowsSharedNames(owner) || hidesUserExistence(call);
}

function createSignUpIdentity(ports: RandomPort, { pool, client }: PoolAndClient, input: SignUpInput) {
  const typed = parseAttributes(pool, input.UserAttributes);
  checkAttributes(pool, client, typed);
  const identity = createUserIdentity(ports, pool, input.Username, removeEmptyAttributes(typed), input.identity);
  checkRequiredAttributes(pool, identity.attributes);
  const unproven = listContacts(identity.attributes).map(({ attribute }) => [`${attribute}_verified`, 'false']);
  return { ...identity, attributes: { ...identity.attributes, ...Object.fromEntries(unproven) } };
}
