import type { LocalPasskeyRecord, LocalPasskeyRecords, LocalUserRecord, LocalUserRecords } from '../records/index.ts';
import { createGuardRecords, type GuardRecords, takeSomeTurns } from './gateway-deps.ts';

/** Records of guards, users and passkey names, in maps. */
export interface PasskeyRecords extends GuardRecords {
  readonly usersBySub: Map<string, LocalUserRecord>;
  /** By `<sub> <credential id>`. */
  readonly passkeysByKey: Map<string, LocalPasskeyRecord>;
}

export function createPasskeyRecords(): PasskeyRecords {
  const usersBySub = new Map<string, LocalUserRecord>();
  const passkeysByKey = new Map<string, LocalPasskeyRecord>();
  const given = createGuardRecords();
  const localUsers: LocalUserRecords = {
    ...given.localUsers,
    async upsert({ userPoolId, sub, username }, nowMs) {
      await takeSomeTurns();
      const flags = { passwordResetRequired: false, isWebauthnEnabled: false };
      const times = { createdAtMs: nowMs, updatedAtMs: nowMs };
      const user = usersBySub.get(sub) ?? { userPoolId, sub, username, ...flags, ...times };
      usersBySub.set(sub, user);
      return user;
    },
    async setWebauthnEnabled(_userPoolId, sub, isEnabled, nowMs) {
      await takeSomeTurns();
      const user = usersBySub.get(sub);
      if (user !== undefined) usersBySub.set(sub, { ...user, isWebauthnEnabled: isEnabled, updatedAtMs: nowMs });
    },
  };
  const localPasskeys: LocalPasskeyRecords = {
    async put(passkey) {
      await takeSomeTurns();
      passkeysByKey.set(`${passkey.sub} ${passkey.credentialId}`, passkey);
    },
    list: async (_userPoolId, sub) => [...passkeysByKey.values()].filter((each) => each.sub === sub),
    async delete(_userPoolId, sub, credentialId) {
      await takeSomeTurns();
      return passkeysByKey.delete(`${sub} ${credentialId}`);
    },
  };
  return { ...given, localUsers, localPasskeys, usersBySub, passkeysByKey };
}
