import type { Input } from '@poolgate/provider';
import { isSameValue, type Members, omitMembers, pickMembers } from './members.ts';
import { undefinedIfMissing } from './not-found.ts';
import type { ResourceChange, ResourceIds, ResourcePorts, ResourceReadPorts, ResourceType } from './resource-type.ts';
import {
  CREATION_MEMBERS,
  findSchemaReplacement,
  listAddedAttributes,
  MFA_MEMBERS,
  OTHER_PATHS,
  SESSION_MEMBERS,
  toUserPoolMembers,
  USER_POOL_SHAPE,
  USER_POOL_TEMPLATE_SHAPE,
} from './user-pool-members.ts';

const POOL_MEMBERS = Object.keys(USER_POOL_SHAPE.members ?? {});

async function findUserPool(
  { operations, call }: ResourceReadPorts,
  { poolId: UserPoolId }: ResourceIds,
): Promise<Members | undefined> {
  const found = await undefinedIfMissing(operations.describeUserPool({ UserPoolId }, call));
  if (found?.UserPool === undefined) return undefined;
  const { Name: PoolName, SchemaAttributes: Schema, ...pool } = found.UserPool;
  const mfa = await operations.getUserPoolMfaConfig({ UserPoolId }, call);
  const { UserSessionTracking, TokenSession } = await operations.getUserPoolSessionConfiguration({ UserPoolId }, call);
  return pickMembers({ ...pool, PoolName, Schema, ...mfa, UserSessionTracking, TokenSession }, POOL_MEMBERS);
}

async function createUserPool(ports: ResourcePorts, ids: ResourceIds, desired: Members): Promise<void> {
  // With MFA from the start the operation would require a configuration of text messages: factors are set in the next call.
  const input = omitMembers(desired, ['MfaConfiguration', ...MFA_MEMBERS, ...SESSION_MEMBERS]);
  await ports.pool.createPoolWithId(ids.poolId, input as unknown as Input<'CreateUserPool'>, ports.call);
  await setMfa(ports, ids, desired);
  await setSessions(ports, ids, desired);
}

/** Factors are rejected together with an MFA that is off: they wait in the file. */
async function setMfa({ operations, call }: ResourcePorts, { poolId }: ResourceIds, members: Members): Promise<void> {
  const factors = members.MfaConfiguration === 'OFF' ? ['WebAuthnConfiguration'] : MFA_MEMBERS;
  const given = pickMembers(members, ['MfaConfiguration', ...factors]);
  if (Object.keys(given).length === 0) return;
  await operations.setUserPoolMfaConfig({ UserPoolId: poolId, ...given } as Input<'SetUserPoolMfaConfig'>, call);
}

const SESSION_DEFAULTS = { UserSessionTracking: 'DISABLED', TokenSession: { MaxPerUser: 100 } } as const;

async function setSessions(
  { operations, call }: ResourcePorts,
  { poolId }: ResourceIds,
  members: Members,
): Promise<void> {
  const given = pickMembers(members, SESSION_MEMBERS);
  if (Object.keys(given).length === 0) return;
  const input = { UserPoolId: poolId, ...SESSION_DEFAULTS, ...given };
  await operations.setUserPoolSessionConfiguration(input as Input<'SetUserPoolSessionConfiguration'>, call);
}

/** Settings that the operation leaves unchanged if a request omits them. */
const DEFAULTS: Members = {
  DeletionProtection: 'INACTIVE',
  MfaConfiguration: 'OFF',
  UserPoolTags: {},
  UserPoolTier: 'ESSENTIALS',
  ...SESSION_DEFAULTS,
  Policies: {
    PasswordPolicy: {
      MinimumLength: 8,
      RequireUppercase: true,
      RequireLowercase: true,
      RequireNumbers: true,
      RequireSymbols: true,
      TemporaryPasswordValidityDays: 7,
    },
    SignInPolicy: { AllowedFirstAuthFactors: ['PASSWORD'] },
  },
};

