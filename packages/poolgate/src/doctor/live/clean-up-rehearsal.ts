import { ProviderError } from '@poolgate/provider';
import { type CheckRow, createWarning } from '../findings/finding.ts';
import { DOCTOR_CALL } from './rehearsal-login.ts';
import { type Rehearsal, requireTokens } from './rehearsal-state.ts';
import { setTotpPreference } from './rehearse-totp.ts';

/** Something that a rehearsal may leave behind, and how to remove it. */
interface Leftover {
  readonly isLeft: (rehearsal: Rehearsal) => boolean;
  readonly remove: (rehearsal: Rehearsal) => Promise<unknown>;
  readonly name: string;
}

/** The logins last, because the others need their tokens. */
const LEFTOVERS: readonly Leftover[] = [
  {
    isLeft: ({ hasTotp }) => hasTotp,
    remove: (rehearsal) => setTotpPreference(rehearsal, false),
    name: 'the authenticator of the test user is still on',
  },
  {
    isLeft: ({ device }) => device !== undefined,
    remove: forgetDevice,
    name: 'the test user has the device poolgate doctor',
  },
  {
    isLeft: ({ refreshTokens }) => refreshTokens.size > 0,
    remove: endLogins,
    name: 'sessions of the test user are still active',
  },
];

function forgetDevice(rehearsal: Rehearsal): Promise<unknown> {
  const { subject, device } = rehearsal;
  const named = { AccessToken: requireTokens(rehearsal).access, DeviceKey: device?.deviceKey ?? '' };
  return subject.provider.operations.forgetDevice(named, DOCTOR_CALL);
}

async function endLogins({ subject, refreshTokens }: Rehearsal): Promise<void> {
  for (const Token of refreshTokens) {
    await subject.provider.operations.revokeToken({ ClientId: subject.clientId, Token }, DOCTOR_CALL);
  }
}

/** Removes what the steps left behind. @returns what could not be removed */
export async function cleanUpRehearsal(rehearsal: Rehearsal): Promise<readonly CheckRow[]> {
  const rows: CheckRow[] = [];
  for (const { isLeft, remove, name } of LEFTOVERS) {
    if (!isLeft(rehearsal)) continue;
    await remove(rehearsal).catch((error: unknown) => {
      if (!(error instanceof ProviderError)) throw error;
      rows.push({ check: 'tidying up', ...createWarning(`Not removed: ${name}.`, 'Remove it manually.') });
    });
  }
  return rows;
}
