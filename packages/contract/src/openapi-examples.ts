import { checkSchema } from './check-schema.ts';
import type { AnyRouteName } from './route-table.ts';
import type { ObjectSchema, Schema } from './schema.ts';

/** A JSON value in an example. */
export type Example = string | number | boolean | null | readonly Example[] | { readonly [name: string]: Example };

const TIME = '2026-11-22T09:30:00.000Z';
const SUB = '0193a6f2-8c1e-7d34-9b52-5f6a7c8d9e0f';
const DEVICE_KEY = `eu-central-1_${SUB}`;
const TOKEN = 'eyJraWQiOiJrMSIsImFsZyI6IlJTMjU2In0.eyJzdWIiOiIwMTkzYTZmMiJ9.c2lnbmF0dXJl';
const CREDENTIAL_ID = 'q83vEjRWeJCrze8SNFZ4kA';
const LONG_HEX = 'a1b2c3d4e5f60718293a4b5c6d7e8f90';

/** Valid values by field name, for any object with that field. */
const FIELD_EXAMPLES: Readonly<Record<string, Example>> = {
  N: LONG_HEX,
  Name: 'given_name',
  SecretCode: 'JBSWY3DPEHPK3PXPJBSWY3DPEHPK3PXP',
  SecretCodeQR: 'data:image/svg+xml;base64,PHN2Zy8+',
  Session: 'AYABeM5q9jZ0',
  ChallengeName: 'SELECT_CHALLENGE',
  ChallengeParameters: { USERNAME: SUB },
  AvailableChallenges: ['EMAIL_OTP', 'WEB_AUTHN'],
  TotpUri: 'otpauth://totp/Poolgate:ada%40example.com?secret=JBSWY3DPEHPK3PXP&issuer=Poolgate',
  Value: 'Ada',
  access_token: TOKEN,
  access_token_seconds: 3600,
  admin_key: 'pg_k3x9q2m7_ExAmPlEsEcReT',
  admin_key_id: 'k3x9q2m7',
  max_age: 300,
  acr_values: 'urn:cognito:loa:4 urn:cognito:loa:3',
  alg: -7,
  algorithm: 'RS256',
  at: TIME,
  attachment: 'platform',
  attestationObject: 'o2NmbXRkbm9uZQ',
  attribute: 'email',
  attributes: { given_name: 'Ada' },
  auth_flows: ['ALLOW_USER_SRP_AUTH'],
  authenticatorAttachment: 'platform',
  available_challenges: ['EMAIL_OTP', 'SOFTWARE_TOKEN_MFA'],
  bytes: 487_424,
  capabilities: ['verifier_passwords', 'list_logins'],
  certificate_arn: 'arn:aws:acm:us-east-1:123456789012:certificate/0193a6f2-8c1e-7d34-9b52-5f6a7c8d9e0f',
  challenge: 'dGhlIGNoYWxsZW5nZQ',
  challenge_name: 'SOFTWARE_TOKEN_MFA',
  challenge_params: { FRIENDLY_DEVICE_NAME: 'Phone' },
  challenge_value: '123456',
  challenges: ['PASSWORD_VERIFIER', 'SOFTWARE_TOKEN_MFA'],
  challenge_seconds: 180,
  channel: 'email',
  clientDataJSON: 'eyJ0eXBlIjoid2ViYXV0aG4uY3JlYXRlIn0',
  callback_urls: ['https://shop.example.com/callback'],
  client_id: '1h57kf5cpq17m0eml12EXAMPLE',
  client_name: 'shop',
  client_secret: 'q2tSw4Wv0cJ8mYx7ExAmPlEsEcReT',
  code: '123456',
  codes_sent: 1,
  csrf_token: 'b7Q0c2lnbmVkLW91dC1hZ2Fpbg',
  authenticated_at: TIME,
  domain: 'login.example.com',
  ends_at: TIME,
  event_id: SUB,
  ended: 2,
  exported_at: TIME,
  label: 'Support team',
  days: 90,
  revoked_at: null,
  factor: 'SOFTWARE_TOKEN_MFA',
  grants: 1,
  connected_at: TIME,
  by: 'you',
  browser: 'Firefox',
  system: 'Windows',
  city: 'Berlin',
  country: 'DE',
  first_factors: ['PASSWORD', 'WEB_AUTHN'],
  retired_at: null,
  return_to: 'https://app.example.com/',
  confirm: true,
  count: 3,
  created_at: TIME,
  created_by: null,
  credential: '{"id":"q83vEjRWeJCrze8SNFZ4kA","type":"public-key"}',
  credential_id: CREDENTIAL_ID,
  cursor: 'bmV4dA',
  description: 'Members of the finance team',
  default_redirect_uri: 'https://shop.example.com/callback',
  delivered: true,
  deletion_at: TIME,
  destination: 'a***@e***',
  details: { how: 'code' },
  device_attributes: { device_name: "Ada's laptop" },
  device_config: '{"PasswordVerifier":"AKx1Yg==","Salt":"3q2+7w=="}',
  device_group_key: '-abcdEFGH',
  device_key: DEVICE_KEY,
  device_name: "Ada's laptop",
  displayName: 'ada@example.com',
  email: 'ada@example.com',
  events: ['login.succeeded', 'user.created'],
  expires_at: TIME,
  expires_in: 3600,
  extensions: { access_token_type: 'at+jwt', resource_servers: ['orders'] },
  factors: ['PASSWORD', 'SOFTWARE_TOKEN_MFA'],
  failure: 'http_500',
  g: '2',
  given_up_at: TIME,
  group: 'finance',
  group_name: 'finance',
  groups: ['finance'],
  guard: 'api',
  hash: 'SHA-256',
  id: CREDENTIAL_ID,
  id_token: TOKEN,
  identifier: 'https://api.example.com',
  id_token_seconds: 3600,
  identity_providers: ['COGNITO'],
  provider: 'Corp',
  provider_name: 'Corp',
  location: 'https://login.example.com/authorize?state=c3RhdGU',
  claim: 'email_verified',
  attribute_mapping: { email: 'email', email_verified: 'email_verified' },
  identifiers: ['example.com'],
  key_id: 'c2lnbmluZy1rZXk',
  mfa_settings: { MfaConfiguration: 'OPTIONAL', SoftwareTokenMfaConfiguration: { Enabled: true } },
  promises_security: false,
  setting: 'CustomEmailSender',
  settings: { UsernameAttributes: ['email'], DeletionProtection: 'ACTIVE' },
  issuer: 'https://auth.example.com/us-east-1_Abc123xyz',
  last_authenticated_at: TIME,
  last_ip: '203.0.113.7',
  last_modified_at: TIME,
  last_used_at: TIME,
  limit: '20',
  logout_urls: ['https://shop.example.com/'],
  maximum_length: 256,
  medium: 'EMAIL',
  message: 'Done.',
  method: 'SOFTWARE_TOKEN_MFA',
  methods: ['SOFTWARE_TOKEN_MFA'],
  minimum_length: 8,
  name: 'Ada',
  new_password: 'correct horse battery staple 2',
  next_cursor: 'bmV4dA',
  oauth_flows: ['code'],
  openapi: '3.1.1',
  outcome: 'success',
  password: 'correct horse battery staple 1',
  password_confirmation: 'correct horse battery staple 1',
  phone_number: '+4915112345678',
  pool_name: 'example',
  precedence: 10,
  preferred: 'SOFTWARE_TOKEN_MFA',
  prefix: '5BAA6',
  rawId: CREDENTIAL_ID,
  recovery_codes: ['abcdefghij', 'klmnopqrst'],
  recovery_codes_left: 10,
  refresh_token: 'cmVmcmVzaA',
  refreshed_at: TIME,
  region: 'eu-central-1',
  refresh_token_rotation: { enabled: true, grace_seconds: 10 },
  refresh_token_seconds: 2_592_000,
  relying_party_id: 'example.com',
  request_id: 'req_0193a6f28c1e',
  residentKey: 'preferred',
  rp_id: 'example.com',
  salt: LONG_HEX,
  saved_at: TIME,
  scopes: ['openid', 'email'],
  scope_name: 'read',
  search: 'ada',
  secret: 'whsec_c2VjcmV0',
  secret_id: SUB,
  session: 'AYABeM5q9jZ0',
  session_id: 'c2Vzc2lvbi1pZC1vZi0yOC1j',
  session_token: 'token-of-the-client',
  setup: 'TOTP',
  source_address: '203.0.113.7',
  srp_a: LONG_HEX,
  started_at: TIME,
  status: 'CONFIRMED',
  sub: SUB,
  suffixes: '1E4C9B93F3F0682250B6CF8331B7EE68FD8',
  subject: 'Your code',
  symbols: '^$*.[]{}()?-"!@#%&/\\,><\':;|_~`+=',
  temp_password: 'correct horse battery staple 0',
  text: 'Your code is 12345678.',
  html: '<p>Your code is <strong>12345678</strong>.</p>',
  timeout: 60_000,
  timestamp: TIME,
  to: 'ada@example.com',
  token: 'c2luZ2xlLXVzZS10b2tlbg',
  transports: ['internal', 'hybrid'],
  tries: 8,
  type: 'login.succeeded',
  types: ['login.succeeded'],
  updated_at: TIME,
  url: 'https://hooks.example.com/poolgate',
  user: 'ada@example.com',
  userVerification: 'preferred',
  user_pool_id: 'eu-central-1_Ab1Cd2Ef3',
  username: 'ada@example.com',
  verifier: LONG_HEX,
};

