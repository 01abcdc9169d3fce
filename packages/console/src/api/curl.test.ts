import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { test } from 'node:test';
import type { ApiCall } from './admin-routes.ts';
import { formatCurl } from './curl.ts';

const API_URL = 'https://auth.example.com';

/** The arguments that a shell would pass to curl. */
function readArguments(call: ApiCall): readonly string[] {
  const print = `curl() { for argument in "$@"; do printf '%s\\0' "$argument"; done; }`;
  const env = { POOLGATE_ADMIN_KEY: 'pg_id_secret' };
  const text = execFileSync('/bin/sh', ['-c', `${print}\n${formatCurl(call, API_URL)}`], { encoding: 'utf8', env });
  return text.split('\0').slice(0, -1);
}

test('a call is shown as a command that makes it', () => {
  assert.deepEqual(
    readArguments({ name: 'adminUserList', query: { search: 'ada@', status: undefined, limit: '60' } }),
    [`${API_URL}/admin/users?search=ada%40&limit=60`, '-H', 'Authorization: Bearer pg_id_secret'],
  );
  assert.deepEqual(
    readArguments({
      name: 'adminUserGroupAdd',
      params: { username: 'ada@example.com' },
      body: { group_name: 'editors' },
    }),
    [
      '-X',
      'POST',
      `${API_URL}/admin/users/ada%40example.com/groups`,
      '-H',
      'Authorization: Bearer pg_id_secret',
      '-H',
      'Content-Type: application/json',
      '-d',
      '{"group_name":"editors"}',
    ],
  );
});

test('nothing that a user wrote leaves its quotes', () => {
  const name = `x'; rm -rf / #$(id)\`id\` "\\`;
  const [, , url = '', , , , , , body = ''] = readArguments({
    name: 'adminUserUpdate',
    params: { username: name },
    body: { attributes: { name } },
  });
  assert.equal(url, `${API_URL}/admin/users/${encodeURIComponent(name)}`);
  assert.deepEqual(JSON.parse(body), { attributes: { name } });
});

test('a secret is not shown', () => {
  const body = { email: 'ada@example.com', temp_password: 'Secret-Passw0rd' };
  assert.ok(!formatCurl({ name: 'adminUserCreate', body }, API_URL).includes('Secret'));
});
