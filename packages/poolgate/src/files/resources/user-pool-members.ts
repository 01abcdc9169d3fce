import { isPlainObject, type Members } from './members.ts';
import { combineShapes, readInputShape, requireMember, TEXT } from './shapes.ts';

const CREATE = readInputShape('CreateUserPool');
const MFA = readInputShape('SetUserPoolMfaConfig');
const SESSIONS = readInputShape('SetUserPoolSessionConfiguration');
const EMAIL_MFA = requireMember(MFA, 'EmailMfaConfiguration');
const WEB_AUTHN = requireMember(MFA, 'WebAuthnConfiguration');

/** Members that `SetUserPoolMfaConfig` sets, and no other operation. */
export const MFA_MEMBERS = [
  'SmsMfaConfiguration',
  'SoftwareTokenMfaConfiguration',
  'EmailMfaConfiguration',
  'WebAuthnConfiguration',
] as const;

/** Members that `SetUserPoolSessionConfiguration` sets. */
export const SESSION_MEMBERS = ['UserSessionTracking', 'TokenSession'] as const;

/** Members that only `CreateUserPool` takes. */
export const CREATION_MEMBERS = ['AliasAttributes', 'Schema', 'UsernameAttributes', 'UsernameConfiguration'] as const;

/** Every member of a pool, of all operations. */
export const USER_POOL_SHAPE = combineShapes([CREATE, MFA, SESSIONS], { without: ['UserPoolId'] });

/** Members of the API that CloudFormation does not have. */
const API_ONLY = ['AcrConfiguration', 'DcrConfiguration', 'PoolName'] as const;

/** A pool with the names of CloudFormation. */
export const USER_POOL_TEMPLATE_SHAPE = combineShapes([CREATE], {
  without: API_ONLY,
  more: {
    UserPoolName: requireMember(CREATE, 'PoolName'),
    EnabledMfas: { type: 'list', item: { type: 'string', enum: ['EMAIL_OTP', 'SMS_MFA', 'SOFTWARE_TOKEN_MFA'] } },
    EmailAuthenticationMessage: requireMember(EMAIL_MFA, 'Message'),
    EmailAuthenticationSubject: requireMember(EMAIL_MFA, 'Subject'),
    WebAuthnRelyingPartyID: requireMember(WEB_AUTHN, 'RelyingPartyId'),
    WebAuthnUserVerification: requireMember(WEB_AUTHN, 'UserVerification'),
    WebAuthnFactorConfiguration: requireMember(WEB_AUTHN, 'FactorConfiguration'),
    // Names of custom attributes in templates have no prefix, as in the API.
    UserPoolTags: { type: 'map', value: TEXT },
  },
});

const TEMPLATE_ONLY = [
  'UserPoolName',
  'EnabledMfas',
  'EmailAuthenticationMessage',
  'EmailAuthenticationSubject',
  'WebAuthnRelyingPartyID',
  'WebAuthnUserVerification',
  'WebAuthnFactorConfiguration',
];

/** Other paths of a value that a file sets once. */
export const OTHER_PATHS: ReadonlyMap<string, string> = new Map([
  ['UserPoolName', 'PoolName'],
  ['SmsConfiguration', 'SmsMfaConfiguration.SmsConfiguration'],
  ['SmsAuthenticationMessage', 'SmsMfaConfiguration.SmsAuthenticationMessage'],
  ['EmailAuthenticationMessage', 'EmailMfaConfiguration.Message'],
  ['EmailAuthenticationSubject', 'EmailMfaConfiguration.Subject'],
  ['WebAuthnRelyingPartyID', 'WebAuthnConfiguration.RelyingPartyId'],
  ['WebAuthnUserVerification', 'WebAuthnConfiguration.UserVerification'],
  ['WebAuthnFactorConfiguration', 'WebAuthnConfiguration.FactorConfiguration'],
]);

