import type { CallContext } from '@poolgate/provider';
import { settableAttributes } from '../attributes.ts';
import type { GatewayDeps } from '../deps.ts';
import { invalidField, refusing } from '../errors.ts';
import type { Handler } from '../handler.ts';
import { findUser, USER_REFUSALS } from './find-user.ts';
import { refusedAttributes } from './made-user.ts';
import { showFound } from './show-user.ts';

/** What an administrator may set beside what users set themselves. */
const ALSO_SETTABLE = ['email'];

/** PATCH /admin/users/{username}. */
export const updateUser: Handler<'adminUserUpdate'> = async (deps, { params, body, context }) => {
  const attributes = withProof(settableAttributes(body.attributes, 'attributes', ALSO_SETTABLE));
  if (attributes.length === 0) throw invalidField('attributes', 'too_few', 'has no attribute');
  const { named } = await findUser(deps, params.username, context);
  await refusing(
    deps.provider.operations.adminUpdateUserAttributes({ ...named, UserAttributes: attributes }, context),
    {
      ...USER_REFUSALS,
      InvalidParameterException: refusedAttributes,
    },
  );
  return shown(deps, named.Username, context);
};

type Attributes = readonly { readonly Name: string; readonly Value: string }[];

/** An address that an administrator gives counts as verified, a telephone number does not. Both are changed at once. */
const PROOFS: Readonly<Record<string, string>> = { email: 'true', phone_number: 'false' };

function withProof(attributes: Attributes): Attributes {
  const proofs = attributes
    .filter(({ Name, Value }) => Object.hasOwn(PROOFS, Name) && Value !== '')
    .map(({ Name }) => ({ Name: `${Name}_verified`, Value: PROOFS[Name] ?? '' }));
  return [...attributes, ...proofs];
}

async function shown(deps: GatewayDeps, username: string, context: CallContext) {
  const found = await findUser(deps, username, context);
  const user = await showFound(deps, found, context);
  return { status: 200, body: { status: 'success', message: 'The attributes are updated.', data: {}, user } } as const;
}