/** A policy member that the file omits gets its default, as in the API; a policy that it omits stays unchanged. */
function mergePolicies(current: unknown, desired: unknown): Members {
  return { ...(current as Members), ...(desired as Members) };
}

async function updateUserPool(ports: ResourcePorts, ids: ResourceIds, change: ResourceChange): Promise<void> {
  const { operations, call } = ports;
  const { desired, current, removed, changed } = change;
  const defaults = pickMembers(DEFAULTS, removed);
  const merged = { ...omitMembers(current, removed), ...defaults, ...desired };
  const Policies = mergePolicies(merged.Policies ?? current.Policies, desired.Policies);
  const isMfa = (name: string) => name === 'MfaConfiguration' || MFA_MEMBERS.some((member) => member === name);
  const others = omitMembers({ ...merged, Policies }, [
    'MfaConfiguration',
    ...MFA_MEMBERS,
    ...SESSION_MEMBERS,
    ...CREATION_MEMBERS,
  ]);
  const isOther = (name: string) => Object.hasOwn(others, name) || (removed.includes(name) && !isMfa(name));
  const isSession = (name: string) => SESSION_MEMBERS.some((member) => member === name);
  if ([...changed].some((name) => isOther(name) && !isSession(name))) {
    await operations.updateUserPool({ UserPoolId: ids.poolId, ...others } as Input<'UpdateUserPool'>, call);
  }
  const CustomAttributes = changed.has('Schema') ? listAddedAttributes(current.Schema, desired.Schema) : [];
  if (CustomAttributes.length > 0) {
    const input = { UserPoolId: ids.poolId, CustomAttributes } as unknown as Input<'AddCustomAttributes'>;
    await operations.addCustomAttributes(input, call);
  }
  if ([...changed].some(isMfa)) await setMfa(ports, ids, merged);
  if ([...changed].some(isSession)) await setSessions(ports, ids, merged);
}

async function findReasonToKeepPool(
  { operations, call }: ResourcePorts,
  { poolId: UserPoolId }: ResourceIds,
): Promise<string | undefined> {
  const { UserPool } = await operations.describeUserPool({ UserPoolId }, call);
  if (UserPool?.DeletionProtection === 'ACTIVE') return 'it has deletion protection';
  const { Users = [] } = await operations.listUsers({ UserPoolId, Limit: 1 }, call);
  return Users.length > 0 ? 'it has users' : undefined;
}

/** User pools: settings, factors and sessions. */
export const USER_POOL: ResourceType = {
  name: 'UserPool',
  title: 'AWS::Cognito::UserPool',
  shape: USER_POOL_SHAPE,
  templateShape: USER_POOL_TEMPLATE_SHAPE,
  fromTemplate: toUserPoolMembers,
  fixed: ['AliasAttributes', 'UsernameAttributes', 'UsernameConfiguration'],
  findReplacement: (applied, desired) =>
    isSameValue(applied.Schema, desired.Schema) ? undefined : findSchemaReplacement(applied.Schema, desired.Schema),
  secretPaths: [],
  otherPaths: OTHER_PATHS,
  find: findUserPool,
  create: createUserPool,
  update: updateUserPool,
  async remove({ operations, call }, { poolId }) {
    await operations.deleteUserPool({ UserPoolId: poolId }, call);
  },
  findReasonToKeep: findReasonToKeepPool,
  readAttributes({ poolId }, _described, account) {
    const region = poolId.slice(0, poolId.indexOf('_'));
    const providerName = `cognito-idp.${region}.amazonaws.com/${poolId}`;
    return {
      ref: poolId,
      attributes: {
        Arn: `arn:aws:cognito-idp:${region}:${account}:userpool/${poolId}`,
        ProviderName: providerName,
        ProviderURL: `https://${providerName}`,
        UserPoolId: poolId,
      },
    };
  },
};
