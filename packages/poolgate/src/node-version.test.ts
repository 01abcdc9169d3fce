import assert from 'node:assert/strict';
import { test } from 'node:test';
import { findNodeVersionFault } from './node-version.ts';

test('a Node version is new enough from 22.13 on, compared by numbers', () => {
  for (const version of ['22.13.0', '22.100.1', '24.0.0', '26.10.0', '100.0.0'])
    assert.equal(findNodeVersionFault(version), undefined);
  for (const version of ['0.12.18', '9.9.9', '20.20.2', '22.9.0', '22.12.9']) {
    assert.equal(findNodeVersionFault(version), `poolgate: needs Node 22.13 or newer, and this is ${version}`);
  }
});
