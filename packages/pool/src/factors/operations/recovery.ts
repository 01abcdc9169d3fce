import { recordEvent } from '../../events.ts';
import { deliverAfterCommit } from '../../messages/deliver.ts';
import { queueNotice } from '../../messages/notices.ts';
import type { ExtensionTable } from '../../operation-table.ts';
import type { PoolRuntime } from '../../runtime.ts';
import { claimAccess, requireAccessToken } from '../../tokens/access.ts';
import { drawRecoveryCodes, recoveryDigestHex } from '../recovery-codes.ts';

type RecoveryExtension = 'create_recovery_codes' | 'count_recovery_codes';

/** What a user does with recovery codes. */
export const recoveryExtensions: ExtensionTable<RecoveryExtension> = {
  create_recovery_codes: (context, input) => createRecoveryCodes(context, input.AccessToken),
  async count_recovery_codes(context, { AccessToken }) {
    const { pool, user } = await requireAccessToken(context, AccessToken);
    return { Left: await context.store.recoveryCodes.count(pool.id, user.username) };
  },
};

async function createRecoveryCodes(context: PoolRuntime, accessToken: string): Promise<{ Codes: readonly string[] }> {
  const access = await requireAccessToken(context, accessToken);
  const { pool, client, user } = access;
  const Codes = drawRecoveryCodes(context);
  const digestsHex = Codes.map((code) => recoveryDigestHex(context, pool, user.username, code));
  await context.store.write(async (transaction) => {
    await claimAccess(transaction, access);
    await transaction.recoveryCodes.replace(pool.id, user.username, digestsHex, context.clock.now());
    await recordEvent(context, transaction, {
      type: 'factor.recovery_codes_made',
      pool,
      user,
      clientId: client.id,
    });
    await queueNotice(context, transaction, pool, user, 'factor_changed');
  });
  await deliverAfterCommit(context);
  return { Codes };
}