/** Optional fields that a request example includes. */
const SHOWN_OPTIONAL: Partial<Record<AnyRouteName, readonly string[]>> = {
  loginSrp: ['srp_a'],
  loginAnswer: ['username', 'challenge_value'],
  loginStepUp: ['max_age'],
  logout: ['refresh_token'],
  registerStart: ['email'],
  register: ['password'],
  registerVerify: ['email', 'session'],
  registerResend: ['email'],
  webStepUp: ['password'],
  webLogin: ['stay_signed_in'],
  passwordForgot: ['email'],
  passwordReset: ['email', 'password'],
  passwordChange: ['password', 'new_password'],
  userDelete: ['confirm'],
  adminUserDelete: ['confirm'],
  adminUserCreate: ['attributes'],
  userInvite: ['attributes'],
  adminGroupCreate: ['description', 'precedence'],
  adminGroupUpdate: ['description'],
  adminClientCreate: ['callback_urls', 'logout_urls'],
  adminClientUpdate: ['callback_urls'],
  adminResourceServerCreate: ['scopes'],
  adminResourceServerUpdate: ['scopes'],
  adminIdentityProviderCreate: ['secret', 'identifiers'],
  adminIdentityProviderUpdate: ['secret'],
  adminWebhookCreate: ['events'],
  mfaEnable: ['method'],
  mfaDisable: ['method'],
};

