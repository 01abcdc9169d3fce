import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { openTestEventPool, type TestEventPool } from '../testing/test-events.ts';
import { TEST_CALL, type TestPool } from '../testing/test-pool.ts';

describe('the resource servers of a pool', () => {
  let pool: TestPool;
  let newEvents: TestEventPool['newEvents'];
  before(async () => {
    ({ pool, newEvents } = await openTestEventPool('sqlite::memory:'));
  });
  after(() => pool.close());
  const scope = (ScopeName: string) => ({ ScopeName, ScopeDescription: `to ${ScopeName}` });

  it('are created, shown, listed, changed and deleted, each recorded', async () => {
    const { operations, userPoolId: UserPoolId } = pool;
    const one = { UserPoolId, Identifier: 'things', Name: 'Things', Scopes: [scope('read')] };
    assert.deepEqual((await operations.createResourceServer(one, TEST_CALL)).ResourceServer, one);
    const ids = { UserPoolId, Identifier: 'things' };
    assert.deepEqual((await operations.describeResourceServer(ids, TEST_CALL)).ResourceServer, one);
    const message = `things already exists in user pool ${UserPoolId}.`;
    await assert.rejects(operations.createResourceServer(one, TEST_CALL), {
      code: 'InvalidParameterException',
      message,
    });
    const changed = { ...ids, Name: 'More', Scopes: [scope('read'), scope('write')] };
    assert.deepEqual((await operations.updateResourceServer(changed, TEST_CALL)).ResourceServer, changed);
    const twice = { ...changed, Scopes: [scope('read'), scope('read')] };
    await assert.rejects(operations.updateResourceServer(twice, TEST_CALL), { code: 'InvalidParameterException' });
    for (const Identifier of ['b', 'a', 'c'])
      await operations.createResourceServer({ UserPoolId, Identifier, Name: 'x' }, TEST_CALL);
    const first = await operations.listResourceServers({ UserPoolId, MaxResults: 3 }, TEST_CALL);
    const names = (page: typeof first) => page.ResourceServers?.map(({ Identifier }) => Identifier);
    assert.deepEqual(names(first), ['a', 'b', 'c']);
    const next = await operations.listResourceServers(
      { UserPoolId, MaxResults: 3, NextToken: first.NextToken ?? '' },
      TEST_CALL,
    );
    assert.deepEqual([names(next), next.NextToken], [['things'], undefined]);
    assert.deepEqual(next.ResourceServers?.[0]?.Scopes, changed.Scopes);
    const all = await operations.listResourceServers({ UserPoolId, MaxResults: 50 }, TEST_CALL);
    assert.deepEqual(names(all), ['a', 'b', 'c', 'things']);
    await assert.rejects(operations.listResourceServers({ UserPoolId, MaxResults: 51 }, TEST_CALL), {
      code: 'InvalidParameterException',
      message: /maxResults.* less than or equal to 50$/,
    });
    assert.deepEqual(await operations.deleteResourceServer(ids, TEST_CALL), {});
    for (const gone of [
      operations.describeResourceServer(ids, TEST_CALL),
      operations.deleteResourceServer(ids, TEST_CALL),
      operations.updateResourceServer(changed, TEST_CALL),
    ]) {
      await assert.rejects(gone, { code: 'ResourceNotFoundException', reason: 'resource_server_not_found' });
    }
    const told = (await newEvents()).map(({ details }) => details.what);
    const made = 'resource_server_made';
    assert.deepEqual(told.toSorted(), ['resource_server', 'resource_server_deleted', made, made, made, made]);
  });

  it('are limited to three hundred', async () => {
    const { operations, userPoolId: UserPoolId } = pool;
    const make = (index: number) =>
      operations.createResourceServer({ UserPoolId, Identifier: `s${index}`, Name: 'x' }, TEST_CALL);
    for (let index = 3; index < 300; index += 1) await make(index);
    await assert.rejects(make(300), { code: 'LimitExceededException' });
  });
});
