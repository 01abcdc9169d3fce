import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { it } from 'node:test';
import { bundleClient } from '../../tools/client-bundle.ts';
import { startExample } from '../support/guides/example-program.ts';
import { useLoginExample } from '../support/guides/login-example.ts';

it('the example page in plain HTML logs in with a worker and a second factor, changes the profile, and logs out', async (t) => {
  const folder = await mkdtemp(join(tmpdir(), 'poolgate-html-'));
  t.after(() => rm(folder, { recursive: true, force: true }));
  await bundleClient(folder);
  await useLoginExample(t, {
    start: (serviceUrl) => startExample('html/serve.ts', { CLIENT: folder, POOLGATE_URL: serviceUrl }),
    waitForLogin: (page, user) => page.locator('output').filter({ hasText: `${user} is logged in.` }),
    waitForLogout: (page) => page.locator('output').filter({ hasText: 'You are logged out.' }),
  });
});
