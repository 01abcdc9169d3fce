import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { addUser, assertProblem, startTestService, type TestService } from '../support/services/test-service.ts';

const ADA = 'ada@example.com';

describe('a change of what someone else may have changed', () => {
  let service: TestService;
  let clientId: string;
  before(async () => {
    service = await startTestService();
    await addUser(service, ADA);
    assert.equal((await send('POST', '/admin/groups', { group_name: 'Crew' })).status, 201);
    const made = await send('POST', '/admin/clients', { client_name: 'shop' });
    clientId = (made.body.client as { readonly client_id: string }).client_id;
  });
  after(() => service.close());

  function send(method: string, path: string, body?: unknown, ifMatch?: string) {
    const headers = { ...service.asAdmin, ...(ifMatch !== undefined && { 'if-match': ifMatch }) };
    return service.ask(method, path, { headers, ...(body !== undefined && { body }) });
  }
  async function readTag(path: string): Promise<string> {
    const { status, headers, text } = await send('GET', path);
    assert.equal(status, 200, text);
    return String(headers.etag ?? assert.fail('no ETag'));
  }
  const listResources = () =>
    [
      ['/admin/groups/Crew', (text: string) => ({ description: text })],
      [`/admin/users/${ADA}`, (text: string) => ({ attributes: { given_name: text } })],
      [`/admin/clients/${clientId}`, (text: string) => ({ client_name: text })],
    ] as const;

  it('is made once for each version, and tells the next version', async () => {
    for (const [path, change] of listResources()) {
      const seen = await readTag(path);
      assert.equal(await readTag(path), seen, 'reading changes nothing');
      const first = await send('PATCH', path, change('First'), seen);
      assert.equal(first.status, 200, first.text);
      assert.equal(first.headers.etag, await readTag(path), path);
      assertProblem(await send('PATCH', path, change('Second'), seen), 412, 'precondition_failed');
      assert.equal(first.headers.etag, await readTag(path), 'the refused change did nothing');
      const second = await send('PATCH', path, change('Second'), String(first.headers.etag));
      assert.equal(second.status, 200, second.text);
      assert.equal((await send('PATCH', path, change('Third'))).status, 200, 'without If-Match');
    }
  });

  it('of many at the same time is made by one of them', async () => {
    for (const [path, change] of listResources()) {
      const seen = await readTag(path);
      const answers = await Promise.all(
        Array.from({ length: 8 }, (_, at) => send('PATCH', path, change(`At once ${at}`), seen)),
      );
      const statuses = answers.map(({ status }) => status).toSorted();
      assert.deepEqual(statuses, [200, ...Array.from({ length: 7 }, () => 412)], path);
      const made = answers.find(({ status }) => status === 200);
      assert.equal(made?.headers.etag, await readTag(path), path);
    }
  });

  it('sees the same version under every name of a user', async () => {
    const { sub } = (await send('GET', `/admin/users/${ADA}`)).body.user as { readonly sub: string };
    const seen = await readTag(`/admin/users/${sub}`);
    assert.equal(await readTag(`/admin/users/${ADA}`), seen);
    const names = [sub, ADA, sub, ADA];
    const answers = await Promise.all(
      names.map((name, at) => send('PATCH', `/admin/users/${name}`, { attributes: { name: `Ada ${at}` } }, seen)),
    );
    assert.equal(answers.filter(({ status }) => status === 200).length, 1);
  });

  it('is refused with a malformed header, and for what no longer exists', async () => {
    const path = '/admin/groups/Crew';
    const seen = await readTag(path);
    assertProblem(await send('PATCH', path, { precedence: 1 }, 'not-quoted'), 400, 'malformed_request');
    await send('PATCH', path, { precedence: 2 });
    assertProblem(await send('DELETE', path, {}, seen), 412, 'precondition_failed');
    assert.equal((await send('DELETE', path, {}, await readTag(path))).status, 200);
    assertProblem(await send('PATCH', path, { precedence: 3 }, seen), 404, 'group_not_found');
  });
});
