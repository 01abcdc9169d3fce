import type { Container } from '../../container/container.ts';
import { createFault, createOkFinding, createWarning, type Finding } from '../findings/finding.ts';

const MAKE_ONE = 'Make one with the rights that it needs: poolgate admin-key create <label> --scope users:read';

/** Whether an admin key exists, and whether each can still sign. Revoked and expired ones do not count. */
export async function checkAdminKeys({
  records,
  keyRing,
  clock,
  adminKeys: inMemory,
}: Pick<Container, 'records' | 'keyRing' | 'clock' | 'adminKeys'>): Promise<readonly Finding[]> {
  const nowMs = clock.now();
  const kept = await records.adminKeys.list();
  const good = kept.filter(({ revokedAtMs, expiresAtMs }) => revokedAtMs === null && expiresAtMs > nowMs);
  const count = good.length + inMemory.length;
  const foreign = good.filter(
    ({ signingSecretEncrypted }) => keyRing.findSecretOrigin(signingSecretEncrypted) !== 'known',
  );
  return [
    count === 0
      ? createWarning('There is no admin key, so users cannot be administered.', MAKE_ONE)
      : createOkFinding(`Admin keys: ${count}.`),
    ...foreign.map(({ id }) =>
      createFault(
        `The admin key ${id} was encrypted with a secret that is not in POOLGATE_SECRET, so it cannot sign requests.`,
        `Replace it: poolgate admin-key rotate ${id}`,
      ),
    ),
  ];
}
