import assert from 'node:assert/strict';
import { computeTotpCode, createActiveAuthenticator } from '../routes/route-mfa.ts';
import { PASSWORD, type TestService } from '../services/test-service.ts';
import { createClientAddress, type Exchange } from './exchange.ts';

/** Every path that accepts the answer to a pending challenge. */
export const ANSWER_PATHS = ['', '/api/cognito'].flatMap((prefix) =>
  ['/challenge', '/login/auth-challenge', '/login/challenge'].map((path) => `${prefix}${path}`),
);

/** A challenge that waits for an answer. */
export interface PendingChallenge {
  readonly username: string;
  readonly name: string;
  readonly session: string;
  readonly parameters: Readonly<Record<string, string>>;
}

/** Returns the challenge in a response, in either spelling of its keys. */
export function toPendingChallenge({ status, body, text }: Exchange, username: string): PendingChallenge {
  const name = body.challenge_name ?? body.ChallengeName;
  assert.ok(status === 200 && name, text);
  return {
    username,
    name: String(name),
    session: String(body.session ?? body.Session),
    parameters: (body.challenge_params ?? body.ChallengeParameters) as PendingChallenge['parameters'],
  };
}

/** Creates the body of the answer. */
export function createAnswerBody({ username, name, session }: PendingChallenge, value: unknown) {
  return { challenge_name: name, session, username, challenge_value: value };
}

/** Sends the answer to the endpoint with this index. */
export function answerAtPath(
  service: TestService,
  pathIndex: number,
  challenge: PendingChallenge,
  value: unknown,
): Promise<Exchange> {
  return service.post(ANSWER_PATHS[pathIndex % ANSWER_PATHS.length] ?? '', createAnswerBody(challenge, value));
}

/** POST /login of a user with a second factor. */
export async function startCodeLogin(service: TestService, username: string): Promise<PendingChallenge> {
  return toPendingChallenge(await service.post('/login', { username, password: PASSWORD }), username);
}

/** GET /login/passkey/challenge/{name}: sends a code if the user exists. */
export async function startChosenCode(
  service: TestService,
  username: string,
  name: 'email_otp' | 'sms_otp' = 'email_otp',
): Promise<PendingChallenge> {
  const sent = { headers: createClientAddress(), body: { username } };
  return toPendingChallenge(await service.ask('GET', `/login/passkey/challenge/${name}`, sent), username);
}

/** The latest code to an address. */
export function findLatestCode(service: TestService, address: string): string {
  const code = service.outbox?.list(address)[0]?.code;
  assert.ok(code, `no code went to ${address}`);
  return code;
}

/** Sets up an authenticator whose next code is valid immediately; returns its current code, or that of some steps of 30 seconds later. */
export async function enrollAuthenticator(service: TestService, username: string): Promise<(steps?: number) => string> {
  const secretCode = await createActiveAuthenticator(service, username);
  service.clock.advance(30_000);
  return (steps) => computeTotpCode(service, secretCode, steps);
}

/** Counts the responses by status. */
export function countStatuses(answers: readonly Exchange[]): Readonly<Record<number, number>> {
  const counts: Record<number, number> = {};
  for (const { status } of answers) counts[status] = (counts[status] ?? 0) + 1;
  return counts;
}
