import { setTimeout as wait } from 'node:timers/promises';
import type { Account, Drive } from './drive.ts';
import { readFastClock } from './fast-clock.ts';
import { callRoute } from './request.ts';
import { computeTotpCode, toTimeStep } from './totp.ts';

const LITTLE_MS = 20;
/** If the machine pauses for half a second, a code arrives too late. */
const MOST_TRIES = 5;

/** A login by `POST /login`, then the code of an authenticator to `POST /challenge`; on a server whose clock runs fast. */
export const driveTotpLogin: Drive = ({ url }) => {
  const lastSteps = new Map<string, number>();

  /** Returns an unused code. A client that is too early waits, which the number of users makes rare. */
  async function freshCode({ username, totpSecret = '' }: Account): Promise<string> {
    while (toTimeStep(readFastClock()) <= (lastSteps.get(username) ?? toTimeStep(readFastClock()) - 1))
      await wait(LITTLE_MS);
    const nowMs = readFastClock();
    lastSteps.set(username, toTimeStep(nowMs));
    return computeTotpCode(totpSecret, nowMs);
  }

  async function logIn(account: Account): Promise<void> {
    const { username, password } = account;
    const asked = (await callRoute(url, '/login', { username, password })) as { readonly session?: string };
    if (!asked.session) throw new Error('the login asked for no code');
    const answer = (await callRoute(url, '/challenge', {
      challenge_name: 'SOFTWARE_TOKEN_MFA',
      session: asked.session,
      username,
      challenge_value: await freshCode(account),
    })) as { readonly access_token?: string };
    if (!answer.access_token) throw new Error('the code gave no tokens');
  }

  return async (account) => {
    for (let tries = 1; ; tries += 1) {
      try {
        return await logIn(account);
      } catch (error) {
        if (tries === MOST_TRIES || !String(error).includes('"code_expired"')) throw error;
      }
    }
  };
};
