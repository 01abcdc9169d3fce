import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
// biome-ignore lint/correctness/noUndeclaredDependencies: the workspace has it
import { CognitoIdentityProvider } from '@aws-sdk/client-cognito-identity-provider';
import type { Service } from '../../../packages/poolgate/src/index.ts';

type Properties = Readonly<Record<string, unknown>>;

/** A resource of a template. */
interface TemplateResource {
  readonly Type: string;
  readonly Properties?: Properties;
}

/** The values that an apply assigned to a resource. */
interface AppliedResource {
  readonly Ref: string;
}

/** The output of `poolgate apply --output json`. */
export type AppliedStacks = Readonly<Record<string, { readonly resources: Readonly<Record<string, AppliedResource>> }>>;

/** A resource with the pool that it belongs to. */
interface Subject {
  readonly properties: Properties;
  readonly ref: string;
  readonly poolId: string;
}

type Describe = (client: CognitoIdentityProvider, subject: Subject) => Promise<Properties | undefined>;

const FACTORS = {
  SMS_MFA: 'SmsMfaConfiguration',
  SOFTWARE_TOKEN_MFA: 'SoftwareTokenMfaConfiguration',
  EMAIL_OTP: 'EmailMfaConfiguration',
} as const;

const describePool: Describe = async (client, { ref: UserPoolId }) => {
  const { UserPool = {} } = await client.describeUserPool({ UserPoolId });
  const mfa = await client.getUserPoolMfaConfig({ UserPoolId });
  return {
    ...UserPool,
    UserPoolName: UserPool.Name,
    Schema: UserPool.SchemaAttributes?.map(({ Name = '', ...rest }) => ({
      Name: Name.replace(/^custom:/, ''),
      ...rest,
    })),
    EnabledMfas: Object.entries(FACTORS)
      .filter(([, member]) => mfa[member] !== undefined)
      .map(([name]) => name),
    WebAuthnRelyingPartyID: mfa.WebAuthnConfiguration?.RelyingPartyId,
    WebAuthnUserVerification: mfa.WebAuthnConfiguration?.UserVerification,
  };
};

/** How each kind of resource is described through the SDK, with the names of templates. */
const DESCRIBE: Readonly<Record<string, Describe>> = {
  'AWS::Cognito::UserPool': describePool,
  'AWS::Cognito::UserPoolClient': async (client, { ref: ClientId, poolId: UserPoolId }) => {
    const { UserPoolClient } = await client.describeUserPoolClient({ UserPoolId, ClientId });
    return { ...UserPoolClient, GenerateSecret: UserPoolClient?.ClientSecret !== undefined };
  },
  'AWS::Cognito::UserPoolDomain': async (client, { ref: Domain }) => {
    const { DomainDescription } = await client.describeUserPoolDomain({ Domain });
    return { ...DomainDescription };
  },
  'AWS::Cognito::UserPoolGroup': async (client, { ref: GroupName, poolId: UserPoolId }) => {
    const { Group } = await client.getGroup({ UserPoolId, GroupName });
    return { ...Group };
  },
  'AWS::Cognito::UserPoolResourceServer': async (client, { ref: Identifier, poolId: UserPoolId }) => {
    const { ResourceServer } = await client.describeResourceServer({ UserPoolId, Identifier });
    return { ...ResourceServer };
  },
  'AWS::Cognito::UserPoolIdentityProvider': async (client, { ref: ProviderName, poolId: UserPoolId }) => {
    const { IdentityProvider } = await client.describeIdentityProvider({ UserPoolId, ProviderName });
    return { ...IdentityProvider };
  },
  'AWS::Cognito::UserPoolUser': async (client, { ref: Username, poolId: UserPoolId }) => {
    const user = await client.adminGetUser({ UserPoolId, Username });
    return { UserPoolId, Username: user.Username, UserAttributes: user.UserAttributes };
  },
  'AWS::Cognito::UserPoolUserToGroupAttachment': async (client, { properties, poolId: UserPoolId }) => {
    const Username = String(properties.Username);
    const { Groups = [] } = await client.adminListGroupsForUser({ UserPoolId, Username });
    return { UserPoolId, Username, GroupName: Groups.map(({ GroupName }) => GroupName).join() };
  },
};

