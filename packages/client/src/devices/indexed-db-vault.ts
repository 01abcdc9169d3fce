import type { DeviceOwner, DeviceVault, RememberedDevice } from './device-vault.ts';

const DATABASE = 'poolgate';
const STORE = 'devices';
const IV_BYTES = 12;

/** A device in the database. Its secret is encrypted with a non-extractable key. */
interface DeviceRow {
  readonly deviceKey: string;
  readonly deviceGroupKey: string;
  readonly key: CryptoKey;
  readonly iv: Uint8Array<ArrayBuffer>;
  readonly sealed: ArrayBuffer;
}

/** Stores devices in the browser's database, each encrypted with its own non-extractable key (Web Cryptography). */
export function createIndexedDbVault(): DeviceVault {
  return {
    async find(owner) {
      const row = (await runTransaction('readonly', (store) => store.get(toRowKey(owner)))) as DeviceRow | undefined;
      return row && decryptDevice(owner, row);
    },
    async save(owner, device) {
      const row = await encryptDevice(owner, device);
      await runTransaction('readwrite', (store) => store.put(row, toRowKey(owner)));
    },
    async forget(owner) {
      await runTransaction('readwrite', (store) => store.delete(toRowKey(owner)));
    },
  };
}

const toRowKey = ({ userPoolId, username }: DeviceOwner): string => `${userPoolId}/${username}`;

/** Binds a secret to its owner and device, so it does not decrypt in another row. */
function toAdditionalData(owner: DeviceOwner, deviceKey: string): Uint8Array<ArrayBuffer> {
  return new TextEncoder().encode(`${toRowKey(owner)}/${deviceKey}`);
}

async function encryptDevice(
  owner: DeviceOwner,
  { deviceKey, deviceGroupKey, devicePassword }: RememberedDevice,
): Promise<DeviceRow> {
  const key = await crypto.subtle.generateKey({ name: 'AES-GCM', length: 256 }, false, ['encrypt', 'decrypt']);
  const iv = crypto.getRandomValues(new Uint8Array(IV_BYTES));
  const how = { name: 'AES-GCM', iv, additionalData: toAdditionalData(owner, deviceKey) };
  const sealed = await crypto.subtle.encrypt(how, key, new TextEncoder().encode(devicePassword));
  return { deviceKey, deviceGroupKey, key, iv, sealed };
}

/** A row that does not decrypt counts as missing. */
async function decryptDevice(owner: DeviceOwner, row: DeviceRow): Promise<RememberedDevice | undefined> {
  const { deviceKey, deviceGroupKey, key, iv, sealed } = row;
  const how = { name: 'AES-GCM', iv, additionalData: toAdditionalData(owner, deviceKey) };
  const opened = await crypto.subtle.decrypt(how, key, sealed).catch(() => undefined);
  return opened && { deviceKey, deviceGroupKey, devicePassword: new TextDecoder().decode(opened) };
}

/** Runs one transaction. Its writes are stored when the promise resolves. */
async function runTransaction<T>(mode: IDBTransactionMode, act: (store: IDBObjectStore) => IDBRequest<T>): Promise<T> {
  const database = await openDatabase();
  try {
    const transaction = database.transaction(STORE, mode);
    const request = act(transaction.objectStore(STORE));
    await new Promise<void>((resolve, reject) => {
      transaction.oncomplete = () => resolve();
      // Also fires after a failed request: the transaction has an error only once it has aborted.
      transaction.onabort = () => reject(transaction.error);
    });
    return request.result;
  } finally {
    database.close();
  }
}

function openDatabase(): Promise<IDBDatabase> {
  return new Promise((resolve, reject) => {
    const opening = indexedDB.open(DATABASE, 1);
    opening.onupgradeneeded = () => opening.result.createObjectStore(STORE);
    opening.onsuccess = () => resolve(opening.result);
    opening.onerror = () => reject(opening.error);
    opening.onblocked = () => reject(new DOMException('another version is open', 'AbortError'));
  });
}