function listFactors({ EnabledMfas, MfaConfiguration, SmsConfiguration }: Members): readonly unknown[] {
  // Factors may be named while MFA is off: they apply when it is switched on. The API rejects them together.
  if (MfaConfiguration === 'OFF' || (MfaConfiguration === undefined && EnabledMfas === undefined)) return [];
  if (Array.isArray(EnabledMfas)) return EnabledMfas;
  return SmsConfiguration === undefined ? [] : ['SMS_MFA'];
}

function definedMembers(members: Members): Members {
  return Object.fromEntries(Object.entries(members).filter(([, value]) => value !== undefined));
}

/** Returns the members of a template's pool under the names of the API. */
export function toUserPoolMembers(template: Members): Members {
  const rest = Object.fromEntries(Object.entries(template).filter(([name]) => !TEMPLATE_ONLY.includes(name)));
  const factors = listFactors(template);
  const webAuthn = definedMembers({
    RelyingPartyId: template.WebAuthnRelyingPartyID,
    UserVerification: template.WebAuthnUserVerification,
    FactorConfiguration: template.WebAuthnFactorConfiguration,
  });
  return definedMembers({
    ...rest,
    PoolName: template.UserPoolName,
    SoftwareTokenMfaConfiguration: factors.includes('SOFTWARE_TOKEN_MFA') ? { Enabled: true } : undefined,
    SmsMfaConfiguration: factors.includes('SMS_MFA')
      ? definedMembers({
          SmsConfiguration: template.SmsConfiguration,
          SmsAuthenticationMessage: template.SmsAuthenticationMessage,
        })
      : undefined,
    EmailMfaConfiguration: factors.includes('EMAIL_OTP')
      ? definedMembers({ Message: template.EmailAuthenticationMessage, Subject: template.EmailAuthenticationSubject })
      : undefined,
    WebAuthnConfiguration: Object.keys(webAuthn).length > 0 ? webAuthn : undefined,
  });
}

interface SchemaAttribute {
  readonly Name: string;
  readonly [member: string]: unknown;
}

/** Returns the attributes of a schema, by name without prefix. */
function listAttributes(schema: unknown): ReadonlyMap<string, SchemaAttribute> {
  const items = Array.isArray(schema) ? schema.filter(isPlainObject) : [];
  return new Map(
    items.map((item) => {
      const name = String(item.Name).replace(/^(?:dev:)?custom:/, '');
      return [name, { ...item, Name: name }];
    }),
  );
}

/** Returns the custom attributes that a schema adds to the previous one. */
export function listAddedAttributes(before: unknown, after: unknown): readonly Members[] {
  const known = listAttributes(before);
  return [...listAttributes(after)].filter(([name]) => !known.has(name)).map(([, attribute]) => attribute);
}

/** The attributes of OpenID Connect that every pool has: their schema counts only when the pool is created. */
const STANDARD_ATTRIBUTES: ReadonlySet<string> = new Set([
  ...['address', 'birthdate', 'email', 'email_verified', 'family_name', 'gender', 'given_name', 'locale'],
  ...['middle_name', 'name', 'nickname', 'phone_number', 'phone_number_verified', 'picture', 'preferred_username'],
  ...['profile', 'sub', 'updated_at', 'website', 'zoneinfo'],
]);

/** Returns why a schema cannot replace another one in the same pool; undefined if it only adds custom attributes. */
export function findSchemaReplacement(before: unknown, after: unknown): string | undefined {
  const [known, wanted] = [listAttributes(before), listAttributes(after)];
  for (const [name, attribute] of known) {
    const next = wanted.get(name);
    if (next === undefined) return `the attribute ${name} was removed from Schema`;
    if (JSON.stringify(Object.entries(attribute).toSorted()) !== JSON.stringify(Object.entries(next).toSorted())) {
      return `the attribute ${name} of Schema changed`;
    }
  }
  const added = [...wanted.keys()].find((name) => !known.has(name) && STANDARD_ATTRIBUTES.has(name));
  return added === undefined ? undefined : `Schema changes the standard attribute ${added}`;
}
