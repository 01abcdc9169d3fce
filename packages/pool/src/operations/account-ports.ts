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
