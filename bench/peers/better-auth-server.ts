import { createServer } from 'node:http';
import { DatabaseSync } from 'node:sqlite';
import { betterAuth } from 'better-auth';
import { getMigrations } from 'better-auth/db/migration';
import { toNodeHandler } from 'better-auth/node';

/** better-auth with email and password on node:sqlite, with its defaults except for the limit on requests, which would end the load. */
const port = Number(process.env.PORT);
const database = new DatabaseSync('better-auth.db');
database.exec('pragma journal_mode = wal; pragma synchronous = full');
const options = {
  database,
  baseURL: `http://127.0.0.1:${port}`,
  secret: 'a-secret-for-the-benchmark-only-0123456789',
  emailAndPassword: { enabled: true },
  rateLimit: { enabled: false },
  telemetry: { enabled: false },
};
const { runMigrations } = await getMigrations(options);
await runMigrations();
const handle = toNodeHandler(betterAuth(options));
createServer((request, response) => void handle(request, response)).listen(port, '127.0.0.1');
