import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { ProviderError } from '@poolgate/provider';
import {
  addUser,
  createCallFromNewAddress,
  openTestPool,
  PASSWORD,
  TEST_CALL,
  type TestPool,
} from '../testing/test-pool.ts';

const EMAIL = 'ada@example.com';
const WRONG = '00000000';
const DAY_MS = 86_400_000;
const GUESSES = 10;

interface Registered {
  readonly UserSub: string;
  readonly Session: string;
}

async function register({ operations, clientId }: TestPool, password: string): Promise<Registered> {
  const request = { ClientId: clientId, Username: EMAIL, Password: password };
  const { UserSub = '', Session = '' } = await operations.signUp(request, createCallFromNewAddress());
  return { UserSub, Session };
}

/** One wrong code; returns its error. */
async function guess({ operations, clientId }: TestPool, Username: string, Session?: string): Promise<string> {
  const request = { ClientId: clientId, Username, ConfirmationCode: WRONG, ...(Session && { Session }) };
  try {
    await operations.confirmSignUp(request, TEST_CALL);
  } catch (error) {
    if (error instanceof ProviderError) return error.code;
    throw error;
  }
  return 'confirmed';
}

const LOCKED = 'LimitExceededException';

describe('guesses of sign-up codes', () => {
  async function withPool(work: (pool: TestPool) => Promise<void>): Promise<void> {
    const pool = await openTestPool('sqlite::memory:');
    try {
      await work(pool);
    } finally {
      await pool.close();
    }
  }

  /** Every way to address the person who made these registrations. */
  const listEntryPoints = (registered: readonly Registered[]) => [
    { name: EMAIL },
    ...registered.flatMap(({ UserSub, Session }) => [
      { name: UserSub },
      { name: UserSub, session: Session },
      { name: EMAIL, session: Session },
    ]),
  ];

  it('are limited to ten per name, across its registrations and sessions', () =>
    withPool(async (pool) => {
      const registered = [];
      for (const index of [1, 2, 3, 4]) registered.push(await register(pool, `${PASSWORD}${index}`));
      const entryPoints = listEntryPoints(registered);
      const answers = [];
      for (let tried = 0; tried < GUESSES; tried += 1) {
        const { name, session } = entryPoints[tried] ?? { name: EMAIL };
        answers.push(await guess(pool, name, session));
      }
      assert.deepEqual(new Set(answers), new Set(['CodeMismatchException']));
      for (const { name, session } of entryPoints) assert.equal(await guess(pool, name, session), LOCKED, name);
    }));

  it('are also limited to ten if the first registration has expired', () =>
    withPool(async (pool) => {
      await register(pool, `${PASSWORD}1`);
      pool.clock.advance(4 * DAY_MS);
      const registered = [await register(pool, `${PASSWORD}2`), await register(pool, `${PASSWORD}3`)];
      pool.clock.advance(4 * DAY_MS);
      await pool.store.sweep(pool.clock.now());
      const [first] = registered;
      assert.ok(first);
      for (let tried = 0; tried < GUESSES; tried += 1) await guess(pool, first.UserSub);
      for (const { name, session } of listEntryPoints(registered))
        assert.equal(await guess(pool, name, session), LOCKED, name);
    }));

  for (const isKnown of [true, false]) {
    it(`stay counted if the name is registered after them, and a user ${isKnown ? 'has' : 'does not have'} it`, () =>
      withPool(async (pool) => {
        if (isKnown) await addUser(pool, EMAIL);
        for (let tried = 0; tried < GUESSES; tried += 1) await guess(pool, EMAIL);
        const registered = [await register(pool, `${PASSWORD}1`), await register(pool, `${PASSWORD}2`)];
        for (const { name, session } of listEntryPoints(registered))
          assert.equal(await guess(pool, name, session), LOCKED, name);
      }));
  }
});
