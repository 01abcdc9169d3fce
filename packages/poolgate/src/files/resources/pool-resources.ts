import type { Input } from '@poolgate/provider';
import { omitMembers, pickMembers } from './members.ts';
import { undefinedIfMissing } from './not-found.ts';
import type { ResourceIds, ResourceType } from './resource-type.ts';
import { combineShapes, readInputShape } from './shapes.ts';

const DOMAIN_SHAPE = combineShapes([readInputShape('CreateUserPoolDomain')], { required: ['Domain', 'UserPoolId'] });
const toDomain = ({ poolId, physicalId }: ResourceIds) => ({ UserPoolId: poolId, Domain: physicalId });

/** Domains: a prefix, or a complete host name. */
export const USER_POOL_DOMAIN: ResourceType = {
  name: 'UserPoolDomain',
  title: 'AWS::Cognito::UserPoolDomain',
  shape: DOMAIN_SHAPE,
  templateShape: DOMAIN_SHAPE,
  nameMember: 'Domain',
  fixed: ['Domain', 'UserPoolId'],
  secretPaths: [],
  async find({ operations, call }, ids) {
    const { DomainDescription: found } = await operations.describeUserPoolDomain({ Domain: ids.physicalId }, call);
    if (found?.UserPoolId !== ids.poolId) return undefined;
    return pickMembers({ ...found }, ['Domain', 'UserPoolId', 'CustomDomainConfig', 'ManagedLoginVersion', 'Routing']);
  },
  isRemovedFirst: true,
  async findConflict({ operations, call }, { poolId, physicalId: Domain }) {
    const { DomainDescription: found } = await operations.describeUserPoolDomain({ Domain }, call);
    const owner = found?.UserPoolId ?? poolId;
    return owner === poolId ? undefined : `The domain ${Domain} belongs to the pool ${owner}.`;
  },
  async create({ operations, call }, _ids, desired) {
    await operations.createUserPoolDomain(desired as unknown as Input<'CreateUserPoolDomain'>, call);
  },
  async update({ operations, call }, ids, { desired, current, removed }) {
    const members = { ...omitMembers(current, removed), ...desired, ...toDomain(ids) };
    await operations.updateUserPoolDomain(members as unknown as Input<'UpdateUserPoolDomain'>, call);
  },
  async remove({ operations, call }, ids) {
    await operations.deleteUserPoolDomain(toDomain(ids), call);
  },
  readAttributes: ({ physicalId }) => ({ ref: physicalId, attributes: { CloudFrontDistribution: physicalId } }),
};

const GROUP_SHAPE = combineShapes([readInputShape('CreateGroup')], { required: ['UserPoolId'] });
const toGroup = ({ poolId, physicalId }: ResourceIds) => ({ UserPoolId: poolId, GroupName: physicalId });

/** Groups. */
export const USER_POOL_GROUP: ResourceType = {
  name: 'UserPoolGroup',
  title: 'AWS::Cognito::UserPoolGroup',
  shape: GROUP_SHAPE,
  templateShape: GROUP_SHAPE,
  nameMember: 'GroupName',
  fixed: ['GroupName', 'UserPoolId'],
  secretPaths: [],
  async find({ operations, call }, ids) {
    const found = await undefinedIfMissing(operations.getGroup(toGroup(ids), call));
    if (found?.Group === undefined) return undefined;
    return pickMembers({ ...found.Group }, ['GroupName', 'UserPoolId', 'Description', 'RoleArn', 'Precedence']);
  },
  async create({ operations, call }, ids, desired) {
    await operations.createGroup({ ...desired, ...toGroup(ids) } as Input<'CreateGroup'>, call);
  },
  async update({ operations, call }, ids, { desired, removed }) {
    // The API cannot remove a group's precedence or role.
    const emptied = removed.includes('Description') ? { Description: '' } : {};
    await operations.updateGroup({ ...emptied, ...desired, ...toGroup(ids) } as Input<'UpdateGroup'>, call);
  },
  async remove({ operations, call }, ids) {
    await operations.deleteGroup(toGroup(ids), call);
  },
  readAttributes: ({ physicalId }) => ({ ref: physicalId, attributes: {} }),
};

const SERVER_SHAPE = combineShapes([readInputShape('CreateResourceServer')], {
  required: ['Identifier', 'Name', 'UserPoolId'],
});
const toServer = ({ poolId, physicalId }: ResourceIds) => ({ UserPoolId: poolId, Identifier: physicalId });

/** Resource servers with their scopes. */
export const USER_POOL_RESOURCE_SERVER: ResourceType = {
  name: 'UserPoolResourceServer',
  title: 'AWS::Cognito::UserPoolResourceServer',
  shape: SERVER_SHAPE,
  templateShape: SERVER_SHAPE,
  nameMember: 'Identifier',
  fixed: ['Identifier', 'UserPoolId'],
  secretPaths: [],
  async find({ operations, call }, ids) {
    const found = await undefinedIfMissing(operations.describeResourceServer(toServer(ids), call));
    return found === undefined
      ? undefined
      : pickMembers({ ...found.ResourceServer }, Object.keys(SERVER_SHAPE.members ?? {}));
  },
  async create({ operations, call }, _ids, desired) {
    await operations.createResourceServer(desired as unknown as Input<'CreateResourceServer'>, call);
  },
  async update({ operations, call }, ids, { desired }) {
    const input = { Scopes: [], ...desired, ...toServer(ids) } as unknown as Input<'UpdateResourceServer'>;
    await operations.updateResourceServer(input, call);
  },
  async remove({ operations, call }, ids) {
    await operations.deleteResourceServer(toServer(ids), call);
  },
  readAttributes: ({ physicalId }) => ({ ref: physicalId, attributes: {} }),
};
