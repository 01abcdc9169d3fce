import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { type EventPool, openEventPool } from '../../testing/events.ts';
import { CALL, type TestPool } from '../../testing/pool.ts';

describe('the domain of a pool', () => {
  let pool: TestPool;
  let newEvents: EventPool['newEvents'];
  before(async () => {
    ({ pool, newEvents } = await openEventPool('sqlite::memory:', { domain: true }));
  });
  after(() => pool.close());

  const domains = () => {
    const { operations, userPoolId: UserPoolId } = pool;
    return {
      isOpen: () => pool.embedded.extensions.oauth?.isOpen({ UserPoolId }, CALL),
      make: (Domain: string, more: object = {}) =>
        operations.createUserPoolDomain({ UserPoolId, Domain, ...more }, CALL),
      change: (Domain: string, more: object) => operations.updateUserPoolDomain({ UserPoolId, Domain, ...more }, CALL),
      drop: (Domain: string) => operations.deleteUserPoolDomain({ UserPoolId, Domain }, CALL),
      show: async (Domain: string) =>
        (await operations.describeUserPoolDomain({ Domain }, CALL)).DomainDescription ?? {},
      ofPool: async () => (await operations.describeUserPool({ UserPoolId }, CALL)).UserPool ?? {},
    };
  };

  it('opens the OAuth endpoints, which are closed at once when it is deleted', async () => {
    const { isOpen, make, change, drop, show, ofPool } = domains();
    const { Domain: first = '' } = await ofPool();
    await newEvents();
    assert.equal(await isOpen(), true);
    await assert.rejects(make('another'), { code: 'InvalidParameterException' });
    await drop(first);
    assert.deepEqual([await isOpen(), await show(first)], [false, {}]);
    await assert.rejects(drop(first), { code: 'InvalidParameterException' });
    assert.deepEqual(await make('another'), { ManagedLoginVersion: 1 });
    assert.equal(await isOpen(), true);
    const custom = { CustomDomainConfig: { CertificateArn: 'arn:aws:acm:us-east-1:123456789012:certificate/x' } };
    const made = await make('login.app.test', custom);
    assert.deepEqual(made, { ManagedLoginVersion: 1, CloudFrontDomain: 'login.app.test' });
    const { Domain, CustomDomain } = await ofPool();
    assert.deepEqual([Domain, CustomDomain], ['another', 'login.app.test']);
    await change('another', { ManagedLoginVersion: 2 });
    const shown = await show('another');
    assert.deepEqual([shown.ManagedLoginVersion, shown.UserPoolId, shown.Status], [2, pool.userPoolId, 'ACTIVE']);
    await assert.rejects(change('another', { ManagedLoginVersion: 3 }), { code: 'InvalidParameterException' });
    await assert.rejects(change('nobodys', { ManagedLoginVersion: 2 }), { code: 'InvalidParameterException' });
    const what = (await newEvents()).map(({ details }) => details.what);
    assert.deepEqual(what.toSorted(), ['domain', 'domain_deleted', 'domain_made', 'domain_made']);
    await drop('login.app.test');
  });

  it('has a name that can be one, and that nobody else has', async () => {
    const { make, drop, ofPool } = domains();
    const { Domain } = await ofPool();
    if (Domain !== undefined) await drop(Domain);
    for (const name of ['Upper', '-x', 'x-', 'a.b', 'my-aws', 'cognito', 'x'.repeat(64)]) {
      await assert.rejects(make(name), { code: 'InvalidParameterException' }, name);
    }
    const config = { CustomDomainConfig: { CertificateArn: 'arn:aws:acm:us-east-1:123456789012:certificate/x' } };
    await assert.rejects(make('nodots', config), { code: 'InvalidParameterException' });
    const { UserPool = {} } = await pool.operations.createUserPool({ PoolName: 'other' }, CALL);
    await pool.operations.createUserPoolDomain({ UserPoolId: UserPool.Id ?? '', Domain: 'taken' }, CALL);
    await assert.rejects(make('taken'), { code: 'InvalidParameterException' });
    await make('x'.repeat(63));
  });
});
