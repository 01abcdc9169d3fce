import type { CallContext } from '@poolgate/provider';
import { requireRecentLogin } from '../guards/recent-login.ts';
import type { UserCaller } from '../kernel/caller.ts';
import type { GatewayDeps } from '../kernel/deps.ts';
import {
  type ErrorMapping,
  GatewayError,
  invalidFieldError,
  mapProviderErrors,
  TOKEN_ERRORS,
} from '../kernel/gateway-errors.ts';
import type { Handler } from '../runtime/handler.ts';
import { type Attribute, readSettableAttributes } from '../users/attributes.ts';
import { type CodeDeliveryDetails, isContact, presentDeliveries, toCodeDelivery } from '../users/contacts.ts';
import { readProfile } from './show-profile.ts';

type Attributes = readonly Attribute[];

const PROFILE_ERRORS: ErrorMapping = {
  ...TOKEN_ERRORS,
  InvalidParameterException: (error) =>
    invalidFieldError('attributes', 'refused', 'contains a value that the identity provider rejects', error),
};

/** PATCH /user/profile. A new address takes effect once it is verified. */
export const updateProfile: Handler<'userUpdate'> = async (deps, { body, caller, call }) => {
  const attributes = readSettableAttributes(body.attributes, 'attributes', ['email']);
  if (attributes.some(isContact)) requireRecentLogin(deps, caller);
  const deliveries = attributes.length === 0 ? [] : await updateAttributes(deps, caller, attributes, call);
  const user = await readProfile(deps, caller, call);
  return {
    status: 200,
    body: {
      status: 'success',
      message: deliveries.length === 0 ? 'The user was updated.' : 'The user was updated and codes were sent.',
      data: {},
      user,
      code_delivery: presentDeliveries(deliveries),
    },
  };
};

/**
 * Users must not learn that another user has verified an address. If the update fails for this reason, each attribute is tried separately.
 */
async function updateAttributes(
  deps: GatewayDeps,
  caller: UserCaller,
  attributes: Attributes,
  call: CallContext,
): Promise<readonly CodeDeliveryDetails[]> {
  const together = await tryUpdate(deps, caller, attributes, call);
  if (together !== undefined) return together;
  const plain = attributes.filter((attribute) => !isContact(attribute));
  const deliveries: CodeDeliveryDetails[] = [];
  for (const part of [plain, ...attributes.filter(isContact).map((contact) => [contact])]) {
    if (part.length > 0) deliveries.push(...((await tryUpdate(deps, caller, part, call)) ?? part.map(toCodeDelivery)));
  }
  return deliveries;
}

/** Undefined if an address belongs to another user, in which case nothing has changed. */
async function tryUpdate(
  { provider }: GatewayDeps,
  { accessToken }: UserCaller,
  attributes: Attributes,
  call: CallContext,
): Promise<readonly CodeDeliveryDetails[] | undefined> {
  const input = { AccessToken: accessToken, UserAttributes: attributes };
  try {
    const updated = await mapProviderErrors(provider.operations.updateUserAttributes(input, call), PROFILE_ERRORS);
    return updated.CodeDeliveryDetailsList ?? [];
  } catch (error) {
    if (error instanceof GatewayError && error.code === 'user_exists') return undefined;
    throw error;
  }
}
