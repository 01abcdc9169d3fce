import type { Input } from '@poolgate/provider';
import { type Members, omitMembers, pickMembers } from './members.ts';
import { undefinedIfMissing } from './not-found.ts';
import type { ResourceChange, ResourceIds, ResourcePorts, ResourceReadPorts, ResourceType } from './resource-type.ts';
import { combineShapes, readInputShape } from './shapes.ts';

const CREATE = readInputShape('CreateUserPoolClient');
const SHAPE = combineShapes([CREATE, readInputShape('SetUserPoolClientSessionConfiguration')], {
  without: ['ClientId'],
  required: ['UserPoolId'],
});
const MEMBERS = Object.keys(SHAPE.members ?? {});

/** Members that no update of a client accepts. */
const NOT_UPDATED = ['ClientSecret', 'GenerateSecret', 'SSOSession', 'UserPoolId'] as const;

const toCall = ({ poolId, physicalId }: ResourceIds) => ({ UserPoolId: poolId, ClientId: physicalId });

async function findClient({ operations, call }: ResourceReadPorts, ids: ResourceIds): Promise<Members | undefined> {
  const found = await undefinedIfMissing(operations.describeUserPoolClient(toCall(ids), call));
  if (found?.UserPoolClient === undefined) return undefined;
  const { SSOSession } = await operations.getUserPoolClientSessionConfiguration(toCall(ids), call);
  const client = { ...found.UserPoolClient, GenerateSecret: found.UserPoolClient.ClientSecret !== undefined };
  return pickMembers({ ...client, SSOSession }, MEMBERS);
}

async function setSession(
  { operations, call }: ResourcePorts,
  ids: ResourceIds,
  { SSOSession }: Members,
): Promise<void> {
  if (SSOSession === undefined) return;
  const input = { ...toCall(ids), SSOSession } as Input<'SetUserPoolClientSessionConfiguration'>;
  await operations.setUserPoolClientSessionConfiguration(input, call);
}

/** The new secret is added before the old ones are removed: the client is never without one. */
async function replaceSecret(
  { operations, call }: ResourcePorts,
  ids: ResourceIds,
  ClientSecret: string,
): Promise<void> {
  const { ClientSecrets = [] } = await operations.listUserPoolClientSecrets(toCall(ids), call);
  const remove = (ClientSecretId: string) =>
    operations.deleteUserPoolClientSecret({ ...toCall(ids), ClientSecretId }, call);
  const [oldest, ...others] = ClientSecrets.map(({ ClientSecretId = '' }) => ClientSecretId);
  for (const id of others) await remove(id);
  await operations.addUserPoolClientSecret({ ...toCall(ids), ClientSecret }, call);
  if (oldest !== undefined) await remove(oldest);
}

async function updateClient(ports: ResourcePorts, ids: ResourceIds, change: ResourceChange): Promise<void> {
  const { desired, current, removed, changed } = change;
  const members = omitMembers({ ...omitMembers(current, removed), ...desired }, NOT_UPDATED);
  if ([...changed].some((name) => !NOT_UPDATED.some((other) => other === name))) {
    const input = { ...toCall(ids), ...members } as Input<'UpdateUserPoolClient'>;
    await ports.operations.updateUserPoolClient(input, ports.call);
  }
  const { ClientSecret } = desired;
  if (changed.has('ClientSecret') && typeof ClientSecret === 'string') await replaceSecret(ports, ids, ClientSecret);
  if (changed.has('SSOSession')) await setSession(ports, ids, desired);
}

/** App clients. */
export const USER_POOL_CLIENT: ResourceType = {
  name: 'UserPoolClient',
  title: 'AWS::Cognito::UserPoolClient',
  shape: SHAPE,
  templateShape: combineShapes([CREATE], { without: ['ClientSecret'], required: ['UserPoolId'] }),
  fixed: ['GenerateSecret', 'UserPoolId'],
  secretPaths: ['ClientSecret'],
  find: findClient,
  async create(ports, ids, desired) {
    const input = omitMembers(desired, [
      'SSOSession',
      ...(desired.ClientSecret === undefined ? [] : ['GenerateSecret']),
    ]);
    await ports.pool.createClientWithId(ids.physicalId, input as unknown as Input<'CreateUserPoolClient'>, ports.call);
    await setSession(ports, ids, desired);
  },
  update: updateClient,
  async remove({ operations, call }, ids) {
    await operations.deleteUserPoolClient(toCall(ids), call);
  },
  readAttributes({ physicalId }, { ClientName = '', ClientSecret = '' }) {
    return {
      ref: physicalId,
      attributes: { ClientId: physicalId, Name: String(ClientName), ClientSecret: String(ClientSecret) },
    };
  },
};
