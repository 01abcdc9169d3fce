import assert from 'node:assert/strict';
import { decodeTokenPart } from '../../packages/pool/src/testing/test-tokens.ts';
import type { Exchange } from '../support/requests/exchange.ts';
import type { Ledger } from './ledger.ts';
import { ORDER, PRIVATE, type RefusingTrigger } from './model-triggers.ts';
import type { ModelledService } from './setting.ts';
import type { ModelUser, Progress, Proof } from './state.ts';
import type { Defined, LoginState } from './transitions.ts';

/** What is checked of a run. */
interface Watched {
  readonly modelled: Pick<ModelledService, 'triggers'>;
  readonly ledger: Pick<Ledger, 'accept'>;
}

/** The trigger that refuses this user, if any. */
export function findRefusingTrigger({ modelled }: Watched, { username }: ModelUser): RefusingTrigger | undefined {
  return modelled.triggers?.refusals.get(username);
}

/**
 * What the trigger that decides the order wants next, as the model reads its rules. Undefined if it is not called: another kind of login,
 * one that was accepted before, or one that must change a password first.
 */
export function definedNext({
  user,
  proofs,
  custom,
}: Pick<Progress, 'custom' | 'proofs' | 'user'>): Defined | undefined {
  if (custom === undefined || proofs.includes('triggers')) return undefined;
  const hasPassword = proofs.includes('password');
  if (hasPassword && user.mustChangePassword && !proofs.includes('new password')) return undefined;
  if (custom.beginsWithPassword && !hasPassword) return 'PASSWORD_VERIFIER';
  const rights = custom.answers.filter(({ isRight }) => isRight).length;
  if (custom.answers.length - rights >= ORDER.wrongs) return 'failure';
  return rights >= ORDER.rights ? 'tokens' : 'CUSTOM_CHALLENGE';
}

const TOKEN_SOURCES: Readonly<Partial<Record<Proof, string>>> = {
  device: 'TokenGeneration_AuthenticateDevice',
  'new password': 'TokenGeneration_NewPasswordChallenge',
};

/** The triggers between a step and the next one. */
export function askedAfter(run: Watched, { user, proofs }: Progress, next: LoginState): readonly string[] {
  if (next === 'CUSTOM_CHALLENGE') return ['CreateAuthChallenge_Authentication'];
  if (next !== 'authenticated' && next !== 'refused by a trigger') return [];
  const last = proofs.at(-1);
  const tokens = (last && TOKEN_SOURCES[last]) ?? 'TokenGeneration_Authentication';
  const isRefusedBefore = findRefusingTrigger(run, user) === 'PostAuthentication';
  return ['PostAuthentication_Authentication', ...(isRefusedBefore ? [] : [tokens])];
}

/** The trigger before everything else. If a device is unknown, a route starts over without it and calls the trigger again. */
export const ASKED_FIRST = 'PreAuthentication_Authentication';

/** Compares the calls since the last time with the expected ones, and their users. */
export function assertAsked(
  { modelled }: Watched,
  { username }: ModelUser,
  expected: readonly string[],
  about: string,
): void {
  if (modelled.triggers === undefined) return;
  const calls = modelled.triggers.takeCalls();
  const sources = calls.map(({ source }) => source);
  const once = sources.filter((source, at) => source !== ASKED_FIRST || sources[at - 1] !== ASKED_FIRST);
  assert.deepEqual(once, expected, `${about}: these triggers, and no others`);
  for (const { source, userName } of calls) assert.equal(userName, username, `${about}: ${source} of somebody else`);
}

/** Checks that no unexpected call was made. */
export function assertNothingAsked({ modelled }: Watched, about: string): void {
  assert.deepEqual(modelled.triggers?.takeCalls() ?? [], [], `${about}: no trigger`);
}

/** Checks that no response reveals what triggers keep secret. */
export function assertNothingPrivate({ text }: Exchange, about: string): void {
  assert.ok(!text.includes(PRIVATE), `${about}: what is private to triggers was told`);
}

/** Checks that tokens contain what the trigger said of this user in this call. */
export function assertClaims({ modelled, ledger }: Watched, { username }: ModelUser, body: Exchange['body']): void {
  if (modelled.triggers === undefined) return;
  for (const name of ['access_token', 'id_token']) {
    const { for_user: forUser, signed_as: signedAs } = decodeTokenPart(String(body[name]), 1);
    assert.equal(forUser, username, `${name}: claims of another user`);
    ledger.accept(`claims ${signedAs} of ${name}`);
  }
}

/** Checks that each user whom triggers let in has answered as many challenges as required, each checked once. */
export function assertAnswered({ modelled }: Watched, { user, proofs, custom }: Progress): void {
  if (!proofs.includes('triggers')) return;
  const answers = custom?.answers ?? [];
  for (const { question, isRight } of answers) {
    const expected = [{ userName: user.username, isRight }];
    assert.deepEqual(modelled.triggers?.judgementsOf(question), expected, `${question} was answered once`);
  }
  assert.ok(answers.filter(({ isRight }) => isRight).length >= ORDER.rights, 'tokens without answers');
}
