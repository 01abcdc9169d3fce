import assert from 'node:assert/strict';
import { it } from 'node:test';
import { parseDatabaseUrl } from './database-url.ts';

it('reads each form of a database URL', () => {
  assert.deepEqual(parseDatabaseUrl('sqlite::memory:'), { kind: 'memory' });
  assert.deepEqual(parseDatabaseUrl('sqlite:./data/poolgate.db'), { kind: 'file', path: './data/poolgate.db' });
  assert.deepEqual(parseDatabaseUrl('sqlite:/var/lib/poolgate.db'), { kind: 'file', path: '/var/lib/poolgate.db' });
  assert.deepEqual(parseDatabaseUrl('sqlite:///var/lib/a b.db'), { kind: 'file', path: '///var/lib/a b.db' });
  for (const url of ['postgres://u:p@db.test:5432/pool?sslmode=verify-full', 'postgresql://db.test/pool']) {
    assert.deepEqual(parseDatabaseUrl(url), { kind: 'postgres', url });
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
    './file.db',
    'sqlite:a\0b',
  ];
  for (const url of refused) {
    assert.throws(
      () => parseDatabaseUrl(url),
      (error: Error) => error instanceof TypeError && !error.message.includes('hunter2'),
      JSON.stringify(url),
    );
  }
});
