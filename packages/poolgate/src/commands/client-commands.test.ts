import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createTestOperator } from './testing/test-operator.ts';

const CALLBACK = 'http://localhost:8080/callback';

interface PrintedClient {
  readonly client_id: string;
  readonly client_name: string;
  readonly client_secret?: string;
  readonly callback_urls: readonly string[];
  readonly scopes: readonly string[];
  readonly secrets: readonly { readonly secret_id: string }[];
  readonly refresh_token_rotation: { readonly enabled: boolean; readonly grace_seconds: number };
}

const parseClient = (out: readonly string[]): PrintedClient => JSON.parse(out[0] ?? '') as PrintedClient;

test('a client with a callback can be used to sign in, only with the named address', async (context) => {
  const { runPoolgate, serve } = await createTestOperator(context);
  const made = await runPoolgate(['client', 'create', 'shop', '--callback', CALLBACK]);
  assert.equal(made.exitCode, 0, made.err);
  const id = /^client id: (\w+)$/m.exec(made.out.join('\n'))?.[1] ?? assert.fail(made.out.join('\n'));
  assert.ok(!made.out.join().includes('secret, shown'));
  const { url } = await serve();
  const authorize = async (redirect_uri: string) => {
    const query = new URLSearchParams({
      response_type: 'code',
      client_id: id,
      redirect_uri,
      scope: 'openid email',
      code_challenge: 'E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM',
      code_challenge_method: 'S256',
    });
    const answer = await fetch(`${url}/oauth2/authorize?${query}`, { redirect: 'manual' });
    await answer.arrayBuffer();
    return answer.status;
  };
  assert.equal(await authorize(CALLBACK), 302);
  assert.equal(await authorize('http://localhost:8080/other'), 400);
});

test('clients are listed, shown, changed and deleted', async (context) => {
  const { runPoolgate } = await createTestOperator(context);
  const run = async (...words: string[]) => {
    const result = await runPoolgate(['client', ...words]);
    assert.equal(result.exitCode, 0, result.err);
    return result;
  };
  const made = parseClient((await run('create', 'shop', '--callback', CALLBACK, '--scope', 'openid', '--json')).out);
  assert.deepEqual(made.scopes, ['openid']);
  const listed = (await run('list', '--json')).out.map((line) => JSON.parse(line) as PrintedClient);
  assert.ok(listed.some(({ client_id, client_name }) => client_id === made.client_id && client_name === 'shop'));
  assert.match((await run('list')).out.join('\n'), new RegExp(`^CLIENT ID\tNAME\n[^]*^${made.client_id}\tshop$`, 'm'));
  const words = ['--name', 'Shop 2', '--logout', 'http://localhost:8080/', '--rotation', 'off', '--json'];
  const changed = parseClient((await run('update', made.client_id, ...words)).out);
  assert.deepEqual(
    [changed.client_name, changed.callback_urls, changed.refresh_token_rotation.enabled],
    ['Shop 2', [CALLBACK], false],
  );
  assert.deepEqual(parseClient((await run('show', made.client_id, '--json')).out), changed);
  const emptied = await run('update', made.client_id, '--logout', '');
  assert.match(emptied.out.join('\n'), /^logout: -$/m);
  assert.deepEqual((await run('delete', made.client_id)).out, [`deleted ${made.client_id}`]);
  const gone = await runPoolgate(['client', 'show', made.client_id]);
  assert.deepEqual(gone, {
    exitCode: 1,
    out: [],
    err: `poolgate: User pool client ${made.client_id} does not exist.`,
  });
});

test('settings that Cognito lacks are set as JSON or text, and printed in the same form', async (context) => {
  const { runPoolgate } = await createTestOperator(context);
  const { client_id } = parseClient((await runPoolgate(['client', 'create', 'job', '--secret', '--json'])).out);
  const set = (...pairs: string[]) =>
    runPoolgate(['client', 'update', client_id, ...pairs.flatMap((one) => ['--set', one])]);
  const keys = 'https://job.example/keys';
  const changed = await set(`jwks_uri=${keys}`, 'require_pushed_requests=true');
  assert.equal(changed.exitCode, 0, changed.err);
  assert.match(changed.out.join('\n'), new RegExp(`^jwks_uri: ${keys}\nrequire_pushed_requests: true$`, 'm'));
  const restored = await set('jwks_uri=null');
  assert.ok(!restored.out.join().includes('jwks_uri'), restored.err);
  for (const [pair, exitCode, said] of [
    ['jwks_uri', 2, /^poolgate: --set must be a setting and its value/],
    ['unknown=1', 2, /^poolgate: extensions /],
    ['jwks_uri=x', 1, /must be an https URL/],
  ] as const) {
    const refused = await set(pair);
    assert.equal(refused.exitCode, exitCode, refused.err);
    assert.match(refused.err, said);
  }
});

test('a secret is printed once; a second one is added, and the first removed', async (context) => {
  const { runPoolgate } = await createTestOperator(context);
  const made = parseClient((await runPoolgate(['client', 'create', 'job', '--secret', '--json'])).out);
  const [first] = made.secrets;
  assert.ok(made.client_secret && first);
  const update = (...words: string[]) => runPoolgate(['client', 'update', made.client_id, ...words, '--json']);
  const added = parseClient((await update('--add-secret')).out);
  assert.equal(added.secrets.length, 2);
  assert.notEqual(added.client_secret, made.client_secret);
  const third = await update('--add-secret');
  assert.deepEqual([third.exitCode, third.err], [1, 'poolgate: A client can have 2 secrets at most.']);
  const removed = parseClient((await update('--remove-secret', first.secret_id)).out);
  assert.deepEqual([removed.secrets, removed.client_secret], [added.secrets.slice(1), undefined]);
  const shown = await runPoolgate(['client', 'show', made.client_id]);
  for (const secret of [made.client_secret, added.client_secret]) assert.ok(!shown.out.join().includes(secret ?? '-'));
  const text = (await runPoolgate(['client', 'create', 'job', '--secret'])).out.join('\n');
  assert.match(text, /^client secret, shown only once: \w{30,}$/m);
});

for (const [words, exitCode, said] of [
  [['create', ''], 2, /^poolgate: the name of the client /],
  [['create', 'shop', '--flow', 'password'], 2, /^poolgate: --flow /],
  [['create', 'shop', '--rotation', '61'], 2, /^poolgate: --rotation must be from 0 to 60$/],
  [['create', 'shop', '--rotation', 'on'], 2, /^poolgate: --rotation must be off or a whole number/],
  [['create', 'shop', '--callback', 'http://shop.example.com/'], 1, /cannot use the HTTP protocol\.$/],
  [['create', 'job', '--flow', 'client_credentials'], 1, /AllowedOAuthScopes are required/],
  [['update', 'nosuchclient'], 2, /^poolgate: name a setting to change; see poolgate client update --help$/],
  [['update', 'nosuchclient', '--name', 'x'], 1, /^poolgate: User pool client nosuchclient does not exist\.$/],
] as const) {
  test(`client ${words.join(' ')} is refused with the reason`, async (context) => {
    const { runPoolgate } = await createTestOperator(context);
    const refused = await runPoolgate(['client', ...words]);
    assert.deepEqual([refused.exitCode, refused.out], [exitCode, []]);
    assert.match(refused.err, said);
  });
}
