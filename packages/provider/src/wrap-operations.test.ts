import assert from 'node:assert/strict';
import { test } from 'node:test';
import { OPERATION_NAMES, type OperationName } from './operations.ts';
import type { IdentityProvider, ProviderOperations } from './port.ts';
import { createOperations, requireMethod, toMethodName, wrapOperations } from './wrap-operations.ts';

const CALL = { requestId: 'request-1', sourceAddress: '192.0.2.1' };
const NAMED = { UserPoolId: 'us-east-1_Example01', Username: 'ada' };

/** A provider whose methods, including those that are not operations, need their `this`. */
class ReferenceProvider implements IdentityProvider {
  readonly called: OperationName[] = [];
  readonly extensions = {};
  readonly recordsEvents = false;
  readonly recordsRevocations = true;
  readonly #pool = 'us-east-1_Example01';
  readonly operations: ProviderOperations = {
    ...createOperations((name) => async () => {
      this.called.push(name);
      return { Username: name, UserConfirmed: false, UserSub: 'sub', UserAttributes: [] };
    }),
    async adminDisableUser({ Username }, call) {
      return this.adminEnableUser({ UserPoolId: 'us-east-1_Example01', Username }, call);
    },
  };

  async describe() {
    return undefined;
  }

  async signingKeys(userPoolId: string) {
    return userPoolId === this.#pool ? [] : undefined;
  }

  async poolOfClient() {
    return this.#pool;
  }

  async readSecretBlock({ ClientId }: { readonly ClientId: string }) {
    const ChallengeName = 'PASSWORD_VERIFIER';
    return { ChallengeName, Username: this.#pool, UserIdForSrp: ClientId, SrpAEnd: 'abc' } as const;
  }
}

test("the method with an operation's name in camel case runs it", () => {
  assert.equal(toMethodName('InitiateAuth'), 'initiateAuth');
  assert.equal(toMethodName('GetCSVHeader'), 'getCSVHeader');
});

test('operations created from the table are all that a provider has, each with its own name', async () => {
  const { called, operations } = new ReferenceProvider();
  assert.deepEqual(Object.keys(operations), OPERATION_NAMES.map(toMethodName));
  await operations.getUser({ AccessToken: 'token' }, CALL);
  await operations.listUserPools({ MaxResults: 1 }, CALL);
  assert.deepEqual(called, ['GetUser', 'ListUserPools']);
});

test("calls the wrapper once for each operation, and passes the caller's input to its result", async () => {
  const asked: OperationName[] = [];
  const seen: unknown[] = [];
  const provider = new ReferenceProvider();
  const { operations } = wrapOperations(provider, (name, operation) => {
    asked.push(name);
    if (name !== 'AdminGetUser') return operation;
    return async (input, call) => {
      seen.push(input, call);
      return operation(input, call);
    };
  });
  assert.deepEqual(asked, OPERATION_NAMES);
  assert.deepEqual(await operations.adminGetUser(NAMED, CALL), {
    Username: 'AdminGetUser',
    UserConfirmed: false,
    UserSub: 'sub',
    UserAttributes: [],
  });
  await operations.getUser({ AccessToken: 'token' }, CALL);
  assert.deepEqual(seen, [NAMED, CALL]);
  assert.deepEqual(provider.called, ['AdminGetUser', 'GetUser']);
});

test("keeps the provider's other members, and binds its methods", async () => {
  const provider = new ReferenceProvider();
  const wrapped = wrapOperations(provider, (_name, operation) => operation);
  assert.equal(wrapped.extensions, provider.extensions);
  assert.equal(wrapped.recordsEvents, false);
  assert.equal(wrapped.recordsRevocations, true);
  assert.deepEqual(await wrapped.signingKeys('us-east-1_Example01'), []);
  assert.equal(await wrapped.poolOfClient('client'), 'us-east-1_Example01');
  const block = await wrapped.readSecretBlock({ ClientId: 'client', SecretBlock: '' });
  assert.deepEqual([block?.Username, block?.UserIdForSrp], ['us-east-1_Example01', 'client']);
  assert.equal(await wrapped.describe('us-east-1_Example01'), undefined);
  await wrapped.operations.adminDisableUser(NAMED, CALL);
  assert.deepEqual(provider.called, ['AdminEnableUser']);
});

test('rejects a provider that lacks an operation at once', () => {
  const provider = new ReferenceProvider();
  const { globalSignOut, ...rest } = provider.operations;
  const operations = rest as ProviderOperations;
  assert.equal(typeof globalSignOut, 'function');
  assert.throws(() => requireMethod(operations, 'GlobalSignOut'), { name: 'TypeError', message: /globalSignOut/ });
  const lacking = Object.assign(new ReferenceProvider(), { operations });
  assert.throws(() => wrapOperations(lacking, (_name, operation) => operation), TypeError);
});
