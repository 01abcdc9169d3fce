import type { DeviceOwner, DeviceVault, KeptDevice } from './vault.ts';

const DATABASE = 'poolgate';
const STORE = 'devices';
const IV_BYTES = 12;

/** What the database holds of a device: the secret is encrypted by a key that no script can read out. */
interface Row {
  readonly deviceKey: string;
  readonly deviceGroupKey: string;
  readonly key: CryptoKey;
  readonly iv: Uint8Array<ArrayBuffer>;
  readonly sealed: ArrayBuffer;
}

/** Keeps devices in the browser's own database, each under a key of its own that cannot be exported (Web Cryptography). */
export function indexedDbVault(): DeviceVault {
  return {
    async find(owner) {
      const row = (await inStore('readonly', (store) => store.get(keyOf(owner)))) as Row | undefined;
      return row && open(owner, row);
    },
    async save(owner, device) {
      const row = await seal(owner, device);
      await inStore('readwrite', (store) => store.put(row, keyOf(owner)));
    },
    async forget(owner) {
      await inStore('readwrite', (store) => store.delete(keyOf(owner)));
    },
  };
}

const keyOf = ({ userPoolId, username }: DeviceOwner): string => `${userPoolId}/${username}`;

/** A secret is bound to its owner and its device: moved to another row it does not open. */
function binding(owner: DeviceOwner, deviceKey: string): Uint8Array<ArrayBuffer> {
  return new TextEncoder().encode(`${keyOf(owner)}/${deviceKey}`);
}

async function seal(owner: DeviceOwner, { deviceKey, deviceGroupKey, devicePassword }: KeptDevice): Promise<Row> {
  const key = await crypto.subtle.generateKey({ name: 'AES-GCM', length: 256 }, false, ['encrypt', 'decrypt']);
  const iv = crypto.getRandomValues(new Uint8Array(IV_BYTES));
  const how = { name: 'AES-GCM', iv, additionalData: binding(owner, deviceKey) };
  const sealed = await crypto.subtle.encrypt(how, key, new TextEncoder().encode(devicePassword));
  return { deviceKey, deviceGroupKey, key, iv, sealed };
}

/** A row that does not open is as good as none. */
async function open(owner: DeviceOwner, row: Row): Promise<KeptDevice | undefined> {
  const { deviceKey, deviceGroupKey, key, iv, sealed } = row;
  const how = { name: 'AES-GCM', iv, additionalData: binding(owner, deviceKey) };
  const opened = await crypto.subtle.decrypt(how, key, sealed).catch(() => undefined);
  return opened && { deviceKey, deviceGroupKey, devicePassword: new TextDecoder().decode(opened) };
}

/** One transaction: what was written is there when this is settled. */
async function inStore<T>(mode: IDBTransactionMode, act: (store: IDBObjectStore) => IDBRequest<T>): Promise<T> {
  const database = await openDatabase();
  try {
    const transaction = database.transaction(STORE, mode);
    const request = act(transaction.objectStore(STORE));
    await new Promise<void>((resolve, reject) => {
      transaction.oncomplete = () => resolve();
      // Also after an error of the request: the transaction has an error only when it has aborted.
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
