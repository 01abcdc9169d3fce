import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { CallContext } from '../call-context.ts';
import { EMPTY_OPERATIONS } from '../empty-operations.ts';
import type { AdminScope } from '../operation-row.ts';
import { OPERATIONS, type OperationName } from '../operations.ts';
import type { Output, PoolDescription, ProviderOperations } from '../port.ts';
import { ProviderError } from '../provider-error.ts';
import { REFUSED_OPERATIONS, type RefusedOperationRow } from '../refused-operations.ts';
import { createOperations, type Operation, toMethodName } from '../wrap-operations.ts';
import { createAwsJsonEndpoint, findOperationName } from './aws-json-endpoint.ts';
import type { AwsJsonRequest, AwsJsonResponse } from './http-messages.ts';
import { ProtocolError } from './protocol-error.ts';
import { requireOperationModel } from './service-model.ts';

interface SignedRequest extends AwsJsonRequest {
  readonly signedBy?: string;
}

const POOL: PoolDescription = {
  userPoolId: 'us-east-1_Example01',
  region: 'us-east-1',
  issuer: 'https://idp.example/us-east-1_Example01',
  srp: { NHex: 'f', gHex: '2', hash: 'SHA-256' },
  challenges: [],
  firstFactors: [],
  passkeys: null,
  acceptsVerifiers: false,
  mfa: { setup: 'OFF', types: [] },
};

/** An endpoint over a provider that returns `answer` for every operation, and the recorded calls. */
function endpoint(answer: (input: unknown) => unknown = () => ({})) {
  const calls: { method: string; input: unknown; call: CallContext }[] = [];
  const scopes: AdminScope[] = [];
  const defects: unknown[] = [];
  const operations = createOperations(
    <Name extends OperationName>(name: Name): Operation<Name> =>
      async (input, call) => {
        calls.push({ method: toMethodName(name), input, call });
        return answer(input) as Output<Name>;
      },
  );
  const awsJson = createAwsJsonEndpoint<SignedRequest>({
    provider: {
      operations,
      describe: async (id) => (id === POOL.userPoolId ? POOL : undefined),
    },
    authorizeAdmin: async (request, scope) => {
      scopes.push(scope);
      if (request.signedBy !== 'admin') throw new ProtocolError('MissingAuthenticationTokenException');
      return {};
    },
    onDefect: (error) => defects.push(error),
  });
  return { awsJson, calls, scopes, defects };
}

function request(operation: string, body: unknown, more: Partial<SignedRequest> = {}): SignedRequest {
  return {
    headers: { 'x-amz-target': `AWSCognitoIdentityProviderService.${operation}` },
    body: JSON.stringify(body),
    sourceAddress: '192.0.2.1',
    requestId: '11111111-2222-4333-8444-555555555555',
    ...more,
  };
}

const START = {
  AuthFlow: 'USER_SRP_AUTH',
  ClientId: '1example23456789',
  AuthParameters: { USERNAME: 'alice', SRP_A: 'a1' },
};

function parseError(answer: AwsJsonResponse): { __type: string; message: string } {
  return JSON.parse(answer.body);
}

test('passes the input and the source address to the provider, and returns its output', async () => {
  const { awsJson, calls } = endpoint(() => ({
    ChallengeName: 'PASSWORD_VERIFIER',
    ChallengeParameters: { SALT: 'a' },
  }));
  const answer = await awsJson.handle(request('InitiateAuth', START));
  assert.deepEqual(answer, {
    status: 200,
    headers: {
      'access-control-allow-origin': '*',
      'access-control-expose-headers': 'x-amzn-RequestId,x-amzn-ErrorType,x-amzn-ErrorMessage,Date',
      'cache-control': 'no-store',
      'content-type': 'application/x-amz-json-1.1',
      'x-amzn-requestid': '11111111-2222-4333-8444-555555555555',
    },
    body: '{"ChallengeName":"PASSWORD_VERIFIER","ChallengeParameters":{"SALT":"a"}}',
  });
  const [call] = calls;
  assert.equal(call?.method, 'initiateAuth');
  assert.deepEqual(JSON.parse(JSON.stringify(call?.input)), START);
  assert.deepEqual(call?.call, { requestId: '11111111-2222-4333-8444-555555555555', sourceAddress: '192.0.2.1' });
});

test('returns an empty object for an operation without output members, because clients parse it', async () => {
  const { awsJson } = endpoint();
  const answer = await awsJson.handle(request('RevokeToken', { Token: 'abc', ClientId: 'a' }));
  assert.deepEqual([answer.status, answer.body], [200, '{}']);
});

