import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { openTestEnvironment } from '../testing/test-environment.ts';
import { openTestEventPool, type TestEventPool } from '../testing/test-events.ts';
import { openTestPoolOn, TEST_CALL, type TestPool } from '../testing/test-pool.ts';

const invalid = (message: string) => ({ code: 'InvalidParameterException', message });

describe('the domain of a pool', () => {
  let pool: TestPool;
  let newEvents: TestEventPool['newEvents'];
  before(async () => {
    ({ pool, newEvents } = await openTestEventPool('sqlite::memory:', { domain: true }));
  });
  after(() => pool.close());

  const domains = () => {
    const { operations, userPoolId: UserPoolId } = pool;
    return {
      isOpen: () => pool.embedded.extensions.oauth?.isOpen({ UserPoolId }, TEST_CALL),
      make: (Domain: string, more: object = {}) =>
        operations.createUserPoolDomain({ UserPoolId, Domain, ...more }, TEST_CALL),
      change: (Domain: string, more: object) =>
        operations.updateUserPoolDomain({ UserPoolId, Domain, ...more }, TEST_CALL),
      drop: (Domain: string) => operations.deleteUserPoolDomain({ UserPoolId, Domain }, TEST_CALL),
      show: async (Domain: string) =>
        (await operations.describeUserPoolDomain({ Domain }, TEST_CALL)).DomainDescription ?? {},
      ofPool: async () => (await operations.describeUserPool({ UserPoolId }, TEST_CALL)).UserPool ?? {},
    };
  };

  it('opens the OAuth endpoints, which close at once when it is deleted', async () => {
    const { isOpen, make, change, drop, show, ofPool } = domains();
    const { Domain: first = '' } = await ofPool();
    assert.equal(first, pool.userPoolId.toLowerCase().replace('_', '-'));
    await newEvents();
    assert.equal(await isOpen(), true);
    await assert.rejects(make('another'), invalid('User pool already has a domain configured.'));
    assert.deepEqual(await drop(first), {});
    assert.deepEqual([await isOpen(), await show(first)], [false, {}]);
    assert.deepEqual([(await ofPool()).Domain, (await ofPool()).CustomDomain], [undefined, undefined]);
    await assert.rejects(drop(first), invalid('No such domain or user pool exists.'));
    assert.deepEqual(await make('another'), { ManagedLoginVersion: 1 });
    assert.equal(await isOpen(), true);
    const custom = { CustomDomainConfig: { CertificateArn: 'arn:aws:acm:us-east-1:123456789012:certificate/x' } };
    const made = await make('login.app.test', custom);
    assert.deepEqual(made, { ManagedLoginVersion: 1, CloudFrontDomain: 'login.app.test' });
    const { Domain, CustomDomain } = await ofPool();
    assert.deepEqual([Domain, CustomDomain], ['another', 'login.app.test']);
    const routed = { ManagedLoginVersion: 2, Routing: { Failover: { PrimaryRegion: 'us-east-1' } } };
    assert.deepEqual(await change('another', { ManagedLoginVersion: 2 }), { ManagedLoginVersion: 2 });
    assert.deepEqual(await change('another', routed), routed);
    const shown = await show('another');
    assert.deepEqual([shown.ManagedLoginVersion, shown.UserPoolId, shown.Status], [2, pool.userPoolId, 'ACTIVE']);
    const version = invalid('Managed login version must be 1 or 2.');
    for (const ManagedLoginVersion of [0, 3]) {
      await assert.rejects(change('another', { ManagedLoginVersion }), version);
    }
    await assert.rejects(change('nobodys', { ManagedLoginVersion: 2 }), invalid('No such domain or user pool exists.'));
    const what = (await newEvents()).map(({ details }) => details.what);
    assert.deepEqual(what.toSorted(), ['domain', 'domain', 'domain_deleted', 'domain_made', 'domain_made']);
    await drop('login.app.test');
  });

  it('has a valid and unique name', async () => {
    const { make, drop, ofPool } = domains();
    const { Domain } = await ofPool();
    if (Domain !== undefined) await drop(Domain);
    for (const name of ['Upper', '-x', 'x-', 'a.b', 'x'.repeat(64)]) {
      await assert.rejects(make(name), { code: 'InvalidParameterException', message: /invalid character/ }, name);
    }
    for (const [name, word] of Object.entries({ 'my-aws': 'aws', cognito: 'cognito' })) {
      await assert.rejects(make(name), invalid(`Domain cannot contain reserved word: ${word}`));
    }
    const config = { CustomDomainConfig: { CertificateArn: 'arn:aws:acm:us-east-1:123456789012:certificate/x' } };
    await assert.rejects(make('nodots', config), invalid('Custom domain is not a valid subdomain.'));
    const { UserPool = {} } = await pool.operations.createUserPool({ PoolName: 'other' }, TEST_CALL);
    await pool.operations.createUserPoolDomain({ UserPoolId: UserPool.Id ?? '', Domain: 'taken' }, TEST_CALL);
    await assert.rejects(make('taken'), invalid('Domain already associated with another user pool.'));
    await assert.rejects(drop('taken'), invalid('No such domain or user pool exists.'));
    await make('x'.repeat(63));
  });
});

describe('a custom domain', () => {
  it('is a host name in lower case that leads to no other target', async (context) => {
    const opened = await openTestEnvironment('sqlite::memory:');
    const options = { ...opened.options, aliasTarget: 'auth.example.com', reservedHosts: ['app.example.com'] };
    const { operations, userPoolId: UserPoolId, ...pool } = await openTestPoolOn({ ...opened, options });
    context.after(() => pool.close());
    const CustomDomainConfig = { CertificateArn: 'arn:aws:acm:us-east-1:123456789012:certificate/x' };
    const make = (Domain: string) =>
      operations.createUserPoolDomain({ UserPoolId, Domain, CustomDomainConfig }, TEST_CALL);
    const malformed = [
      '10.0.0.1',
      '[::1]',
      'a..b',
      'a.b.',
      '.a.b',
      '-a.b',
      'a-.b',
      'a.1',
      'a_b.c',
      `${'x'.repeat(64)}.y`,
    ];
    for (const name of malformed)
      await assert.rejects(make(name), invalid('Custom domain is not a valid subdomain.'), name);
    await assert.rejects(make('Login.Example.com'), { code: 'InvalidParameterException' });
    for (const name of ['auth.example.com', 'acme.auth.example.com', 'app.example.com'])
      await assert.rejects(make(name), invalid(`Custom domain ${name} is already used by this service.`), name);
    await make('login.acme.auth.example.com');
  });
});
