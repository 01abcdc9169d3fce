import assert from 'node:assert/strict';
import { after, before, it } from 'node:test';
import { type Service, start } from 'poolgate';
import { readGuide, runShell } from '../support/guides/guide.ts';
import { hasCurl } from '../support/requests/curl.ts';

const GUIDE = readGuide('how-to/refresh-and-logout');
let service: Service;
before(async () => {
  service = await start({ databaseUrl: 'sqlite::memory:', port: 0 });
});
after(() => service.close());

if (hasCurl) {
  it('the commands of the guide work in order: log in, refresh, list, log out, and get refused', async () => {
    const blocks = ['Log in', 'Refresh', 'See and end sessions', 'Log out'].flatMap((name) => GUIDE.code(name, 'sh'));
    const script = blocks.join('echo\n').replace('http://localhost:3000', service.url);
    const printed = await runShell(script, { NODE_OPTIONS: '' });
    assert.match(printed, /"email":"demo@poolgate\.test"/);
    assert.match(printed, /"current":true/);
    assert.match(printed, /"code":"unauthenticated"/);
  });
}
