import type { RouteResponse } from '../transport/routes.ts';
import { type AccountDependencies, type PageOf, type PageRequest, toPageQuery } from './account-requests.ts';

/** A device in the service's responses. */
export type Device = RouteResponse<'deviceList'>['devices'][number];

/** The devices of the signed-in user. */
export interface Devices {
  /** @throws {PoolgateError} */
  list(page?: PageRequest): Promise<PageOf<Device>>;
  /** Returns the key of the current device; null if this user has no registered device here. @throws {PoolgateError} */
  current(): Promise<string | null>;
  /** @throws {PoolgateError} `device_not_found` */
  rename(deviceKey: string, name: string): Promise<Device>;
  /** Turns remembering of a device on or off. @throws {PoolgateError} `device_not_found` */
  setRemembered(deviceKey: string, isRemembered: boolean): Promise<void>;
  /** Removes a device. For the current device, it also deletes the local secret. @throws {PoolgateError} `device_not_found` */
  forget(deviceKey: string): Promise<void>;
}

/** Creates the methods for devices. */
export function createDevices(dependencies: AccountDependencies): Devices {
  const { transport } = dependencies;
  return {
    async list(page = {}) {
      const answer = await transport.send('deviceList', { query: toPageQuery(page) });
      return { items: answer.devices, nextCursor: answer.next_cursor };
    },
    current: async () => (await findOwnDevice(dependencies))?.deviceKey ?? null,
    async rename(deviceKey, name) {
      const params = { device_key: deviceKey };
      return (await transport.send('deviceRename', { params, body: { device_name: name } })).device;
    },
    async setRemembered(deviceKey, isRemembered) {
      const params = { device_key: deviceKey };
      await transport.send('deviceUpdate', { params, body: { remembered_status: isRemembered } });
    },
    forget: (deviceKey) => forgetOwnDevice(dependencies, deviceKey),
  };
}

/** Finds the locally stored device and its owner. */
async function findOwnDevice({ keeper, devices, parameters }: AccountDependencies) {
  const username = await keeper.username();
  if (username === null) return null;
  const owner = { userPoolId: (await parameters()).provider.user_pool_id, username };
  const kept = await devices.find(owner);
  return kept === undefined ? null : { owner, deviceKey: kept.deviceKey };
}

async function forgetOwnDevice(dependencies: AccountDependencies, deviceKey: string): Promise<void> {
  await dependencies.transport.send('deviceForget', { params: { device_key: deviceKey } });
  const own = await findOwnDevice(dependencies);
  if (own?.deviceKey === deviceKey) await dependencies.devices.forget(own.owner);
}
