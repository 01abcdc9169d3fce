import assert from 'node:assert/strict';
import { computeVerifier, hashPassword, hexFromInteger, integerFromBytes } from '@poolgate/srp';
import { openSslEngine as engine } from '@poolgate/srp/openssl';
import { createBearerHeader, type Exchange } from '../requests/exchange.ts';
import { assertProblem, PASSWORD, requireTokens, type TestService } from '../services/test-service.ts';

/** Returns the latest code to an address: from the emails with this subject, if there are any. */
export function findLastCode({ outbox }: Pick<TestService, 'outbox'>, to: string, subject?: string): string {
  const mails = outbox?.list(to).filter(({ code }) => code !== undefined && /^\d+$/.test(code)) ?? [];
  const code = (mails.find((mail) => mail.subject === subject) ?? mails[0])?.code;
  assert.ok(code, `a code must have been sent to ${to}`);
  return code;
}

/** Returns the number of messages to an address. */
export function countSent({ outbox }: Pick<TestService, 'outbox'>, to: string): number {
  return outbox?.list(to).length ?? 0;
}

/** Returns the token of the latest "this was not me" link to an address. */
export function findLastNotMeToken({ outbox }: Pick<TestService, 'outbox'>, to: string): string {
  const texts = outbox?.list(to).map(({ text }) => text) ?? [];
  const [, token] = texts.map((text) => /\/cognito\/not-me#([\w-]+)/.exec(text)).find((found) => found !== null) ?? [];
  assert.ok(token, `a link must have been sent to ${to}`);
  return token;
}

/** Returns another code with the same number of digits. */
export function createWrongCode(code: string): string {
  return String((Number(code) + 1) % 10 ** code.length).padStart(code.length, '0');
}

/** Registers a user and confirms the address. */
export async function registerUser(service: TestService, email: string, password = PASSWORD): Promise<void> {
  const registered = await service.post('/register', { email, password });
  assert.equal(registered.status, 200, registered.text);
  const { session } = registered.body;
  const verified = await service.post('/register/verify', { email, code: findLastCode(service, email), session });
  assert.equal(verified.status, 200, verified.text);
}

/** Logs in with a password and returns the access token's header with the tokens. */
export async function logInForTokens(service: TestService, username: string, password = PASSWORD) {
  const tokens = requireTokens(await service.post('/login', { username, password }));
  return { ...tokens, headers: createBearerHeader(tokens.access) };
}

/** Expects that a password does not log in. */
export async function assertCannotLogIn(service: TestService, username: string, password: string): Promise<void> {
  assertProblem(await service.post('/login', { username, password }), 401, 'invalid_credentials');
}

/** Computes what a client derives from a password and the response of /register/start. */
export function computeVerifierBody({ poolName }: Pick<TestService, 'poolName'>, started: Exchange, password: string) {
  assert.equal(started.status, 200, started.text);
  const { username: userIdForSrp, salt } = started.body as { readonly username: string; readonly salt: string };
  const hash = hashPassword(engine, { poolName, userIdForSrp }, password);
  const verifier = computeVerifier({ engine, saltHex: salt, passwordHash: hash });
  return { username: userIdForSrp, password_verifier: { salt, verifier: hexFromInteger(integerFromBytes(verifier)) } };
}
