import assert from 'node:assert/strict';
import { resolve } from 'node:path';
import { test } from 'node:test';
import { storeAccess, storeName } from './store-name.ts';

test('a store is named by its kind and place, without credentials', () => {
  const names: Readonly<Record<string, string>> = {
    'sqlite::memory:': 'SQLite in memory',
    'sqlite:./data/poolgate.db': `SQLite file ${resolve('data/poolgate.db')}`,
    'sqlite:/var/lib/poolgate/pool.db': 'SQLite file /var/lib/poolgate/pool.db',
    'postgres://login:secret@db.example.com/pool?sslmode=require': 'PostgreSQL database pool on db.example.com:5432',
    'postgresql://login:secret@[::1]:6432/my%20pool': 'PostgreSQL database my pool on [::1]:6432',
    'postgres://login:secret@one,two:6432/pool': 'PostgreSQL database pool on one:5432, two:6432',
    'postgres://login:secret@socket/pool?host=/run/postgresql': 'PostgreSQL database pool on /run/postgresql',
    'postgres://login:secret@db': 'the default PostgreSQL database on db:5432',
  };
  for (const [url, name] of Object.entries(names)) assert.equal(storeName(url), name);
});

test('the target of a connection also has the role, and no password', () => {
  const names: Readonly<Record<string, string>> = {
    'sqlite::memory:': 'SQLite in memory',
    'postgres://log%20in:secret@db.example.com/pool': 'PostgreSQL database pool on db.example.com:5432, role log in',
    'postgres://login:secret@one,two:6432/pool': 'PostgreSQL database pool on one:5432, two:6432, role login',
    'postgres://db/pool': 'PostgreSQL database pool on db:5432',
  };
  for (const [url, name] of Object.entries(names)) assert.equal(storeAccess(url), name);
});
