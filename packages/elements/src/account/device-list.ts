import type { Device, UserSession } from '@poolgate/client';

/** A line of the list: a device that the service remembers, the sessions on it, or both. */
export interface DeviceLine {
  /** Unique in the list. */
  readonly id: string;
  readonly device: Device | undefined;
  /** Newest first. */
  readonly sessions: readonly UserSession[];
  readonly isCurrent: boolean;
}

/** The devices and sessions of a user. */
export interface DevicesAndSessions {
  readonly devices: readonly Device[];
  /** The key of the current device; null if unknown. */
  readonly current: string | null;
  readonly sessions: readonly UserSession[];
}

/** Joins devices with their sessions, the current line first. Sessions of applications are not the user's own. */
export function joinDevices({ devices, current, sessions }: DevicesAndSessions): readonly DeviceLine[] {
  const own = sessions.filter(({ kind }) => kind !== 'application');
  // Some providers do not reveal the device of a session. The current session belongs to the current device.
  const findDevice = (session: UserSession) => session.device_key ?? (session.current ? current : null);
  const keys = new Set(devices.map(({ device_key }) => device_key));
  const lines: readonly DeviceLine[] = [
    ...devices.map((device) => {
      const onDevice = own.filter((session) => findDevice(session) === device.device_key);
      const isCurrent = device.device_key === current || onDevice.some((session) => session.current);
      return { id: device.device_key, device, sessions: onDevice, isCurrent };
    }),
    ...own
      .filter((session) => !keys.has(findDevice(session) ?? ''))
      .map((session) => ({ id: session.id, device: undefined, sessions: [session], isCurrent: session.current })),
  ];
  return lines.toSorted((one, other) => Number(other.isCurrent) - Number(one.isCurrent));
}