/** Properties that only steer the creation. */
const OF_THE_CREATION: readonly string[] = ['MessageAction', 'DesiredDeliveryMediums'];

/** Compares every resource of a CDK assembly with its state in the service. Returns each difference. */
export async function compareWithAssembly(
  service: Service,
  assembly: string,
  stacks: AppliedStacks,
): Promise<string[]> {
  const client = new CognitoIdentityProvider({
    endpoint: service.url,
    region: 'us-east-1',
    credentials: { accessKeyId: service.adminKey?.id ?? '', secretAccessKey: service.adminKey?.secret ?? '' },
  });
  const faults: string[] = [];
  for (const file of readdirSync(assembly).filter((name) => name.endsWith('.template.json'))) {
    const stack = file.slice(0, -'.template.json'.length);
    const template = JSON.parse(readFileSync(join(assembly, file), 'utf8')) as {
      readonly Resources: Readonly<Record<string, TemplateResource>>;
    };
    const applied = new Map(Object.entries(stacks[stack]?.resources ?? {}));
    for (const [logicalId, resource] of Object.entries(template.Resources)) {
      const found = await compareWithTemplate(client, resource, applied, logicalId);
      faults.push(...found.map((fault) => `${stack}: ${fault}`));
    }
  }
  client.destroy();
  return faults;
}

/** Compares a resource with its state in the service. Returns each difference; nothing for resource types of other services. */
async function compareWithTemplate(
  client: CognitoIdentityProvider,
  { Type, Properties: stated = {} }: TemplateResource,
  applied: ReadonlyMap<string, AppliedResource>,
  logicalId: string,
): Promise<readonly string[]> {
  const describe = DESCRIBE[Type];
  if (describe === undefined) return [];
  const properties = resolve(stated, applied) as Properties;
  const ref = applied.get(logicalId)?.Ref;
  if (ref === undefined) return [`${logicalId}: was not applied`];
  const poolId = String(properties.UserPoolId ?? ref);
  const found = await describe(client, { properties, ref, poolId });
  return Object.entries(properties)
    .filter(([name]) => !OF_THE_CREATION.includes(name))
    .flatMap(([name, value]) => compare(`${logicalId}.${name}`, value, found?.[name]));
}

/** A value that is unknown here, such as the ARN of another service's resource. */
const UNKNOWN = Symbol('unknown');

function resolve(value: unknown, applied: ReadonlyMap<string, AppliedResource>): unknown {
  if (Array.isArray(value)) return value.map((item) => resolve(item, applied));
  if (typeof value !== 'object' || value === null) return value;
  const [name = '', other] = Object.keys(value);
  if (other === undefined && name === 'Ref')
    return applied.get(String((value as { Ref: unknown }).Ref))?.Ref ?? UNKNOWN;
  if (other === undefined && name.startsWith('Fn::')) return UNKNOWN;
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, resolve(item, applied)]));
}

function compare(path: string, stated: unknown, found: unknown): readonly string[] {
  if (stated === UNKNOWN) return found === undefined ? [`${path}: is missing`] : [];
  if (Array.isArray(stated)) return compareLists(path, stated, found);
  if (typeof stated === 'object' && stated !== null) {
    const members = (typeof found === 'object' && found !== null ? found : {}) as Properties;
    return Object.entries(stated).flatMap(([name, value]) => compare(`${path}.${name}`, value, members[name]));
  }
  return String(stated) === String(found) ? [] : [`${path}: ${JSON.stringify(stated)} became ${JSON.stringify(found)}`];
}

/** Lists are sets, and lists of objects have names. */
function compareLists(path: string, stated: readonly unknown[], found: unknown): readonly string[] {
  const items: readonly unknown[] = Array.isArray(found) ? found : [];
  return stated.flatMap((item, index) => {
    const isFound = items.some((other) => compare('', item, other).length === 0);
    return isFound ? [] : [`${path}[${index}]: ${JSON.stringify(item)} is not in ${JSON.stringify(found)}`];
  });
}
