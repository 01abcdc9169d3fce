import type { DeliveryPorts, NotificationPorts } from '../../delivery/delivery-ports.ts';
import type { PasskeyRefusalPort } from '../../proofs/passkeys/passkey-refusals.ts';
import type { DecoyPorts, NewPasswordPorts } from '../../proofs/passwords/password-ports.ts';
import type { PoolStore } from '../../store/pool-store.ts';
import type { TokenPorts } from '../../tokens/token-ports.ts';
import type { MigrateUserHook } from './migration-hook.ts';

/** What the operator should know. `srp_without_migration`: a login by SRP sends no password, so the trigger UserMigration is not asked. */
export type PoolHint = 'srp_without_migration';

/** The hook that admits users of an older system. */
export interface MigrationPort {
  /** Absent: unknown users stay unknown. */
  readonly migrate?: MigrateUserHook;
}

/** The hook that receives hints for the operator. */
export interface PoolHintPort {
  /** Called as often as the hint applies, about no user in particular. */
  readonly hint?: (hint: PoolHint) => void;
}

/** What the steps of a login take: challenges, guesses, messages and tokens. */
export interface LoginPorts
  extends DecoyPorts,
    DeliveryPorts,
    NotificationPorts,
    PoolHintPort,
    MigrationPort,
    NewPasswordPorts,
    PasskeyRefusalPort,
    TokenPorts {
  readonly store: PoolStore;
}
