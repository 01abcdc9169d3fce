import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { test } from 'node:test';
import { createScriptedClientWith, type ScriptedResponse } from '../testing/scripted-service.ts';
import { PoolgateError } from '../transport/poolgate-error.ts';

const POLICY = {
  minimum_length: 6,
  maximum_length: 99,
  require_uppercase: false,
  require_lowercase: false,
  require_numbers: false,
  require_symbols: false,
  symbols: '',
  refuse_common: true,
  refuse_leaked: true,
};

const OTHER = '0'.repeat(35);
const BEGUN = [{ username: 'ada', salt: 'ab'.repeat(16) }, { session: 's' }];

const sha1Hex = (form: string): string => createHash('sha1').update(form).digest('hex').toUpperCase();

function clientWith(policy: Partial<typeof POLICY>, ...answers: readonly ScriptedResponse[]) {
  const parameters = { capabilities: ['verifier_passwords'], password_policy: { ...POLICY, ...policy } };
  const { client, requests: asked } = createScriptedClientWith({ parameters }, ...answers);
  const lookups = () =>
    asked.flatMap(({ path, body }) => (path === '/password/range' ? [[body.list, body.prefix]] : []));
  const register = (password: string) =>
    client.signUp.register({ email: 'ada@example.com', password }).then(
      () => 'taken',
      (error: unknown) => (error instanceof PoolgateError ? (error.fieldErrors[0]?.code ?? error.code) : error),
    );
  return { register, lookups, asked };
}

const toRangePrefix = (form: string): string => sha1Hex(form).slice(0, 5);

test('looks up both forms of a password among the common ones, and the password itself among the leaked ones', async () => {
  const none = { suffixes: [OTHER] };
  const { register, lookups, asked } = clientWith({}, none, none, none, ...BEGUN);
  assert.equal(await register('Horse-Battery1!'), 'taken');
  assert.deepEqual(lookups(), [
    ['common', toRangePrefix('horse-battery1!')],
    ['common', toRangePrefix('horse-battery')],
    ['leaked', toRangePrefix('Horse-Battery1!')],
  ]);
  assert.ok(!JSON.stringify(asked).includes('Horse-Battery'));
});

test('rejects a listed password before it computes a verifier', async () => {
  const common = clientWith({}, { suffixes: [] }, { suffixes: [OTHER, sha1Hex('horse').slice(5)] });
  assert.equal(await common.register('Horse1!'), 'password_too_common');
  assert.equal(common.asked.length, 2);
  const leaked = clientWith({ refuse_common: false }, { suffixes: [sha1Hex('Horse1!').slice(5)] });
  assert.equal(await leaked.register('Horse1!'), 'password_leaked');
  assert.equal(leaked.asked.length, 1);
});

test('looks up neither passwords that the policy allows on lists nor weak passwords', async () => {
  const lax = clientWith({ refuse_common: false, refuse_leaked: false }, ...BEGUN);
  assert.equal(await lax.register('Horse1!'), 'taken');
  assert.deepEqual(lax.lookups(), []);
  const weak = clientWith({});
  assert.equal(await weak.register('Horse'), 'password_too_short');
  assert.deepEqual(weak.asked, []);
});

test('rejects nothing without lists or if the service fails', async () => {
  const older = clientWith(
    { refuse_leaked: false },
    [404, { code: 'not_found' }],
    [404, { code: 'not_found' }],
    ...BEGUN,
  );
  assert.equal(await older.register('Horse1!'), 'taken');
  const busy = clientWith({}, [429, { code: 'too_many_requests' }]);
  assert.equal(await busy.register('Horse1!'), 'too_many_requests');
});
