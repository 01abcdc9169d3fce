import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { createTestOperator } from '../commands/testing/test-operator.ts';
import { readConfiguration } from '../config/configuration.ts';
import type { Environment } from '../config/setting-sources.ts';
import { PRODUCTION_CHECKLIST, runProductionChecklist } from './production-checklist.ts';

const GUIDE = readFileSync(new URL('../../../../docs/how-to/production.md', import.meta.url), 'utf8');

/** A configuration that satisfies the whole list. */
const COMPLETE: Environment = {
  NODE_ENV: 'production',
  BASE_URL: 'https://login.example.com',
  POOLGATE_SECRET: 'a-production-secret-of-forty-characters!',
  POOLGATE_TRUSTED_PROXIES: '10.1.0.0/16',
  DATABASE_URL: 'postgres://poolgate:secret@db.example.com/poolgate?sslmode=verify-full',
  POOLGATE_SMTP_URL: 'smtps://user:password@mail.example.com',
  POOLGATE_MAIL_FROM: 'login@example.com',
  POOLGATE_METRICS_PORT: '9464',
  IDP_SRP_ASSISTED: 'false',
  IDP_FRESH_PROOF_WIRE: 'true',
  POOLGATE_BREACHED_PASSWORDS: 'https://api.pwnedpasswords.com',
};

/** What violates each point again, alone. */
const OPENED_BY: Readonly<Record<string, Environment>> = {
  mode: { NODE_ENV: '', BASE_URL: 'https://localhost', POOLGATE_TRUSTED_PROXIES: '10.1.0.0/16' },
  https: { BASE_URL: 'http://login.example.com' },
  proxy: { POOLGATE_TRUSTED_PROXIES: '' },
  database: { DATABASE_URL: '' },
  mail: { POOLGATE_SMTP_URL: '', POOLGATE_MAIL_FROM: '' },
  metrics: { POOLGATE_METRICS_PORT: '' },
  'second factor': { IDP_MFA_SETUP: 'OFF' },
  passkeys: { BASE_URL: 'https://192.0.2.1' },
  'assisted answers': { IDP_SRP_ASSISTED: 'true' },
  'old logins': { IDP_FRESH_PROOF_WIRE: 'false' },
  'leaked passwords': { POOLGATE_BREACHED_PASSWORDS: 'off' },
  'bootstrap key': { POOLGATE_BOOTSTRAP_ADMIN_KEY: 'ops:0123456789abcdefghijklmnopqrstuv' },
};

const openIn = (environment: Environment): readonly string[] =>
  runProductionChecklist(readConfiguration(environment))
    .filter(({ result }) => result !== 'ok')
    .map(({ check }) => check.replace('list: ', ''));

test('each point of the list is satisfied by the right setting, and violated without it', () => {
  assert.deepEqual(openIn(COMPLETE), []);
  assert.deepEqual(Object.keys(OPENED_BY).toSorted(), PRODUCTION_CHECKLIST.map(({ name }) => name).toSorted());
  for (const [name, change] of Object.entries(OPENED_BY)) {
    assert.ok(openIn({ ...COMPLETE, ...change }).includes(name), name);
  }
});

test('the guide lists every point', () => {
  for (const { name } of PRODUCTION_CHECKLIST)
    assert.ok(GUIDE.includes(`| ${name} |`), `docs/how-to/production.md lacks ${name}`);
});

test('the doctor checks the list on request', async (context) => {
  const { runPoolgate } = await createTestOperator(context);
  const asked = await runPoolgate(['doctor', '--checklist']);
  assert.match(
    asked.out.join('\n'),
    /^warn +list: metrics +Metrics are not served, so the service cannot be monitored\.$/m,
  );
  assert.match(asked.out.join('\n'), /^ok +list: second factor /m);
  assert.doesNotMatch((await runPoolgate(['doctor'])).out.join('\n'), /list: /);
});
