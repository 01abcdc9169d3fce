import type { ProviderExtensions } from '@poolgate/provider';
import { drawRecoveryCodes, recoveryDigestHex } from '../domain/recovery-codes.ts';
import { recordEvent } from '../events.ts';
import { afterCommit } from '../messages/deliver.ts';
import { noticeOwner } from '../messages/notices.ts';
import { duringCall, type PoolRuntime } from '../runtime.ts';
import { claimAccess, requireAccess } from '../tokens/access.ts';

type RecoveryExtension = 'create_recovery_codes' | 'count_recovery_codes';

/** What a user does with recovery codes. */
export function recoveryExtensions(context: PoolRuntime): Pick<ProviderExtensions, RecoveryExtension> {
  return {
    create_recovery_codes: (input, call) => createRecoveryCodes(duringCall(context, call), input.AccessToken),
    async count_recovery_codes({ AccessToken }) {
      const { pool, user } = await requireAccess(context, AccessToken);
      return { Left: await context.store.recoveryCodesLeft(pool.id, user.username) };
    },
  };
}

async function createRecoveryCodes(context: PoolRuntime, accessToken: string): Promise<{ Codes: readonly string[] }> {
  const access = await requireAccess(context, accessToken);
  const { pool, client, user } = access;
  const Codes = drawRecoveryCodes(context);
  const digestsHex = Codes.map((code) => recoveryDigestHex(context, pool, user.username, code));
  await context.store.write(async (transaction) => {
    await claimAccess(transaction, access);
    await transaction.putRecoveryCodes(pool.id, user.username, digestsHex, context.clock.now());
    await recordEvent(context, transaction, {
      type: 'factor.recovery_codes_made',
      pool,
      user,
      clientId: client.id,
    });
    await noticeOwner(context, transaction, pool, user, 'factor_changed');
  });
  await afterCommit(context);
  return { Codes };
}