test('names an error in header and body, with a header that no message can break', async () => {
  const message =
    'Invalid user attributes: user.custom:foo: Attribute does not exist in the schema.\n\u00fc\r\nSet-Cookie: a=b';
  const { awsJson, defects } = endpoint(() => {
    throw new ProviderError('InvalidParameterException', message);
  });
  const answer = await awsJson.handle(request('InitiateAuth', START));
  assert.equal(answer.status, 400);
  assert.equal(answer.headers['x-amzn-errortype'], 'InvalidParameterException:');
  assert.match(answer.headers['x-amzn-errormessage'] ?? '', /^[\x20-\x7e]+$/);
  assert.deepEqual(parseError(answer), { __type: 'InvalidParameterException', message });
  assert.deepEqual(defects, []);
});

test('truncates a very long message in the header, and sends all of it in the body', async () => {
  const { awsJson } = endpoint();
  const answer = await awsJson.handle(
    request('AdminGetUser', { UserPoolId: '!'.repeat(50), Username: ' '.repeat(9) }, { signedBy: 'admin' }),
  );
  assert.ok((answer.headers['x-amzn-errormessage'] ?? '').length <= 512);
  const long = await awsJson.handle(request('InitiateAuth', { ...START, AuthFlow: 'X'.repeat(20_000) }));
  assert.equal(long.headers['x-amzn-errormessage']?.length, 512);
  assert.ok(parseError(long).message.includes('X'.repeat(20_000)));
});

test('returns 400 for limits like the real service, without a time that a client would wait for', async () => {
  const { awsJson } = endpoint(() => {
    throw new ProviderError('LimitExceededException', 'Attempt limit exceeded, please try after some time.', {
      retryAfterSeconds: 900,
    });
  });
  const answer = await awsJson.handle(request('InitiateAuth', START));
  assert.equal(answer.status, 400);
  assert.equal(answer.headers['retry-after'], undefined);
});

test('reports a defect, and tells the caller nothing about it', async () => {
  const failure = new Error('connect ECONNREFUSED 10.0.0.7 password=hunter2');
  const { awsJson, defects } = endpoint(() => {
    throw failure;
  });
  const answer = await awsJson.handle(request('InitiateAuth', START));
  assert.equal(answer.status, 500);
  assert.deepEqual(parseError(answer), { __type: 'InternalErrorException', message: 'Something went wrong' });
  assert.deepEqual(defects, [failure]);
  assert.doesNotMatch(JSON.stringify(answer), /hunter2|10\.0\.0\.7/);
});

test('treats an output of the wrong type as a defect and does not send it', async () => {
  const { awsJson, defects } = endpoint(() => ({ Session: 17 }));
  assert.equal((await awsJson.handle(request('InitiateAuth', START))).status, 500);
  assert.equal(defects.length, 1);
});

test('rejects a target that names no operation of the service as unknown', async () => {
  const { awsJson, calls } = endpoint();
  const prefix = 'AWSCognitoIdentityProviderService';
  const targets = [
    undefined,
    '',
    'InitiateAuth',
    prefix,
    `${prefix}.`,
    `${prefix}.initiateAuth`,
    `${prefix}.constructor`,
    `${prefix}.__proto__`,
    `${prefix}.createUserPool`,
    `${prefix}.CreateUserPools`,
    `${prefix}.InitiateAuth.x`,
    ` ${prefix}.InitiateAuth`,
    `OtherService.InitiateAuth`,
    [`${prefix}.InitiateAuth`, `${prefix}.GetUser`],
  ];
  for (const target of targets) {
    const answer = await awsJson.handle(request('', START, { headers: { 'x-amz-target': target } }));
    assert.equal(answer.status, 400);
    assert.equal(parseError(answer).__type, 'UnknownOperationException');
    assert.equal(findOperationName({ 'x-amz-target': target }), undefined);
  }
  assert.deepEqual(calls, []);
  assert.equal(findOperationName(request('InitiateAuth', START).headers), 'InitiateAuth');
});

