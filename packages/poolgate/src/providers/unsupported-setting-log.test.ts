import assert from 'node:assert/strict';
import { test } from 'node:test';
import { readConfiguration } from '../config/configuration.ts';
import { createUnsupportedSettingLog, readAcceptedUnsupportedSettings } from './unsupported-setting-log.ts';

const PRODUCTION = { NODE_ENV: 'production', POOLGATE_SECRET: 'a-production-secret-of-forty-characters!' };

test('production stores no setting that promises security', () => {
  const accepted = (environment: Readonly<Record<string, string>>) =>
    readAcceptedUnsupportedSettings(readConfiguration(environment));
  const warn = { POOLGATE_UNSUPPORTED_SETTINGS: 'warn' };
  assert.equal(accepted({}), 'none');
  assert.equal(accepted(PRODUCTION), 'none');
  assert.equal(accepted(warn), 'all');
  assert.equal(accepted({ ...PRODUCTION, ...warn }), 'without_security');
});

test('each setting of a pool is logged once', () => {
  const lines: unknown[] = [];
  const report = createUnsupportedSettingLog((level, _message, facts) => void lines.push([level, facts]));
  const found = { userPoolId: 'us-east-1_a', setting: 'DcrConfiguration', promisesSecurity: false };
  for (const _again of [1, 2]) report(found);
  report({ ...found, setting: 'KMSKeyID' });
  report({ ...found, userPoolId: 'us-east-1_b' });
  const line = (setting: string, pool: string) => ['warn', { setting, pool }];
  assert.deepEqual(lines, [
    line('DcrConfiguration', 'us-east-1_a'),
    line('KMSKeyID', 'us-east-1_a'),
    line('DcrConfiguration', 'us-east-1_b'),
  ]);
});
