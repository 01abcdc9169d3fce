import type { CallContext } from '@poolgate/provider';
import type { GatewayDeps } from '../kernel/deps.ts';
import { invalidFieldError, mapProviderErrors } from '../kernel/gateway-errors.ts';
import type { Handler } from '../runtime/handler.ts';
import { readSettableAttributes } from '../users/attributes.ts';
import { invalidAttributesError } from './create-user-at-provider.ts';
import { NAMED_USER_ERRORS, requireUser } from './require-user.ts';
import { presentFoundUser } from './show-user.ts';

/** What administrators can set in addition to what users can set themselves. */
const ALSO_SETTABLE = ['email'];

/** PATCH /admin/users/{username}. */
export const updateUser: Handler<'adminUserUpdate'> = async (deps, { params, body, call }) => {
  const attributes = withVerifiedFlags(readSettableAttributes(body.attributes, 'attributes', ALSO_SETTABLE));
  if (attributes.length === 0) throw invalidFieldError('attributes', 'too_few', 'must contain at least one attribute');
  const { identifiers } = await requireUser(deps, params.username, call);
  await mapProviderErrors(
    deps.provider.operations.adminUpdateUserAttributes({ ...identifiers, UserAttributes: attributes }, call),
    {
      ...NAMED_USER_ERRORS,
      InvalidParameterException: invalidAttributesError,
    },
  );
  return presentUpdatedUser(deps, identifiers.Username, call);
};

type Attributes = readonly { readonly Name: string; readonly Value: string }[];

/** An administrator's email address counts as verified, a phone number does not. Both change at once. */
const VERIFIED_FLAGS: Readonly<Record<string, string>> = { email: 'true', phone_number: 'false' };

function withVerifiedFlags(attributes: Attributes): Attributes {
  const proofs = attributes
    .filter(({ Name, Value }) => Object.hasOwn(VERIFIED_FLAGS, Name) && Value !== '')
    .map(({ Name }) => ({ Name: `${Name}_verified`, Value: VERIFIED_FLAGS[Name] ?? '' }));
  return [...attributes, ...proofs];
}

async function presentUpdatedUser(deps: GatewayDeps, username: string, call: CallContext) {
  const found = await requireUser(deps, username, call);
  const user = await presentFoundUser(deps, found, call);
  return { status: 200, body: { status: 'success', message: 'The attributes were updated.', data: {}, user } } as const;
}
