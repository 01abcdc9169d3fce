import { OPERATION_NAMES, type OperationName } from '@poolgate/provider';
import { requireOperationModel } from '../../packages/provider/src/aws-json/service-model.ts';
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
import type { Case } from './subject.ts';

/** The special cases of each operation. */
export const CASES: Readonly<Partial<Record<OperationName, readonly Case[]>>> = {
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

/** The members of a request or a response that concern users, groups, sessions or tokens. */
const USER_MEMBERS = [
  'AccessToken',
  'CSVHeader',
  'GroupName',
  'Groups',
  'RefreshToken',
  'Session',
  'Token',
  'Username',
  'Users',
];

/**
 * The operations that run on every pool, in the order of the port. The others concern pools, their clients and their tags: they need a
 * separate pool, and other suites test them.
 */
export const USER_OPERATIONS: readonly OperationName[] = OPERATION_NAMES.filter((name) => {
  const { input, output } = requireOperationModel(name);
  return USER_MEMBERS.some((member) => member in { ...input.members, ...output?.members });
});

/** Returns every case of an operation: its own, and those of its kind. */
export function listCases(name: OperationName): readonly Case[] {
  return [...(CASES[name] ?? []), ...commonRefusals(name)];
}
