import assert from 'node:assert/strict';
import { decodeTokenPart } from '../../packages/pool/src/testing/test-tokens.ts';
import type { Exchange } from '../support/requests/exchange.ts';
import type { Ledger } from './ledger.ts';
import { ORDER, PRIVATE, type RefusingTrigger } from './model-triggers.ts';
import type { ModelledService } from './setting.ts';
import type { ModelUser, Progress, Proof } from './state.ts';
import type { Defined, LoginState } from './transitions.ts';

/** What of a run is looked at here. */
interface Watched {
  readonly modelled: Pick<ModelledService, 'triggers'>;
  readonly ledger: Pick<Ledger, 'accept'>;
}

/** What refuses this user, if anything does. */
export function findRefusingTrigger({ modelled }: Watched, { username }: ModelUser): RefusingTrigger | undefined {
  return modelled.triggers?.refusals.get(username);
}

/**
 * What the trigger that decides on the order wants after this, as the model reads its rules; undefined where it is not asked: the login is
 * none of its affair, was found good before, or has a password to change first.
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

/** The triggers that stand between a step and what follows it. */
export function askedAfter(run: Watched, { user, proofs }: Progress, next: LoginState): readonly string[] {
  if (next === 'CUSTOM_CHALLENGE') return ['CreateAuthChallenge_Authentication'];
  if (next !== 'authenticated' && next !== 'refused by a trigger') return [];
  const last = proofs.at(-1);
  const tokens = (last && TOKEN_SOURCES[last]) ?? 'TokenGeneration_Authentication';
  const isRefusedBefore = findRefusingTrigger(run, user) === 'PostAuthentication';
  return ['PostAuthentication_Authentication', ...(isRefusedBefore ? [] : [tokens])];
}

/** The trigger before everything else; where a device is nobody's, a route begins anew without it, and asks again. */
export const ASKED_FIRST = 'PreAuthentication_Authentication';

/** Holds what was called since the last time against what should have been, and for whom. */
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

/** Nothing was called that nobody expected. */
export function assertNothingAsked({ modelled }: Watched, about: string): void {
  assert.deepEqual(modelled.triggers?.takeCalls() ?? [], [], `${about}: no trigger`);
}

/** No answer tells what triggers keep to themselves. */
export function assertNothingPrivate({ text }: Exchange, about: string): void {
  assert.ok(!text.includes(PRIVATE), `${about}: what is private to triggers was told`);
}

/** Tokens say what the trigger said of this user, this time. */
export function assertClaims({ modelled, ledger }: Watched, { username }: ModelUser, body: Exchange['body']): void {
  if (modelled.triggers === undefined) return;
  for (const name of ['access_token', 'id_token']) {
    const { for_user: forUser, signed_as: signedAs } = decodeTokenPart(String(body[name]), 1);
    assert.equal(forUser, username, `${name}: claims of another user`);
    ledger.accept(`claims ${signedAs} of ${name}`);
  }
}

/** Whoever gets in by the word of triggers has answered as many questions as they want, each looked at once. */
export function assertAnswered({ modelled }: Watched, { user, proofs, custom }: Progress): void {
  if (!proofs.includes('triggers')) return;
  const answers = custom?.answers ?? [];
  for (const { question, isRight } of answers) {
    const expected = [{ userName: user.username, isRight }];
    assert.deepEqual(modelled.triggers?.judgementsOf(question), expected, `${question} was answered once`);
  }
  assert.ok(answers.filter(({ isRight }) => isRight).length >= ORDER.rights, 'tokens without answers');
}
