import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ProviderError } from '@poolgate/provider';
import { checkFriendlyName } from './friendly-names.ts';

test('a name can be any text of 1 to 1024 characters', () => {
  for (const name of ['x', 'Adas Telefon 📱', '<b>', 'é'.repeat(1024)]) checkFriendlyName('deviceName', name);
  for (const name of ['', 'x'.repeat(1025), 'a\u0000', 'a\nb', '\ud800']) {
    assert.throws(
      () => checkFriendlyName('deviceName', name),
      (error) =>
        error instanceof ProviderError &&
        error.code === 'InvalidParameterException' &&
        error.message ===
          "1 validation error detected: Value at 'deviceName' failed to satisfy constraint: Member must have 1 to 1024 characters, and no control characters",
    );
  }
});
