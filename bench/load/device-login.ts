import { createCheapClient, toPoolName } from './cheap-client.ts';
import type { Account, Drive } from './drive.ts';
import { callRoute } from './request.ts';

interface DeviceLoginResponse {
  readonly session: string;
  readonly challenge_params: Readonly<Record<string, string>>;
  readonly access_token?: string;
}

type Client = ReturnType<typeof createCheapClient>;

/** Creates the claim that answers an SRP challenge. */
function createClaim(
  client: Client,
  account: Account,
  parameters: DeviceLoginResponse['challenge_params'],
  userIdForSrp: string,
) {
  const { SRP_B = '', SALT = '', SECRET_BLOCK = '' } = parameters;
  const { timestamp, signatureB64 } = client.prove(account, {
    srpBHex: SRP_B,
    saltHex: SALT,
    secretBlockB64: SECRET_BLOCK,
    userIdForSrp,
  });
  return {
    PASSWORD_CLAIM_SECRET_BLOCK: SECRET_BLOCK,
    PASSWORD_CLAIM_SIGNATURE: signatureB64,
    TIMESTAMP: timestamp,
  };
}

/** A login by SRP on a remembered device: four requests, and two proofs of three exponentiations each. */
export const driveDeviceLogin: Drive = ({ url, userPoolId }) => {
  const client = createCheapClient(toPoolName(userPoolId));
  const devices = new Map<string, Client>();

  /** A device's SRP is like a user's, with its group instead of the pool. */
  function deviceClient({ device }: Account): Client {
    const groupKey = device?.groupKey ?? '';
    const made = devices.get(groupKey) ?? createCheapClient(groupKey);
    devices.set(groupKey, made);
    return made;
  }

  return async (account) => {
    const { username, device } = account;
    const key = device?.key ?? '';
    const ask = async (path: string, body: unknown) => (await callRoute(url, path, body)) as DeviceLoginResponse;
    const started = await ask('/login/srp', { username, srp_a: client.srpAHex, device_key: key });
    const { challenge_params: parameters } = started;
    const asked = await ask('/login/auth-challenge', {
      challenge_name: 'PASSWORD_VERIFIER',
      session: started.session,
      username,
      challenge_value: createClaim(client, account, parameters, parameters.USER_ID_FOR_SRP ?? ''),
    });
    const own = deviceClient(account);
    const challenged = await ask('/login/auth-challenge', {
      challenge_name: 'DEVICE_SRP_AUTH',
      session: asked.session,
      username,
      challenge_value: { DEVICE_KEY: key, SRP_A: own.srpAHex },
    });
    const self = { username: key, password: device?.secret ?? '' };
    const done = await ask('/login/auth-challenge', {
      challenge_name: 'DEVICE_PASSWORD_VERIFIER',
      session: challenged.session,
      username,
      challenge_value: { DEVICE_KEY: key, ...createClaim(own, self, challenged.challenge_params, key) },
    });
    if (!done.access_token) throw new Error('the device gave no tokens');
  };
};
