import { type Input, type Output, ProviderError, type ProviderOperations } from '@poolgate/provider';
import { attributesFrom, checkAttributes, checkRequired, withoutEmpty } from '../domain/attributes.ts';
import { type Contact, contactsOf, contactToProve, deliveryDetails } from '../domain/contacts.ts';
import { canLoginByCode } from '../domain/first-factors.ts';
import { type NewPassword, ownNames, plainPassword } from '../domain/new-password.ts';
import { newIdentity, newUser } from '../domain/new-user.ts';
import { checkSecretHash, clientAndPool, type PoolAndClient } from '../domain/pools.ts';
import { sealRegistration } from '../domain/registration-session.ts';
import { requireSender } from '../messages/deliver.ts';
import { duringCall, type PoolRuntime } from '../runtime.ts';
import { writeSignUp } from './register-alone.ts';
import { writeRegistration } from './register-beside.ts';

/** The operation by which users make themselves known. */
export function signUpOperations(runtime: PoolRuntime): Pick<ProviderOperations, 'signUp'> {
  return {
    async signUp(input, call) {
      const context = duringCall(runtime, call);
      const owner = await clientAndPool(context, input.ClientId);
      const password = input.Password ? plainPassword(context, owner.pool, input.Password) : undefined;
      return signUp(context, owner, { ...input, password });
    },
  };
}

/** A request of `SignUp`, whatever form the password has. */
export interface NewcomerRequest extends Omit<Input<'SignUp'>, 'Password'> {
  /** Undefined where none was given. */
  readonly password: NewPassword | undefined;
  /** The user name of the new user where the pool chooses it, and chose it before. */
  readonly identity?: string;
}

/**
 * Registers a user.
 * @throws {ProviderError} the refusals of `SignUp`
 */
export async function signUp(
  context: PoolRuntime,
  owner: PoolAndClient,
  input: NewcomerRequest,
): Promise<Output<'SignUp'>> {
  checkSecretHash(context, owner, [input.Username], input.SecretHash);
  const { pool } = owner;
  if (pool.settings.onlyAdminsCreateUsers) {
    throw new ProviderError('NotAuthorizedException', 'SignUp is not permitted for this user pool', {
      reason: 'flow_disabled',
    });
  }
  const user = newUser(context, pool, signUpIdentity(context, owner, input), 'UNCONFIRMED');
  const contact = contactToProve(pool.settings, user.attributes, input.Username);
  const password = input.password ?? withoutPassword(context, owner, contact);
  await password?.check();
  password?.checkOwner([input.Username, ...ownNames(user)]);
  if (contact) requireSender(context, contact.channel);
  const wanted = { user, typedName: input.Username, password, contact, isReserved: input.identity !== undefined };
  const write = standBeside(owner) ? writeRegistration : writeSignUp;
  const registered = await write(context, owner, wanted);
  return {
    UserConfirmed: false,
    UserSub: registered.sub,
    ...(contact === undefined ? {} : { CodeDeliveryDetails: deliveryDetails(contact) }),
    Session: sealRegistration(context, owner, registered.username, input.Username),
  };
}

/**
 * Nothing where codes to the contact that is to be proven let its user in (docs.aws.amazon.com, "Passwords at sign-up"). Anywhere
 * else it is the empty password, which is refused as Cognito refuses it.
 */
function withoutPassword(
  context: PoolRuntime,
  { pool, client }: PoolAndClient,
  contact: Contact | undefined,
): NewPassword | undefined {
  const isServed = client.settings.allowedFlows.includes('USER_AUTH');
  const isEnough = contact !== undefined && isServed && canLoginByCode(pool.settings, contact.channel);
  return isEnough ? undefined : plainPassword(context, pool, '');
}

/**
 * Whether several may register one name, and nobody learns that it is taken. Where users choose their names they have to,
 * and a client that does not hide users tells it as Cognito does.
 */
function standBeside({ pool, client }: PoolAndClient): boolean {
  return pool.settings.usernameAttributes.length > 0 && client.settings.preventUserExistenceErrors;
}

function signUpIdentity(context: PoolRuntime, { pool, client }: PoolAndClient, input: NewcomerRequest) {
  const typed = attributesFrom(pool, input.UserAttributes);
  checkAttributes(pool, client, typed);
  const identity = newIdentity(context, pool, input.Username, withoutEmpty(typed), input.identity);
  checkRequired(pool, identity.attributes);
  const unproven = contactsOf(identity.attributes).map(({ attribute }) => [`${attribute}_verified`, 'false']);
  return { ...identity, attributes: { ...identity.attributes, ...Object.fromEntries(unproven) } };
}
