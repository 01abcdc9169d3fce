import assert from 'node:assert/strict';
import { test } from 'node:test';
import { SECRET_MEMBERS } from './secret-members.ts';
import { OPERATION_MODELS, type Shape } from './service-model.ts';

function* openTexts(shape: Shape): Generator<string> {
  for (const [name, member] of Object.entries(shape.members ?? {})) {
    if (SECRET_MEMBERS.has(name)) continue;
    const carriesText =
      member.type === 'map' || member.type === 'document' || (member.type === 'string' && !member.enum);
    if (carriesText) yield name;
    yield* openTexts(member);
    if (member.item) yield* openTexts(member.item);
  }
}

const inputs = [...OPERATION_MODELS.values()].map(({ input }) => input);

test('no member whose name suggests a secret, a proof or a code may be repeated in a response', () => {
  // Names of rows or settings that only look like secrets.
  const harmless = ['ClientSecretId', 'CredentialId', 'DeviceKey', 'PreTokenGeneration', 'SessionId'];
  const open = new Set(inputs.flatMap((input) => [...openTexts(input)]));
  assert.ok(open.size > 50);
  const suspicious = [...open].filter((name) =>
    /password|secret|token|session|code|hash|credential|verifier|salt|parameters|responses|devicekey/i.test(name),
  );
  assert.deepEqual(suspicious.toSorted(), harmless);
});

test('every listed name is a member of some request', () => {
  function* names(shape: Shape): Generator<string> {
    yield* Object.keys(shape.members ?? {});
    for (const member of Object.values(shape.members ?? {})) yield* names(member.item ?? member);
  }
  const all = new Set(inputs.flatMap((input) => [...names(input)]));
  for (const name of SECRET_MEMBERS) assert.ok(all.has(name), name);
});