test('checks the caller and the input of a refused operation, and returns a declared error without a call', async () => {
  const { awsJson, calls, scopes, defects } = endpoint();
  for (const [name, row] of Object.entries(REFUSED_OPERATIONS)) {
    const { input } = requireOperationModel(name);
    const unsigned = parseError(await awsJson.handle(request(name, {})));
    const empty = parseError(await awsJson.handle(request(name, {}, { signedBy: 'admin' })));
    assert.equal(unsigned.__type === 'MissingAuthenticationTokenException', row.access === 'admin', name);
    assert.equal(input.required === undefined ? row.code : 'InvalidParameterException', empty.__type, name);
    if (input.required !== undefined) assert.match(empty.message, /validation errors? detected/, name);
    assert.equal(findOperationName({ 'x-amz-target': `AWSCognitoIdentityProviderService.${name}` }), undefined, name);
  }
  const rows: readonly RefusedOperationRow[] = Object.values(REFUSED_OPERATIONS);
  const asked = rows.flatMap((row) => (row.access === 'admin' ? [row.scope, row.scope] : []));
  assert.deepEqual(scopes, asked, 'the scope of its row, of whoever signed and of whoever did not');
  assert.deepEqual([calls, defects], [[], []]);
});

test('checks the caller, the input and the pool of an operation that finds nothing', async () => {
  const { awsJson, calls, defects } = endpoint();
  for (const [name, row] of Object.entries(EMPTY_OPERATIONS)) {
    const { input } = requireOperationModel(name);
    const ask = async (body: object, more: Partial<SignedRequest> = { signedBy: 'admin' }) =>
      JSON.parse((await awsJson.handle(request(name, body, more))).body);
    const whole = { UserPoolId: POOL.userPoolId, Domain: 'auth.example.com', MaxResults: 1 };
    assert.equal((await ask(whole, {})).__type, 'MissingAuthenticationTokenException', name);
    assert.equal((await ask({})).__type, 'InvalidParameterException', name);
    assert.deepEqual(await ask(whole), row.createOutput(), name);
    if (input.members?.UserPoolId === undefined) continue;
    const elsewhere = await ask({ ...whole, UserPoolId: 'us-east-1_Nobody000' });
    assert.equal(elsewhere.__type, 'ResourceNotFoundException', name);
  }
  assert.deepEqual([calls, defects], [[], []]);
});

test('never reaches an admin operation without the scope of its row, whatever the body', async () => {
  const { awsJson, calls, scopes } = endpoint();
  const expected: AdminScope[] = [];
  for (const [name, row] of Object.entries(OPERATIONS)) {
    if (row.access !== 'admin') continue;
    for (const body of ['{}', '{', '{"UserPoolId":"us-east-1_a","Username":"alice"}']) {
      const headers = { ...request(name, {}).headers, authorization: 'Bearer an-end-users-token' };
      const answer = await awsJson.handle(request(name, {}, { body, headers }));
      assert.equal(answer.status, 400);
      assert.equal(parseError(answer).__type, 'MissingAuthenticationTokenException');
      assert.equal(parseError(answer).message, 'Missing Authentication Token');
      expected.push(row.scope);
    }
  }
  assert.ok(expected.length >= 15);
  assert.deepEqual(scopes, expected);
  assert.deepEqual(calls, []);
});

test('reaches an admin operation with its scope', async () => {
  const { awsJson, scopes } = endpoint(() => ({ Username: 'alice' }));
  const body = { UserPoolId: 'us-east-1_AbCdEf123', Username: 'alice' };
  const answer = await awsJson.handle(request('AdminGetUser', body, { signedBy: 'admin' }));
  assert.deepEqual([answer.status, answer.body, scopes], [200, '{"Username":"alice"}', ['users:read']]);
});

test('ignores an Authorization header for unsigned operations', async () => {
  const { awsJson, scopes } = endpoint();
  const open = Object.entries(OPERATIONS).filter(([, row]) => row.access !== 'admin');
  for (const [name] of open) {
    const headers = { ...request(name, {}).headers, authorization: 'AWS4-HMAC-SHA256 Credential=garbage' };
    const answer = await awsJson.handle(request(name, {}, { headers }));
    // Operations without required members reach the provider, and the others lack a member. Neither has to be signed.
    const isAskedFor = (requireOperationModel(name).input.required ?? []).length > 0;
    assert.equal(parseError(answer).__type, isAskedFor ? 'InvalidParameterException' : undefined, name);
  }
  assert.ok(open.length >= 7);
  assert.deepEqual(scopes, []);
});

test('does not serve a provider that lacks an operation of the port', () => {
  const provider = { operations: {} as ProviderOperations, describe: async () => undefined };
  const options = { provider, authorizeAdmin: async () => ({}), onDefect: () => assert.fail() };
  assert.throws(() => createAwsJsonEndpoint(options), TypeError);
});
