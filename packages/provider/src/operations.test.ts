import assert from 'node:assert/strict';
import { globSync, readFileSync } from 'node:fs';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { OPERATION_MODELS, requireOperationModel } from './aws-json/service-model.ts';
import { EMPTY_OPERATIONS, type EmptyOperationRow } from './empty-operations.ts';
import { type Access, ADMIN_SCOPES, type OperationRow } from './operation-row.ts';
import { OPERATIONS } from './operations.ts';
import { ERRORS, FAULTS, ProviderError } from './provider-error.ts';
import { REFUSED_OPERATIONS, type RefusedOperationRow } from './refused-operations.ts';

const ACCESS: Record<string, Access> = {
  access_token: 'access-token',
  access_token_or_session: 'access-token-or-session',
  none: 'client',
  sigv4: 'admin',
};

/** The SDKs sign it, but Amazon does not check a policy for it: only the secret in the request counts. */
const SIGNED_FOR_NOTHING = new Set(['GetClientToken']);

const rows: readonly [string, OperationRow][] = Object.entries(OPERATIONS);

test("every operation of the port belongs to the service and has the service's access", () => {
  assert.ok(rows.length >= 12);
  for (const [name, { access }] of rows) {
    const byService = SIGNED_FOR_NOTHING.has(name) ? 'client' : ACCESS[requireOperationModel(name).auth];
    assert.equal(access, byService, name);
  }
});

/** The facts of every row. The compiler checks that each has a value of its type. */
const FACTS = [
  'access',
  'audit',
  'clientSecret',
  'verifiesCode',
  'limit',
  'mayChangeReset',
  'missing',
  'repeatable',
  'revokes',
];

test('every row has exactly these facts', () => {
  for (const [name, row] of rows) {
    const ofItsAccess = row.access === 'admin' ? ['scope'] : row.access === 'client' ? [] : ['recentLogin'];
    assert.deepEqual(Object.keys(row).toSorted(), [...FACTS, ...ofItsAccess].toSorted(), name);
  }
});

test('the facts of a row contradict neither each other nor the shapes of its operation', () => {
  for (const [name, row] of rows) {
    const { members = {} } = requireOperationModel(name).input;
    if (row.audit !== 'changes') assert.equal(row.revokes, 'nothing', `${name} revokes, and is recorded`);
    if (row.audit === 'logs-in') assert.equal(row.limit, 'login', `${name} tries a secret`);
    if (row.verifiesCode) assert.deepEqual([row.limit, row.repeatable], ['login', false], `${name} tries a code`);
    if (row.mayChangeReset) assert.ok('Username' in members, `${name} says whose password it is`);
    if (row.revokes.startsWith('logins')) assert.ok('Username' in members || 'AccessToken' in members, name);
    const place = ['AuthParameters', 'ChallengeResponses', 'SecretHash', 'ClientSecret', 'Secret'].find(
      (each) => each in members,
    );
    const hasProof = row.access === 'client' || row.audit === 'logs-in';
    assert.equal(row.clientSecret, hasProof ? place : null, `${name} carries the proof of the client's secret`);
    if (Object.hasOwn(members, 'ConfirmationCode')) assert.equal(row.limit, 'login', `${name} tries a code`);
  }
});

const ROOT = fileURLToPath(new URL('../../../', import.meta.url));

/** The table, the shapes generated from it, and the SDK's commands, which only its own package may import. */
const LISTS = [
  'packages/provider-cognito/src/upstream/commands.ts',
  'packages/provider/src/operations.ts',
  'packages/provider/src/shapes.ts',
];

test('no other file lists the operations, because their facts are in the rows', () => {
  const files = globSync('{packages/*/src,e2e,tools,bench}/**/*.ts', { cwd: ROOT }).filter(
    (file) => !file.includes('node_modules'),
  );
  assert.ok(files.length > 500, `${files.length} files`);
  const lists = files.filter((file) => {
    const keys = new Set(
      readFileSync(`${ROOT}${file}`, 'utf8')
        .match(/^\s+(?:'\w+'|\w+)(?=:)/gm)
        ?.map(nameOfKey),
    );
    return rows.filter(([name]) => keys.has(name)).length > rows.length / 2;
  });
  assert.deepEqual(lists.toSorted(), LISTS);
});

function nameOfKey(key: string): string {
  return key.trim().replaceAll("'", '');
}

test('every operation that the service signs is an admin operation here, with an existing scope', () => {
  for (const [name, row] of rows) {
    const signed = requireOperationModel(name).auth === 'sigv4' && !SIGNED_FOR_NOTHING.has(name);
    assert.equal(row.access === 'admin', signed, name);
    if (row.access === 'admin') assert.ok(ADMIN_SCOPES.includes(row.scope), name);
  }
});

