import type { Input } from '@poolgate/provider';
import { omitMembers, pickMembers } from './members.ts';
import { undefinedIfMissing } from './not-found.ts';
import type { ResourceIds, ResourceType } from './resource-type.ts';
import { combineShapes, readInputShape } from './shapes.ts';

const CREATE = readInputShape('CreateIdentityProvider');
const REQUIRED = ['ProviderDetails', 'ProviderName', 'ProviderType', 'UserPoolId'];
const SHAPE = combineShapes([CREATE], { required: REQUIRED });
const toIds = ({ poolId, physicalId }: ResourceIds) => ({ UserPoolId: poolId, ProviderName: physicalId });

/** Other identity providers whose users sign in to the pool. */
export const USER_POOL_IDENTITY_PROVIDER: ResourceType = {
  name: 'UserPoolIdentityProvider',
  title: 'AWS::Cognito::UserPoolIdentityProvider',
  shape: SHAPE,
  templateShape: combineShapes([CREATE], { without: ['AcrMapping'], required: REQUIRED }),
  nameMember: 'ProviderName',
  fixed: ['ProviderName', 'ProviderType', 'UserPoolId'],
  secretPaths: ['ProviderDetails.client_secret', 'ProviderDetails.private_key'],
  async find({ operations, call }, ids) {
    const found = await undefinedIfMissing(operations.describeIdentityProvider(toIds(ids), call));
    return found === undefined
      ? undefined
      : pickMembers({ ...found.IdentityProvider }, Object.keys(SHAPE.members ?? {}));
  },
  async create({ operations, call }, _ids, desired) {
    await operations.createIdentityProvider(desired as unknown as Input<'CreateIdentityProvider'>, call);
  },
  async update({ operations, call }, ids, { desired, removed }) {
    const emptied = removed.includes('IdpIdentifiers') ? { IdpIdentifiers: [] } : {};
    const input = { ...emptied, ...omitMembers(desired, ['ProviderType']), ...toIds(ids) };
    await operations.updateIdentityProvider(input as unknown as Input<'UpdateIdentityProvider'>, call);
  },
  async remove({ operations, call }, ids) {
    await operations.deleteIdentityProvider(toIds(ids), call);
  },
  readAttributes: ({ physicalId }) => ({ ref: physicalId, attributes: {} }),
};
