import assert from 'node:assert/strict';
import { activeAuthenticator, codeOf } from '../routes/route-mfa.ts';
import { PASSWORD, type TestService } from '../services/test-service.ts';
import { type Exchange, fromNewAddress } from './exchange.ts';

/** Every path by which a pending challenge is answered. */
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

/** The challenge in an answer, in either spelling of its keys. */
export function pendingChallengeOf({ status, body, text }: Exchange, username: string): PendingChallenge {
  const name = body.challenge_name ?? body.ChallengeName;
  assert.ok(status === 200 && name, text);
  return {
    username,
    name: String(name),
    session: String(body.session ?? body.Session),
    parameters: (body.challenge_params ?? body.ChallengeParameters) as PendingChallenge['parameters'],
  };
}

/** The body that answers it. */
export function answerBody({ username, name, session }: PendingChallenge, value: unknown) {
  return { challenge_name: name, session, username, challenge_value: value };
}

/** Answers by the entry point of this number. */
export function answerByPath(
  service: TestService,
  pathIndex: number,
  challenge: PendingChallenge,
  value: unknown,
): Promise<Exchange> {
  return service.post(ANSWER_PATHS[pathIndex % ANSWER_PATHS.length] ?? '', answerBody(challenge, value));
}

/** POST /login of a user whose second factor is asked for. */
export async function askedForCode(service: TestService, username: string): Promise<PendingChallenge> {
  return pendingChallengeOf(await service.post('/login', { username, password: PASSWORD }), username);
}

/** GET /login/passkey/challenge/{name}: a code goes out, if there is somebody to get it. */
export async function chosenCode(
  service: TestService,
  username: string,
  name: 'email_otp' | 'sms_otp' = 'email_otp',
): Promise<PendingChallenge> {
  const sent = { headers: fromNewAddress(), body: { username } };
  return pendingChallengeOf(await service.ask('GET', `/login/passkey/challenge/${name}`, sent), username);
}

/** The latest code to an address. */
export function codeTo(service: TestService, address: string): string {
  const code = service.outbox?.list(address)[0]?.code;
  assert.ok(code, `no code went to ${address}`);
  return code;
}

/** An authenticator whose next code is good at once; gives what it shows now, or some steps of 30 seconds from now. */
export async function authenticatorOf(service: TestService, username: string): Promise<(steps?: number) => string> {
  const secretCode = await activeAuthenticator(service, username);
  service.clock.advance(30_000);
  return (steps) => codeOf(service, secretCode, steps);
}

/** How often each status came. */
export function countStatuses(answers: readonly Exchange[]): Readonly<Record<number, number>> {
  const counts: Record<number, number> = {};
  for (const { status } of answers) counts[status] = (counts[status] ?? 0) + 1;
  return counts;
}