const empty: readonly [string, EmptyOperationRow][] = Object.entries(EMPTY_OPERATIONS);
const refused: readonly [string, RefusedOperationRow][] = Object.entries(REFUSED_OPERATIONS);

test("each of the service's 140 operations works, finds nothing or is refused, and exactly one of these", () => {
  assert.equal(OPERATION_MODELS.size, 140);
  const known = [...rows, ...empty, ...refused].map(([name]) => name);
  assert.deepEqual(known.toSorted(), [...OPERATION_MODELS.keys()].toSorted());
});

test("a refused operation requires the service's access and returns an error that it declares", () => {
  for (const [name, row] of refused) {
    const { auth, errors } = requireOperationModel(name);
    assert.equal(row.access, ACCESS[auth], name);
    if (row.access === 'admin') assert.ok(ADMIN_SCOPES.includes(row.scope), name);
    assert.ok(errors.includes(row.code), `${name} does not declare ${row.code}`);
    assert.equal(ERRORS[row.code] === 'limit' || ERRORS[row.code] === 'service', false, `${name} would be repeated`);
  }
});

test('an operation that finds nothing only reads, and responds in its shape', () => {
  const request = { UserPoolId: 'us-east-1_Test00001', ClientId: 'client' };
  for (const [name, row] of empty) {
    const { auth, output } = requireOperationModel(name);
    assert.match(name, /^(Describe|Get|List)/);
    assert.equal(row.access, ACCESS[auth], name);
    const { members = {}, required = [] } = output ?? {};
    const answer = row.createOutput(request);
    assert.ok(Object.keys(answer).length > 0, name);
    for (const member of Object.keys(answer)) assert.ok(Object.hasOwn(members, member), `${name}.${member}`);
    for (const member of required) assert.ok(Object.hasOwn(answer, member), `${name}.${member}`);
  }
});

test('no operation is refused with an error that recent SDKs do not know', () => {
  for (const [name, row] of refused) assert.notEqual(row.code, 'OperationNotEnabledException', name);
});

test('an operation that the service does not have has no model', () => {
  assert.throws(() => requireOperationModel('constructor'), RangeError);
  assert.throws(() => requireOperationModel('initiateAuth'), RangeError);
});

test('the operations that Cognito answers with an empty body are those without an output', () => {
  const empty = [...OPERATION_MODELS].filter(([, { output }]) => output === undefined).map(([name]) => name);
  for (const name of [
    'AdminAddUserToGroup',
    'AdminDeleteUser',
    'AdminForgetDevice',
    'AdminRemoveUserFromGroup',
    'DeleteGroup',
    'DeleteUser',
    'ForgetDevice',
  ]) {
    assert.ok(empty.includes(name), name);
  }
  for (const name of ['ChangePassword', 'GlobalSignOut', 'RevokeToken', 'SetUserMFAPreference', 'UpdateDeviceStatus']) {
    assert.ok(!empty.includes(name), `${name} answers {}`);
  }
});

test('the error table contains exactly the names that operations declare', () => {
  const declared = new Set([...OPERATION_MODELS.values()].flatMap(({ errors }) => errors));
  assert.deepEqual(Object.keys(ERRORS).toSorted(), [...declared].toSorted());
});

test('only failures of the service itself are 500', () => {
  const names = Object.entries(ERRORS).filter(([, fault]) => FAULTS[fault].status === 500);
  assert.deepEqual(
    names.map(([name]) => name),
    ['InternalErrorException', 'InternalServerException'],
  );
});

test('a provider error keeps what a caller must know', () => {
  const cause = new Error('inner');
  const error = new ProviderError('NotAuthorizedException', 'Password attempts exceeded', {
    reason: 'locked',
    retryAfterSeconds: 4,
    cause,
  });
  assert.ok(error instanceof Error);
  assert.deepEqual(
    [error.code, error.message, error.reason, error.retryAfterSeconds, error.cause, error.fault],
    ['NotAuthorizedException', 'Password attempts exceeded', 'locked', 4, cause, 'caller'],
  );
  assert.equal(Object.hasOwn(new ProviderError('NotAuthorizedException', 'x'), 'cause'), false);
});

test('admin keys for users read neither the secrets of a pool nor its branding', () => {
  const scopeOf = (name: keyof typeof OPERATIONS) =>
    (OPERATIONS[name] as OperationRow & { readonly scope?: string }).scope;
  for (const name of [
    'DescribeIdentityProvider',
    'DescribeUserPoolClient',
    'GetIdentityProviderByIdentifier',
    'ListUserPoolClientSecrets',
  ] as const)
    assert.equal(scopeOf(name), 'pool:write', name);
  for (const name of [
    'DescribeManagedLoginBranding',
    'DescribeManagedLoginBrandingByClient',
    'GetUICustomization',
  ] as const)
    assert.equal(scopeOf(name), 'pool:read', name);
});
