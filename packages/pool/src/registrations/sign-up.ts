import { type Input, type Output, ProviderError } from '@poolgate/provider';
import { canLoginByCode } from '../factors/first-factors.ts';
import type { CallPort, ClockPort, RandomPort, StorePort } from '../kernel/ports.ts';
import { requireSender } from '../messages/deliver.ts';
import type { DeliveryPorts, NotificationPorts } from '../messages/delivery-ports.ts';
import { type NewPassword, newPlainPassword, ownNames } from '../passwords/new-password.ts';
import type { DecoyPorts, NewPasswordPorts } from '../passwords/password-ports.ts';
import { checkSecretHash, type PoolAndClient } from '../pools/pools.ts';
import { hidesUsers } from '../shared/entry-point.ts';
import type { UserRecord } from '../store/records.ts';
import type { SignUpVerdict } from '../triggers/points.ts';
import type { TriggerPorts } from '../triggers/trigger-ports.ts';
import { askPostConfirmation } from '../users/ask-post-confirmation.ts';
import { askPreSignUp, vouchedAttributes } from '../users/ask-pre-sign-up.ts';
import { attributesFrom, checkAttributes, checkRequired, withoutEmpty } from '../users/attributes.ts';
import { type Contact, contactsOf, contactToVerify, deliveryDetails } from '../users/contacts.ts';
import { type NewIdentity, newIdentity, newUser } from '../users/new-user.ts';
import { registerConfirmed } from './register-confirmed.ts';
import { registerExclusively } from './register-exclusive.ts';
import { registerShared } from './register-shared.ts';
import type { RegistrationExpiryPorts, SignUpPorts } from './registration-ports.ts';
import { encryptRegistration } from './registration-session.ts';
import type { SignUpRegistration } from './sign-up-registration.ts';

/** A request of `SignUp`, whatever form the password has. */
export interface SignUpInput extends Omit<Input<'SignUp'>, 'Password'> {
  /** Undefined where none was given. */
  readonly password: NewPassword | undefined;
  /** The user name of the new user where the pool chooses it, and chose it before. */
  readonly identity?: string;
}

/**
 * Registers a user.
 * @throws {ProviderError} the refusals of `SignUp`
 */
export async function signUp(ports: SignUpPorts, owner: PoolAndClient, input: SignUpInput): Promise<Output<'SignUp'>> {
  checkSecretHash(ports, owner, [input.Username], input.SecretHash);
  const { pool } = owner;
  if (pool.settings.onlyAdminsCreateUsers) {
    throw new ProviderError('NotAuthorizedException', 'SignUp is not permitted for this user pool', {
      reason: 'flow_disabled',
    });
  }
  const identity = signUpIdentity(ports, owner, input);
  const contact = contactToVerify(pool.settings, identity.attributes, input.Username);
  const password = input.password ?? withoutPassword(ports, owner, contact);
  await password?.check();
  password?.checkOwner([input.Username, ...ownNames(identity)]);
  const verdict = await askAboutSignUp(ports, owner, input, identity);
  const request = { typedName: input.Username, password, contact, isReserved: input.identity !== undefined };
  return verdict.autoConfirmUser
    ? signUpConfirmed(ports, owner, input, {
        ...request,
        contact: undefined,
        user: vouchedUser(ports, owner, identity, verdict),
      })
    : signUpUnconfirmed(ports, owner, input, { ...request, user: newUser(ports, pool, identity, 'UNCONFIRMED') });
}

/** Attributes as the client gave them: that nothing of them is proven goes without saying. */
function askAboutSignUp(
  ports: TriggerPorts,
  { pool, client }: PoolAndClient,
  { ValidationData, ClientMetadata }: SignUpInput,
  { username, attributes }: NewIdentity,
): Promise<SignUpVerdict> {
  return askPreSignUp(ports, {
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

function vouchedUser(
  ports: ClockPort,
  { pool }: PoolAndClient,
  identity: NewIdentity,
  verdict: SignUpVerdict,
): UserRecord {
  const attributes = vouchedAttributes(identity.attributes, verdict);
  return newUser(ports, pool, { ...identity, attributes }, 'CONFIRMED');
}

/** A contact that the trigger vouches for counts where it vouches for the user too: else a code proves it. */
async function signUpUnconfirmed(
  ports: NotificationPorts & DecoyPorts & DeliveryPorts & RegistrationExpiryPorts & StorePort,
  owner: PoolAndClient,
  { Username }: SignUpInput,
  request: SignUpRegistration,
): Promise<Output<'SignUp'>> {
  const { contact } = request;
  if (contact) requireSender(ports, contact.channel);
  const registered = allowsSharedNames(owner)
    ? await registerShared(ports, owner, request)
    : await registerExclusively(ports, owner, request, hidesUsers(ports.call));
  return {
    UserConfirmed: false,
    UserSub: registered.user.sub,
    ...(contact === undefined ? {} : { CodeDeliveryDetails: deliveryDetails(contact) }),
    Session: encryptRegistration(ports, owner, registered, Username),
  };
}

async function signUpConfirmed(
  ports: NotificationPorts & TriggerPorts & DeliveryPorts & StorePort,
  owner: PoolAndClient,
  { ClientMetadata: clientMetadata }: SignUpInput,
  request: SignUpRegistration,
): Promise<Output<'SignUp'>> {
  const { pool, client } = owner;
  const { user, isTaken } = await registerConfirmed(ports, owner, request, hidesTakenName(ports, owner));
  const source = 'PostConfirmation_ConfirmSignUp';
  if (!isTaken) await askPostConfirmation(ports, { pool, clientId: client.id, user, source, clientMetadata });
  return { UserConfirmed: true, UserSub: user.sub };
}

/**
 * Nothing where codes to the contact that is to be proven let its user in (docs.aws.amazon.com, "Passwords at sign-up"). Anywhere
 * else it is the empty password, which is refused as Cognito refuses it.
 */
function withoutPassword(
  ports: NewPasswordPorts,
  { pool, client }: PoolAndClient,
  contact: Contact | undefined,
): NewPassword | undefined {
  const isServed = client.settings.allowedFlows.includes('USER_AUTH');
  const isEnough = contact !== undefined && isServed && canLoginByCode(pool.settings, contact.channel);
  return isEnough ? undefined : newPlainPassword(ports, pool, '');
}

/**
 * Whether several may register one name, and nobody learns that it is taken. Where users choose their names they have to,
 * and a client that does not hide users tells it as Cognito does.
 */
function allowsSharedNames({ pool, client }: PoolAndClient): boolean {
  return pool.settings.usernameAttributes.length > 0 && client.settings.preventUserExistenceErrors;
}

function hidesTakenName({ call }: CallPort, owner: PoolAndClient): boolean {
  return allowsSharedNames(owner) || hidesUsers(call);
}

function signUpIdentity(ports: RandomPort, { pool, client }: PoolAndClient, input: SignUpInput) {
  const typed = attributesFrom(pool, input.UserAttributes);
  checkAttributes(pool, client, typed);
  const identity = newIdentity(ports, pool, input.Username, withoutEmpty(typed), input.identity);
  checkRequired(pool, identity.attributes);
  const unproven = contactsOf(identity.attributes).map(({ attribute }) => [`${attribute}_verified`, 'false']);
  return { ...identity, attributes: { ...identity.attributes, ...Object.fromEntries(unproven) } };
}
