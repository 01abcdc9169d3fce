import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createTestOperator } from './testing/test-operator.ts';

test('groups are created, changed, listed and deleted, and users added and removed', async (context) => {
  const { runPoolgate } = await createTestOperator(context);
  const run = async (...words: string[]) => {
    const result = await runPoolgate(['group', ...words]);
    assert.equal(result.exitCode, 0, result.err);
    return result.out;
  };
  assert.equal((await runPoolgate(['user', 'create', 'ada@example.com'])).exitCode, 0);
  await run('create', 'crew', '--description', 'On board', '--precedence', '3');
  await run('update', 'crew', '--precedence', '1');
  assert.deepEqual(await run('list'), ['GROUP\tPRECEDENCE\tDESCRIPTION', 'crew\t1\tOn board']);
  const [listed = ''] = await run('list', '--json');
  assert.deepEqual(JSON.parse(listed), { group_name: 'crew', description: 'On board', precedence: 1 });
  assert.deepEqual(await run('add-user', 'crew', 'ada@example.com'), ['added ada@example.com to crew']);
  assert.deepEqual(await run('remove-user', 'crew', 'ada@example.com'), ['removed ada@example.com from crew']);
  await run('delete', 'crew');
  assert.deepEqual(await run('list'), []);
  const gone = await runPoolgate(['group', 'delete', 'crew']);
  assert.deepEqual([gone.exitCode, gone.err], [1, 'poolgate: Group not found.']);
});

test('a client requests the scopes of a resource server', async (context) => {
  const { runPoolgate } = await createTestOperator(context);
  const run = async (...words: string[]) => {
    const result = await runPoolgate(words);
    assert.equal(result.exitCode, 0, result.err);
    return result.out;
  };
  const id = 'https://api.example.com/orders';
  const made = await run('resource-server', 'create', id, '--scope', 'read=Read orders', '--scope', 'write');
  assert.deepEqual(made, [`created ${id}`, `scope: ${id}/read`, `scope: ${id}/write`]);
  await run('client', 'create', 'job', '--flow', 'client_credentials', '--scope', `${id}/read`);
  await run('resource-server', 'update', id, '--name', 'Orders');
  const [listed = ''] = await run('resource-server', 'list', '--json');
  const scopes = [
    { scope_name: 'read', description: 'Read orders' },
    { scope_name: 'write', description: 'write' },
  ];
  assert.deepEqual(JSON.parse(listed), { identifier: id, name: 'Orders', scopes });
  await run('resource-server', 'update', id, '--scope', '');
  assert.deepEqual((await run('resource-server', 'list')).slice(1), [`${id}\tOrders\t-`]);
  await run('resource-server', 'delete', id);
  assert.equal((await runPoolgate(['resource-server', 'delete', id])).exitCode, 1);
});

test('an app client offers an identity provider, whose secret is typed and never printed', async (context) => {
  const { runPoolgate } = await createTestOperator(context);
  const run = async (typed: string | undefined, ...words: string[]) => {
    const result = await runPoolgate(words, typed);
    assert.equal(result.exitCode, 0, result.err);
    assert.ok(!result.out.join().includes('secret-of-'), 'a secret was printed');
    return result.out;
  };
  const issuer = ['--issuer', 'https://login.example.com', '--client-id', 'poolgate'];
  const [created] = await run('secret-of-corp', 'provider', 'create', 'Corp', ...issuer, '--identifier', 'example.com');
  assert.equal(created, 'created Corp');
  await run('secret-of-google', 'provider', 'create', 'Google', '--client-id', 'g', '--map', 'email=email');
  assert.deepEqual(await run(undefined, 'provider', 'list'), ['NAME\tTYPE', 'Corp\tOIDC', 'Google\tGoogle']);
  const callback = ['--callback', 'https://app.example.com/callback'];
  const providers = ['--identity-provider', 'COGNITO', '--identity-provider', 'Google'];
  await run(undefined, 'client', 'create', 'app', ...callback, ...providers);
  await run('secret-of-tomorrow', 'provider', 'update', 'Corp', '--secret', '--scope', 'openid');
  await run(undefined, 'provider', 'delete', 'Google');
  const gone = await runPoolgate(['provider', 'delete', 'Google']);
  assert.deepEqual([gone.exitCode, gone.err], [1, 'poolgate: Identity provider Google does not exist.']);
});

test('a rule that links users is refused with the other arguments, before the command asks for a secret', async (context) => {
  const { runPoolgate } = await createTestOperator(context);
  const issuer = ['--issuer', 'https://login.example.com', '--client-id', 'poolgate'];
  const refusal = 'poolgate: --link-by must be email=<claim> or phone_number=<claim>';
  for (const words of [
    ['create', 'Corp', ...issuer],
    ['update', 'Corp', '--secret'],
  ]) {
    const { exitCode, err } = await runPoolgate(['provider', ...words, '--link-by', 'name=verified']);
    assert.deepEqual([exitCode, err.split('\n')[0]], [2, refusal]);
  }
  const mapping = await runPoolgate(['provider', 'update', 'Corp', '--secret', '--map', 'email']);
  assert.match(mapping.err, /^poolgate: --map must have the form name=value/);
});

