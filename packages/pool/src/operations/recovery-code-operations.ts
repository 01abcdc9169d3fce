import { deliverAfterCommit } from '../delivery/deliver-after-commit.ts';
import { queueFactorNotice } from '../delivery/notices.ts';
import { recordEvent } from '../kernel/audit-events.ts';
import { digestRecoveryCode, generateRecoveryCodes } from '../proofs/codes/recovery-codes.ts';
import { lockAuthorizedUser, requireAccessToken } from '../tokens/access-tokens.ts';
import type { OwnAccountPorts } from './account-ports.ts';
import type { ExtensionTable } from './operation-table.ts';

type RecoveryExtension = 'create_recovery_codes' | 'count_recovery_codes';

/** What users can do with recovery codes. */
export const recoveryCodeExtensions: ExtensionTable<RecoveryExtension> = {
  create_recovery_codes: (ports, input) => createRecoveryCodes(ports, input.AccessToken),
  async count_recovery_codes(ports, { AccessToken }) {
    const { pool, user } = await requireAccessToken(ports, AccessToken);
    return { Left: await ports.store.recoveryCodes.count(pool.id, user.username) };
  },
};

async function createRecoveryCodes(ports: OwnAccountPorts, accessToken: string): Promise<{ Codes: readonly string[] }> {
  const access = await requireAccessToken(ports, accessToken);
  const { pool, client, user } = access;
  const Codes = generateRecoveryCodes(ports);
  const digestsHex = Codes.map((code) => digestRecoveryCode(ports, pool, user.username, code));
  await ports.store.write(async (transaction) => {
    await lockAuthorizedUser(transaction, access);
    await transaction.recoveryCodes.replace(pool.id, user.username, digestsHex, ports.clock.now());
    await recordEvent(ports, transaction, {
      type: 'factor.recovery_codes_made',
      pool,
      user,
      clientId: client.id,
    });
    await queueFactorNotice(ports, transaction, pool, user, ['recovery_codes_created']);
  });
  await deliverAfterCommit(ports);
  return { Codes };
}
