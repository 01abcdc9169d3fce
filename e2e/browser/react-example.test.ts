import { before, it } from 'node:test';
import { buildExample, type InstalledExample, PREPARATION } from '../support/guides/installed-example.ts';
import { useLoginExample } from '../support/guides/login-example.ts';
import { findFreePort } from '../support/services/wait-for-port.ts';

let example: InstalledExample;
before(async () => {
  example = await buildExample('react', ['vite/bin/vite.js', 'build', '--logLevel', 'error']);
}, PREPARATION);

it('the React example, bundled by Vite, logs in with a worker and a second factor, changes the profile, and logs out', async (t) => {
  const words = ['vite/bin/vite.js', 'preview', '--port', String(await findFreePort())];
  await useLoginExample(t, {
    start: (serviceUrl) => example.start(words, { POOLGATE_URL: serviceUrl }),
    waitForLogin: (page, user) => page.getByRole('heading', { name: `${user} is logged in` }),
    waitForLogout: (page) => page.getByLabel('Password'),
  });
});
