import assert from 'node:assert/strict';
import { it } from 'node:test';
import { parseVariables, readGuide, runShell } from '../support/guides/guide.ts';
import { startGuideService } from '../support/guides/guide-service.ts';

const GUIDE = readGuide('how-to/passkeys-only');

it('a user registers without a password and signs in with a code, as printed', async (t) => {
  const [start = ''] = GUIDE.code('Start the service', 'sh');
  const { service } = await startGuideService(t, parseVariables(start));
  const blocks = ['Register a user without a password', 'Sign in with a code'].flatMap((name) =>
    GUIDE.code(name, 'sh'),
  );
  const printed = await runShell(blocks.join('\n').replaceAll('http://localhost:3000', service.url), {});
  assert.match(printed, /"UserSub":"/);
  assert.match(printed, /"status":"success".*"access_token":"/s);
});