const PROVIDER_EXAMPLES = {
  name: 'Corp',
  type: 'OIDC',
  details: { client_id: 'poolgate', oidc_issuer: 'https://login.example.com', authorize_scopes: 'openid email' },
  secret: 'q2tSw4Wv0cJ8mYx7ExAmPlEsEcReT',
};

/** Values for fields that mean something else in other routes. */
const ROUTE_EXAMPLES: Partial<Record<AnyRouteName, Readonly<Record<string, Example>>>> = {
  adminIdentityProviderCreate: PROVIDER_EXAMPLES,
  adminIdentityProviderUpdate: PROVIDER_EXAMPLES,
};

/** Creates an example request to a route: its required fields, and the optional ones that most callers send. */
export function createRequestExample(route: AnyRouteName, schema: ObjectSchema): Example {
  const { required = [] } = schema;
  const shown = new Set([...required, ...(SHOWN_OPTIONAL[route] ?? [])]);
  const fields = Object.entries(schema.properties).filter(([name]) => shown.has(name));
  return Object.fromEntries(
    fields.map(([name, field]) => [name, ROUTE_EXAMPLES[route]?.[name] ?? createExample(field, name)]),
  );
}

/**
 * Creates a value that a schema allows: the table's example for the field's name, or one derived from the schema.
 * @throws {RangeError} the table has no example for the name of a string, number or map that needs one
 */
export function createExample(schema: Schema, name = ''): Example {
  const known = FIELD_EXAMPLES[name];
  if (known !== undefined && isAllowed(schema, known)) return known;
  if ('anyOf' in schema) return createExample(schema.anyOf[0] ?? { type: 'null' }, name);
  switch (schema.type) {
    case 'string': {
      const text = schema.enum?.[0] ?? known;
      if (typeof text === 'string') return text;
      break;
    }
    case 'boolean':
      return true;
    case 'null':
      return null;
    case 'array':
      return [createExample(schema.items, name)];
    case 'object':
      if ('properties' in schema) return createObjectExample(schema.properties);
  }
  throw new RangeError(`examples: the field ${name} has none`);
}

function createObjectExample(properties: Readonly<Record<string, Schema>>): Example {
  return Object.fromEntries(Object.entries(properties).map(([name, field]) => [name, createExample(field, name)]));
}

function isAllowed(schema: Schema, value: Example): boolean {
  return checkSchema(schema, value).length === 0;
}
