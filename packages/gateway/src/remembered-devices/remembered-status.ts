import { type CallContext, ProviderError, type ProviderErrorCode } from '@poolgate/provider';
import type { UserCaller } from '../kernel/caller.ts';
import type { GatewayDeps } from '../kernel/deps.ts';
import { mapAttributesByName } from '../users/attributes.ts';
import type { ProviderDevice } from './present-device.ts';

const REMEMBERED = { remembered: true, not_remembered: false } as const;
const PAGE = 60;

/** The errors of a provider that reveals nothing to administrators here, or does not know the device. */
const NOT_TOLD_ERRORS: ReadonlySet<ProviderErrorCode> = new Set([
  'AccessDeniedException',
  'ForbiddenException',
  'ResourceNotFoundException',
  'UnauthorizedException',
  'UserNotFoundException',
]);

/** Which devices of a user are remembered, as far as known. */
export type RememberedStatusByKey = ReadonlyMap<string, boolean>;

/**
 * Cognito reveals only to administrators whether a device is remembered. A password or factor change can reset it, and so can a client that
 * talks to the provider directly, so the local record is only the fallback.
 */
export async function findRememberedStatus(
  deps: GatewayDeps,
  { username }: UserCaller,
  deviceKey: string,
  call: CallContext,
): Promise<boolean | undefined> {
  const answer = await ignoreRefusal(
    deps.provider.operations.adminGetDevice(
      { UserPoolId: deps.userPoolId, Username: username, DeviceKey: deviceKey },
      call,
    ),
  );
  return answer && readRememberedStatus(answer.Device);
}

/** Like {@link findRememberedStatus} for all of a user's devices. */
export async function listRememberedStatuses(
  deps: GatewayDeps,
  { username }: UserCaller,
  call: CallContext,
): Promise<RememberedStatusByKey> {
  const found = new Map<string, boolean>();
  let cursor: string | undefined;
  do {
    const page = await ignoreRefusal(
      deps.provider.operations.adminListDevices(
        {
          UserPoolId: deps.userPoolId,
          Username: username,
          Limit: PAGE,
          ...(cursor === undefined ? {} : { PaginationToken: cursor }),
        },
        call,
      ),
    );
    for (const device of page?.Devices ?? []) addStatus(found, device);
    cursor = page?.PaginationToken;
  } while (cursor !== undefined);
  return found;
}

function addStatus(found: Map<string, boolean>, device: ProviderDevice): void {
  const status = readRememberedStatus(device);
  if (device.DeviceKey !== undefined && status !== undefined) found.set(device.DeviceKey, status);
}

/** Whether a device is remembered, according to the provider's administrative response; undefined if it does not say. */
export function readRememberedStatus({ DeviceAttributes }: ProviderDevice): boolean | undefined {
  const status = mapAttributesByName(DeviceAttributes)['dev:device_remembered_status'] ?? '';
  return Object.hasOwn(REMEMBERED, status) ? REMEMBERED[status as keyof typeof REMEMBERED] : undefined;
}

async function ignoreRefusal<T>(answer: Promise<T>): Promise<T | undefined> {
  try {
    return await answer;
  } catch (error) {
    if (error instanceof ProviderError && NOT_TOLD_ERRORS.has(error.code)) return undefined;
    throw error;
  }
}
