import type { ProviderExtensions } from '@poolgate/provider';
import { drawRecoveryCodes, recoveryDigestHex } from '../domain/recovery-codes.ts';
import type { PoolRuntime } from '../runtime.ts';
import { requireAccess } from '../tokens/access.ts';

type RecoveryExtension = 'create_recovery_codes' | 'count_recovery_codes';

/** What a user does with recovery codes. */
export function recoveryExtensions(context: PoolRuntime): Pick<ProviderExtensions, RecoveryExtension> {
  return {
    create_recovery_codes: (input) => createRecoveryCodes(context, input.AccessToken),
    async count_recovery_codes({ AccessToken }) {
      const { pool, user } = await requireAccess(context, AccessToken);
      return { Left: await context.store.recoveryCodesLeft(pool.id, user.username) };
    },
  };
}

async function createRecoveryCodes(context: PoolRuntime, accessToken: string): Promise<{ Codes: readonly string[] }> {
  const { pool, user } = await requireAccess(context, accessToken);
  const Codes = drawRecoveryCodes(context);
  const digestsHex = Codes.map((code) => recoveryDigestHex(context, pool, user.username, code));
  await context.store.write((transaction) =>
    transaction.putRecoveryCodes(pool.id, user.username, digestsHex, context.clock.now()),
  );
  return { Codes };
}
