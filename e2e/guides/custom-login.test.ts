import assert from 'node:assert/strict';
import { it } from 'node:test';
import { parseVariables, readGuide, runShell } from '../support/guides/guide.ts';
import { startGuideService } from '../support/guides/guide-service.ts';
import { ADMIN_BEARER } from '../support/services/service-process.ts';

const GUIDE = readGuide('how-to/custom-login');
const ROOT = new URL('../../', import.meta.url).pathname;

it('a user answers the custom challenge of the example and gets tokens with the commands of the guide', async (t) => {
  const [start = ''] = GUIDE.code('Start the service with them', 'sh');
  const variables = parseVariables(start.replace('./examples', `${ROOT}examples`));
  const { service } = await startGuideService(t, variables);
  const [, id = '', secret = ''] = ADMIN_BEARER.split('_');
  const blocks = [...GUIDE.code('Tell the pool when to call them', 'sh'), ...GUIDE.code('Log in', 'sh')].join('\n');
  const own = blocks.replaceAll('http://localhost:3000', service.url).replace('<id>', id).replace('<secret>', secret);
  const printed = await runShell(own, {});
  assert.match(printed, /"status":"success".*"access_token":"/s);
});
