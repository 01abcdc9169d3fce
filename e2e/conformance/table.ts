import { OPERATIONS } from '@poolgate/provider';
import { DEVICE_CASES } from './cases/devices.ts';
import { GROUP_CASES } from './cases/groups.ts';
import { LOGIN_CASES } from './cases/logins.ts';
import { OWN_ACCOUNT_CASES } from './cases/own-account.ts';
import { PASSKEY_CASES } from './cases/passkeys.ts';
import { SECOND_FACTOR_CASES } from './cases/second-factors.ts';
import { SESSION_CASES } from './cases/sessions.ts';
import { TOKEN_CASES } from './cases/tokens.ts';
import { USER_CASES } from './cases/users.ts';
import { commonRefusals } from './refusals.ts';
import type { Case, UserOperation } from './subject.ts';

/** What is particular to each operation; one without a row does not compile. */
export const CASES: Readonly<Record<UserOperation, readonly Case[]>> = {
  ...USER_CASES,
  ...OWN_ACCOUNT_CASES,
  ...LOGIN_CASES,
  ...DEVICE_CASES,
  ...SECOND_FACTOR_CASES,
  ...PASSKEY_CASES,
  ...GROUP_CASES,
  ...TOKEN_CASES,
  ...SESSION_CASES,
};

/** Every case of an operation: its own, and those of its kind. */
export function casesOf(name: UserOperation): readonly Case[] {
  return [...(CASES[name] ?? []), ...commonRefusals(name)];
}

/** The operations that have rows, in the order of the port. */
export const USER_OPERATIONS = Object.keys(OPERATIONS).filter((name) => name in CASES) as readonly UserOperation[];
