import type { DeliveryPorts, NotificationPorts } from '../delivery/delivery-ports.ts';
import type { SettingsPorts } from '../settings/settings-ports.ts';
import type { PoolStore } from '../store/pool-store.ts';
import type { AccessTokenPorts } from '../tokens/token-ports.ts';

/** The dependencies of an administrator's change to an account. */
export interface AdminAccountPorts extends DeliveryPorts, NotificationPorts, SettingsPorts {
  readonly store: PoolStore;
}

/** The dependencies of a user's change to the own account. */
export interface OwnAccountPorts extends AccessTokenPorts, DeliveryPorts, NotificationPorts {
  readonly store: PoolStore;
}

/** How long users can keep an account that they asked to delete. */
export interface DeletionPort {
  /** Default: 14 days. 0: a deletion cannot be scheduled, so accounts are deleted at once. */
  readonly deletionDays?: number;
}
