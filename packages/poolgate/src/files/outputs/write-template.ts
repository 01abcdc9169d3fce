import { stringify } from 'yaml';
import { isPlainObject, type Members, omitMembers, pickMembers } from '../resources/members.ts';
import { ALL_CLIENTS } from '../resources/pool-appearance.ts';
import { requireResourceType } from '../resources/resource-types.ts';
import type { ExportedPool, ExportedResource } from './read-pool.ts';
import { formatSecretVariable, SECRET_DETAILS } from './write-pools-file.ts';

/** A template, and what it cannot express. */
export interface WrittenTemplate {
  readonly text: string;
  /** Members that CloudFormation does not have, each with its resource. */
  readonly omitted: readonly string[];
}

/** Returns the members of a pool under the names of CloudFormation. */
function toTemplatePool(members: Members): Members {
  const { PoolName, EmailMfaConfiguration: email, WebAuthnConfiguration: webAuthn } = members;
  const factors = [
    ...(members.SmsMfaConfiguration === undefined ? [] : ['SMS_MFA']),
    ...(members.SoftwareTokenMfaConfiguration === undefined ? [] : ['SOFTWARE_TOKEN_MFA']),
    ...(email === undefined ? [] : ['EMAIL_OTP']),
  ];
  const passkeys = isPlainObject(webAuthn) ? webAuthn : {};
  const message = isPlainObject(email) ? email : {};
  return omitMembers(
    {
      UserPoolName: PoolName,
      ...members,
      EnabledMfas: factors.length > 0 ? factors : undefined,
      EmailAuthenticationMessage: message.Message,
      EmailAuthenticationSubject: message.Subject,
      WebAuthnRelyingPartyID: passkeys.RelyingPartyId,
      WebAuthnUserVerification: passkeys.UserVerification,
      WebAuthnFactorConfiguration: passkeys.FactorConfiguration,
    },
    [
      'PoolName',
      'SmsMfaConfiguration',
      'SoftwareTokenMfaConfiguration',
      'EmailMfaConfiguration',
      'WebAuthnConfiguration',
    ],
  );
}

const toLogicalId = (name: string): string => name.replace(/[^A-Za-z0-9]+/g, '');

class TemplateWriter {
  readonly parameters: Record<string, Members> = {};
  readonly resources: Record<string, Members> = {};
  readonly omitted: string[] = [];

  /** @param dependencies the resources that must exist before it and that it does not name */
  add({ type, name, members }: ExportedResource, owner: Members, dependencies: readonly string[] = []): string {
    const suffix = type === 'UserPool' ? 'UserPool' : type.replace('UserPool', '');
    let logicalId = `${toLogicalId(name)}${suffix}` || 'Resource';
    for (let count = 2; this.resources[logicalId] !== undefined; count += 1) {
      logicalId = `${toLogicalId(name)}${suffix}${count}`;
    }
    const { title, templateShape } = requireResourceType(type);
    const named = type === 'UserPool' ? toTemplatePool(members) : this.#withParameters(name, members);
    const known = Object.keys(templateShape.members ?? {});
    const lost = Object.keys(named).filter((member) => !known.includes(member) && member !== 'ClientSecret');
    this.omitted.push(...lost.map((member) => `${logicalId}.${member}`));
    this.resources[logicalId] = {
      Type: title,
      ...(type === 'UserPool' && { DeletionPolicy: 'Retain', UpdateReplacePolicy: 'Retain' }),
      ...(dependencies.length > 0 && { DependsOn: dependencies }),
      Properties: { ...owner, ...pickMembers(named, known) },
    };
    return logicalId;
  }

  /** A secret is a hidden parameter. */
  #withParameters(name: string, members: Members): Members {
    const { ProviderDetails: details } = members;
    if (!isPlainObject(details)) return members;
    const ProviderDetails = Object.fromEntries(
      Object.entries(details).map(([detail, value]) => {
        if (!SECRET_DETAILS.has(detail)) return [detail, value];
        const parameter = toLogicalId(formatSecretVariable(name, detail));
        this.parameters[parameter] = { Type: 'String', NoEcho: true };
        return [detail, { Ref: parameter }];
      }),
    );
    return { ...members, ProviderDetails };
  }
}

/** Writes a pool as a CloudFormation template. */
export function writeTemplate({ pool, resources }: ExportedPool): WrittenTemplate {
  const writer = new TemplateWriter();
  const poolId = writer.add(pool, {});
  const UserPoolId = { Ref: poolId };
  const domains: string[] = [];
  const clients = new Map<string, string>();
  for (const resource of resources) {
    const { type, id, clientId } = resource;
    const { members = {} } = requireResourceType(type).shape;
    const isPart = 'ClientId' in members;
    const ClientId = clientId === undefined ? ALL_CLIENTS : { Ref: clients.get(clientId) };
    const logicalId = writer.add(resource, { UserPoolId, ...(isPart && { ClientId }) }, isPart ? domains : []);
    if (type === 'UserPoolDomain') domains.push(logicalId);
    if (type === 'UserPoolClient') clients.set(id, logicalId);
  }
  const { parameters, omitted } = writer;
  const template = {
    AWSTemplateFormatVersion: '2010-09-09',
    ...(Object.keys(parameters).length > 0 && { Parameters: parameters }),
    Resources: writer.resources,
    Outputs: { UserPoolId: { Value: { Ref: poolId } } },
  };
  return { text: stringify(template, { lineWidth: 0, aliasDuplicateObjects: false }), omitted };
}
