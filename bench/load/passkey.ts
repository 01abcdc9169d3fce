import { createPrivateKey, createPublicKey } from 'node:crypto';
import { type Passkey, SoftwareAuthenticator } from '../../packages/pool/src/testing/software-authenticator.ts';
import type { Account } from './drive.ts';

/** The relying party of a service in development. */
const RELYING_PARTY_ID = 'localhost';

/** An authenticator on a page of the service. Like most people's passkey managers, it counts nothing. */
export function createAuthenticator(url: string): SoftwareAuthenticator {
  const { port } = new URL(url);
  return new SoftwareAuthenticator({ origin: `http://localhost:${port}`, counts: false });
}

/** A passkey as plain data. */
export function toPlainPasskey({ id, userHandle, privateKey }: Passkey): NonNullable<Account['passkey']> {
  return { id, userHandle, privateKeyPem: privateKey.export({ type: 'pkcs8', format: 'pem' }).toString() };
}

/** The passkey of an account that has one. */
export function parsePlainPasskey({ passkey }: Account): Passkey {
  if (passkey === undefined) throw new TypeError('the account has no passkey');
  const { id, userHandle, privateKeyPem } = passkey;
  const privateKey = createPrivateKey(privateKeyPem);
  const publicKey = createPublicKey(privateKey);
  return { id, userHandle, rpId: RELYING_PARTY_ID, algorithm: 'ES256', privateKey, publicKey, counter: 0 };
}
