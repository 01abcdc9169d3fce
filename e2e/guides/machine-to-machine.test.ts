import assert from 'node:assert/strict';
import { it } from 'node:test';
import { readGuide, runShell } from '../support/guides/guide.ts';
import { startGuideService } from '../support/guides/guide-service.ts';

const GUIDE = readGuide('how-to/machine-to-machine');
const SECTIONS = ['Define the scopes of your API', 'Create a client for the program', 'Get a token'];

it('a program gets a token with its scope with the commands of the guide', async (t) => {
  const { service, environment } = await startGuideService(t);
  const blocks = SECTIONS.flatMap((section) => GUIDE.code(section, 'sh')).join('\n');
  const printed = await runShell(blocks.replaceAll('http://localhost:3000', service.url), environment);
  const claims = JSON.parse(printed.trim().split('\n').at(-1) ?? '') as Readonly<Record<string, string>>;
  assert.equal(claims.scope, 'orders/read');
  assert.equal(claims.token_use, 'access');
  assert.equal(claims.sub, claims.client_id);
});
