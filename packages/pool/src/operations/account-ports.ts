import type { DeliveryPorts, NotificationPorts } from '../delivery/delivery-ports.ts';
import type { SettingsPorts } from '../settings/settings-ports.ts';
import type { PoolStore } from '../store/pool-store.ts';
import type { AccessTokenPorts } from '../tokens/token-ports.ts';

/** What an administrator's change of an account takes. */
export interface AdminAccountPorts extends DeliveryPorts, NotificationPorts, SettingsPorts {
  readonly store: PoolStore;
}

/** What a user's change of the own account takes. */
export interface OwnAccountPorts extends AccessTokenPorts, DeliveryPorts, NotificationPorts {
  readonly store: PoolStore;
}
