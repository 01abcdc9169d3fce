import assert from 'node:assert/strict';
import { createBearerHeader } from '../support/requests/exchange.ts';
import { findLastCode } from '../support/routes/route-account.ts';
import { createRememberedDevice } from '../support/routes/route-devices.ts';
import { activateAuthenticator, computeTotpCode, verifyAuthenticator } from '../support/routes/route-mfa.ts';
import { createAuthenticator, createRegisteredPasskey } from '../support/routes/route-passkeys.ts';
import { addUser, PASSWORD, requireTokens, type TestService } from '../support/services/test-service.ts';
import type { ReleasePool, ReleaseUser } from './release.ts';

/** Fills the empty pool of a service with one of everything that a later version must find again. */
export async function populate(service: TestService): Promise<Omit<ReleasePool, 'adminBearer'>> {
  const { userPoolId, clientId } = service;
  const group = 'engineers';
  const webhookUrl = 'https://hooks.example.com/poolgate';
  await done(service.post('/admin/groups', { group_name: group, precedence: 3 }, service.asAdmin), 201);
  await done(service.post('/admin/webhooks', { url: webhookUrl, events: ['login.succeeded'] }, service.asAdmin), 201);
  return {
    userPoolId,
    clientId,
    ada: await makeAda(service, group),
    bob: await makeBob(service),
    cleo: await makeCleo(service),
    dora: await makeDora(service),
    emil: await makeEmil(service),
    group,
    webhookUrl,
  };
}

async function done(asked: Promise<{ readonly status: number; readonly text: string }>, status = 200): Promise<void> {
  const answer = await asked;
  assert.equal(answer.status, status, answer.text);
}

async function newUser(service: TestService, name: string): Promise<ReleaseUser> {
  const email = `${name}@example.com`;
  return { email, password: PASSWORD, sub: await addUser(service, email) };
}

const logIn = async (service: TestService, { email, password }: ReleaseUser) =>
  requireTokens(await service.post('/login', { username: email, password }));

async function makeAda(service: TestService, group: string): Promise<ReleasePool['ada']> {
  const ada = await newUser(service, 'ada');
  await done(service.post(`/admin/users/${ada.email}/groups`, { group_name: group }, service.asAdmin));
  const ended = await logIn(service, ada);
  await done(service.post('/logout', {}, createBearerHeader(ended.access)));
  const { refresh } = await logIn(service, ada);
  return { ...ada, refreshToken: refresh, endedRefreshToken: ended.refresh };
}

async function makeBob(service: TestService): Promise<ReleasePool['bob']> {
  const bob = await newUser(service, 'bob');
  const device = await createRememberedDevice(service, bob.email);
  const totpSecret = await activateAuthenticator(service, device.access);
  await done(verifyAuthenticator(service, device.access, computeTotpCode(service, totpSecret)));
  const codes = await service.post('/user/mfa/recovery-codes', {}, createBearerHeader(device.access));
  assert.equal(codes.status, 200, codes.text);
  const [recoveryCode = ''] = codes.body.recovery_codes as readonly string[];
  return {
    ...bob,
    totpSecret,
    recoveryCode,
    device: { key: device.key, groupKey: device.groupKey, secret: device.secret },
  };
}

async function makeCleo(service: TestService): Promise<ReleasePool['cleo']> {
  const cleo = await newUser(service, 'cleo');
  const made = await createRegisteredPasskey(service, cleo.email, createAuthenticator());
  const { id, rpId, userHandle, algorithm, counter, privateKey } = made;
  const keyPem = privateKey.export({ type: 'pkcs8', format: 'pem' }).toString();
  return { ...cleo, passkey: { id, rpId, userHandle, algorithm, counter, keyPem } };
}

async function makeDora(service: TestService): Promise<ReleasePool['dora']> {
  const email = 'dora@example.com';
  const answer = await service.post('/register', { email, password: PASSWORD });
  assert.equal(answer.status, 200, answer.text);
  const { session } = answer.body as { readonly session?: string };
  return { email, password: PASSWORD, sub: '', code: findLastCode(service, email), ...(session && { session }) };
}

async function makeEmil(service: TestService): Promise<ReleaseUser> {
  const emil = await newUser(service, 'emil');
  await done(service.post(`/admin/users/${emil.email}/disable`, {}, service.asAdmin));
  return emil;
}