test('a pool has no domain after its last one was deleted, and a full host name needs no certificate', async (context) => {
  const { runPoolgate, serve } = await createTestOperator(context);
  await serve();
  const list = async () => (await runPoolgate(['domain', 'list', '--json'])).out.map((line) => JSON.parse(line));
  const [{ domain }] = await list();
  assert.equal((await runPoolgate(['domain', 'delete', domain])).exitCode, 0);
  assert.deepEqual(await list(), []);
  for (const name of ['shop', 'login.example.com']) {
    const made = await runPoolgate(['domain', 'create', name]);
    assert.deepEqual([made.exitCode, made.out], [0, [`created ${name}`]], made.err);
  }
  assert.deepEqual(await list(), [
    { domain: 'shop', custom: false },
    { domain: 'login.example.com', custom: true },
  ]);
  const again = await runPoolgate(['domain', 'create', 'other']);
  assert.deepEqual([again.exitCode, again.err], [1, 'poolgate: User pool already has a domain configured.']);
});

test('the signing keys are marked in the list of published keys, before and after a rotation', async (context) => {
  const { runPoolgate } = await createTestOperator(context);
  const list = async (command: string) => {
    const { out } = await runPoolgate(['keys', command, '--json']);
    return out.map((line) => JSON.parse(line) as { key_id: string; token_use: string; signs: boolean });
  };
  const first = await list('list');
  assert.deepEqual(first.map(({ token_use, signs }) => `${token_use} ${signs}`).sort(), ['access true', 'id true']);
  const rotated = await list('rotate');
  assert.deepEqual(await list('list'), rotated);
  const signing = rotated.filter(({ signs }) => signs).map(({ key_id }) => key_id);
  assert.equal(signing.length, 2);
  assert.ok(first.every(({ key_id }) => !signing.includes(key_id)));
});

for (const [words, said] of [
  [['group', 'create', 'crew', '--precedence', '-1'], /argument is ambiguous/],
  [['group', 'create', 'crew', '--precedence', 'x'], /^poolgate: --precedence must be a whole number from 0/],
  [['group', 'update', 'crew'], /^poolgate: name --description or --precedence$/],
  [['resource-server', 'create', 'api', '--scope', 'a/b'], /^poolgate: --scope must have the form name or name=/],
  [['resource-server', 'update', 'api'], /^poolgate: name --name or --scope$/],
] as const) {
  test(`${words.join(' ')} is an invalid command line`, async (context) => {
    const { runPoolgate } = await createTestOperator(context);
    const { exitCode, err } = await runPoolgate(words);
    assert.equal(exitCode, 2);
    assert.match(err, said);
  });
}

test('commands name another pool, describe it, and give it the issuer of the service', async (context) => {
  const operator = await createTestOperator(context, { BASE_URL: 'http://localhost:3999' });
  const service = await operator.serve();
  const create = await fetch(service.url, {
    method: 'POST',
    headers: {
      authorization: `Bearer ${service.adminKey?.bearer}`,
      'content-type': 'application/x-amz-json-1.1',
      'x-amz-target': 'AWSCognitoIdentityProviderService.CreateUserPool',
    },
    body: JSON.stringify({ PoolName: 'second', UsernameAttributes: ['email'] }),
  });
  const { UserPool } = (await create.json()) as { readonly UserPool: { readonly Id: string } };
  const pool = ['--pool', UserPool.Id];
  const run = async (...words: string[]) => {
    const result = await operator.runPoolgate(words);
    assert.equal(result.exitCode, 0, result.err);
    return result.out;
  };
  await run('group', 'create', 'crew', ...pool);
  assert.equal((await run('group', 'list', ...pool)).length, 2);
  assert.deepEqual(await run('group', 'list'), []);
  await run('user', 'create', 'ada@example.com', ...pool);
  assert.match((await run('user', 'list', ...pool)).join(), /ada@example\.com/);
  await run('domain', 'create', 'second', ...pool);
  const [made = ''] = await run(
    'client',
    'create',
    'web',
    '--callback',
    'https://app.example.com/cb',
    ...pool,
    '--json',
  );
  const { client_id } = JSON.parse(made) as { readonly client_id: string };
  assert.ok((await run('client', 'list', ...pool)).join().includes(client_id));
  assert.ok(!(await run('client', 'list')).join().includes(client_id));
  const described = await run('describe', ...pool);
  assert.ok(described.includes('name: second') && described.includes('domains: second'), described.join('\n'));
  assert.ok(described.includes('not supported by this service: -'));
  const issuer = async () => JSON.parse((await run('describe', ...pool, '--json'))[0] ?? '').issuer;
  assert.match(await issuer(), /amazonaws/);
  Object.assign(operator.environment, { IDP_ISSUER: 'base-url' });
  const own = `http://localhost:3999/${UserPool.Id}`;
  assert.deepEqual(await run('issuer', 'update', UserPool.Id), [`issuer: ${own}`]);
  assert.equal(await issuer(), own);
  for (const [words, text] of [
    [['issuer', 'update', service.userPoolId], /takes its issuer from IDP_ISSUER/],
    [['issuer', 'update', 'us-east-1_Nowhere01'], /does not exist/],
    [['group', 'list', '--pool', 'us-east-1_Nowhere01'], /us-east-1_Nowhere01 does not exist/],
  ] as const) {
    const { exitCode, err } = await operator.runPoolgate(words);
    assert.deepEqual([exitCode, text.test(err)], [1, true], err);
  }
});
