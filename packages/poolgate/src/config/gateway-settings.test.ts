import assert from 'node:assert/strict';
import { test } from 'node:test';
import { gatewaySettings } from './gateway-settings.ts';
import type { SettingGroup } from './setting.ts';

test('the group that the gateway receives contains no secret', () => {
  const settings = Object.entries<SettingGroup[string]>(gatewaySettings);
  assert.ok(settings.length > 10);
  assert.deepEqual(
    settings.flatMap(([name, { sensitive }]) => (sensitive ? [name] : [])),
    [],
  );
});
