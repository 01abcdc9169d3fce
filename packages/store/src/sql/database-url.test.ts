import assert from 'node:assert/strict';
import { it } from 'node:test';
import { inspect } from 'node:util';
import { parseDatabaseUrl } from './database-url.ts';

it('reads each form of a database URL', () => {
  assert.deepEqual(parseDatabaseUrl('sqlite::memory:'), { kind: 'memory' });
  assert.deepEqual(parseDatabaseUrl('sqlite:./data/poolgate.db'), { kind: 'file', path: './data/poolgate.db' });
  assert.deepEqual(parseDatabaseUrl('sqlite:/var/lib/poolgate.db'), { kind: 'file', path: '/var/lib/poolgate.db' });
  assert.deepEqual(parseDatabaseUrl('sqlite:///var/lib/a b.db'), { kind: 'file', path: '///var/lib/a b.db' });
  for (const url of ['postgres://u:p@db.test:5432/pool?sslmode=verify-full', 'postgresql://db.test/pool']) {
    assert.deepEqual(parseDatabaseUrl(url), { kind: 'postgres', servers: { urls: [url], mustTakeWrites: false } });
  }
});

it('reads a list of hosts as one server each, one of which must accept writes by default', () => {
  const read = (url: string) => parseDatabaseUrl(url);
  const urls = ['postgres://u:p@a.test:5432/d?sslmode=require', 'postgres://u:p@b.test/d?sslmode=require'];
  const list = 'postgres://u:p@a.test:5432,b.test/d?sslmode=require';
  assert.deepEqual(read(list), { kind: 'postgres', servers: { urls, mustTakeWrites: true } });
  for (const [word, mustTakeWrites] of Object.entries({ 'read-write': true, primary: true, any: false })) {
    const servers = { urls, mustTakeWrites };
    assert.deepEqual(read(`${list}&target_session_attrs=${word}`), { kind: 'postgres', servers });
  }
});

it('refuses every other form without repeating it', () => {
  const refused = [
    '',
    'sqlite:',
    'sqlite::memory',
    'sqlite:?mode=memory',
    'sqlite://host/x',
    'mysql://u:hunter2@h/d',
    'postgres://u:hunter2@h:x/d',
    'postgres://u:hunter2@h:1,g:x/d',
    'postgres://u:hunter2@h/d?target_session_attrs=standby',
    './file.db',
    'sqlite:a\0b',
  ];
  for (const url of refused) {
    assert.throws(
      () => parseDatabaseUrl(url),
      (error: Error) => /^databaseUrl must be sqlite:/.test(error.message) && !inspect(error).includes('hunter2'),
      JSON.stringify(url),
    );
  }
});
