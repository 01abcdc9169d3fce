import type { DeliveryPorts, NotificationPorts } from '../../delivery/delivery-ports.ts';
import type { PasskeyRefusalPort } from '../../proofs/passkeys/passkey-refusals.ts';
import type { DecoyPorts, NewPasswordPorts } from '../../proofs/passwords/password-ports.ts';
import type { SettingsCachePort } from '../../settings/settings-ports.ts';
import type { PoolStore } from '../../store/pool-store.ts';
import type { AccessTokenPorts, TokenPorts } from '../../tokens/token-ports.ts';
import type { MigrateUserHook } from './migration-hook.ts';

/** A hint for the operator. `srp_without_migration`: an SRP login sends no password, so the trigger UserMigration is not called. */
export type PoolHint = 'srp_without_migration';

/** The hook that migrates users of an older system. */
export interface MigrationPort {
  /** If absent, unknown users stay unknown. */
  readonly migrate?: MigrateUserHook;
}

/** The hook that receives hints for the operator. */
export interface PoolHintPort {
  /** Called whenever the hint applies, without a user. */
  readonly hint?: (hint: PoolHint) => void;
}

/** The dependencies of login steps: challenges, guesses, messages and tokens. */
export interface LoginPorts
  extends AccessTokenPorts,
    DecoyPorts,
    DeliveryPorts,
    NotificationPorts,
    PoolHintPort,
    MigrationPort,
    NewPasswordPorts,
    PasskeyRefusalPort,
    SettingsCachePort,
    TokenPorts {
  readonly store: PoolStore;
}
