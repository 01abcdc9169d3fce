import assert from 'node:assert/strict';
import { Buffer } from 'node:buffer';
import { afterEach, beforeEach, describe, it } from 'node:test';
import { createDefaultVault } from './default-vault.ts';
import { memoryVault } from './device-vault.ts';
import { createIndexedDbVault } from './indexed-db-vault.ts';

const OWNER = { userPoolId: 'pool', username: 'ada' };
const OTHER = { userPoolId: 'pool', username: 'eve' };
const DEVICE = { deviceKey: 'key', deviceGroupKey: 'group', devicePassword: 'c2VjcmV0IMO8' };

/** The parts of IndexedDB that the vault uses: rows by key, and asynchronous, sequential transactions. */
class Database {
  readonly rows = new Map<string, Record<string, unknown>>();
  readonly names: [name: string, version: number][] = [];
  opened = 0;
  closed = 0;
  /** Makes opening, a transaction or one of its requests fail. */
  fails: 'opening' | 'blocked' | 'transaction' | 'request' | undefined;
  #isMade = false;

  open(name: string, version: number): unknown {
    this.names.push([name, version]);
    const error = new DOMException('of a test', 'InvalidStateError');
    const opening: Record<string, unknown> = { result: this.#connection(), error };
    queueMicrotask(() => {
      const call = (name: string) => (opening[name] as (() => void) | undefined)?.();
      if (this.fails === 'opening') return call('onerror');
      if (this.fails === 'blocked') return call('onblocked');
      this.opened += 1;
      if (!this.#isMade) call('onupgradeneeded');
      this.#isMade = true;
      call('onsuccess');
    });
    return opening;
  }

  #connection() {
    return {
      createObjectStore: () => undefined,
      close: () => {
        this.closed += 1;
      },
      transaction: (_store: string, mode: string) => {
        const transaction: Record<string, unknown> = { error: null };
        transaction.objectStore = () => this.#store(mode);
        const call = (name: string) => (transaction[name] as (() => void) | undefined)?.();
        queueMicrotask(() => {
          if (!this.#loses()) return call('oncomplete');
          // The error of a request bubbles before the transaction has one (Indexed Database API §5.9).
          if (this.fails === 'request') call('onerror');
          transaction.error = new DOMException('full', 'QuotaExceededError');
          call('onabort');
        });
        return transaction;
      },
    };
  }

  #loses(): boolean {
    return this.fails === 'transaction' || this.fails === 'request';
  }

  #store(mode: string) {
    const writable = () => {
      if (mode !== 'readwrite') throw new DOMException('read only', 'ReadOnlyError');
    };
    return {
      get: (key: string) => ({ result: this.rows.get(key) }),
      put: (row: Record<string, unknown>, key: string) => {
        writable();
        if (!this.#loses()) this.rows.set(key, row);
        return {};
      },
      delete: (key: string) => {
        writable();
        if (!this.#loses()) this.rows.delete(key);
        return {};
      },
    };
  }
}

describe('device vaults', () => {
  let database: Database;
  beforeEach(() => {
    database = new Database();
    Object.assign(globalThis, { indexedDB: database });
  });
  afterEach(() => void Reflect.deleteProperty(globalThis, 'indexedDB'));

  const requireRow = (name: string) => database.rows.get(`pool/${name}`) ?? assert.fail(name);

  for (const [name, make] of Object.entries({
    memoryVault,
    indexedDbVault: createIndexedDbVault,
    defaultVault: createDefaultVault,
  })) {
    it(`${name} stores one device for each user, until it is forgotten`, async () => {
      const vault = make();
      assert.equal(await vault.find(OWNER), undefined);
      await vault.save(OWNER, DEVICE);
      await vault.save(OTHER, { ...DEVICE, deviceKey: 'another' });
      assert.deepEqual(await vault.find(OWNER), DEVICE);
      await vault.save(OWNER, { ...DEVICE, devicePassword: 'bmV3' });
      assert.equal((await vault.find(OWNER))?.devicePassword, 'bmV3');
      await vault.forget(OWNER);
      assert.equal(await vault.find(OWNER), undefined);
      assert.equal((await vault.find(OTHER))?.deviceKey, 'another');
    });
  }

  it('the database outlives the program, and every connection to it is closed', async () => {
    await createDefaultVault().save(OWNER, DEVICE);
    assert.deepEqual(await createDefaultVault().find(OWNER), DEVICE);
    assert.ok(database.opened >= 2);
    assert.deepEqual(database.names, Array(database.opened).fill(['poolgate', 1]));
    assert.equal(database.closed, database.opened);
  });

  it('the database does not contain the plain secret, and its key cannot be exported', async () => {
    await createIndexedDbVault().save(OWNER, DEVICE);
    const { key, iv, sealed } = requireRow('ada') as { key: CryptoKey; iv: Uint8Array; sealed: ArrayBuffer };
    assert.deepEqual([key.extractable, key.algorithm.name, iv.length], [false, 'AES-GCM', 12]);
    assert.deepEqual([...key.usages].toSorted(), ['decrypt', 'encrypt']);
    assert.equal((key.algorithm as AesKeyAlgorithm).length, 256);
    assert.ok(!Buffer.from(sealed).toString('latin1').includes(DEVICE.devicePassword));
    await createIndexedDbVault().save(OTHER, DEVICE);
    assert.notDeepEqual(requireRow('eve').iv, iv);
  });

  it('a secret decrypts only for its own user and device', async () => {
    const vault = createIndexedDbVault();
    await vault.save(OWNER, DEVICE);
    database.rows.set('pool/eve', requireRow('ada'));
    assert.equal(await vault.find(OTHER), undefined);
    database.rows.set('pool/ada', { ...requireRow('ada'), deviceKey: 'another' });
    assert.equal(await vault.find(OWNER), undefined);
  });

  it('a login succeeds if the browser forbids storage, and the device stays in memory', async () => {
    for (const [fails, name] of [
      ['opening', 'InvalidStateError'],
      ['blocked', 'AbortError'],
      ['transaction', 'QuotaExceededError'],
      ['request', 'QuotaExceededError'],
    ] as const) {
      database.fails = fails;
      const vault = createDefaultVault();
      await vault.save(OWNER, DEVICE);
      assert.deepEqual(await vault.find(OWNER), DEVICE, fails);
      await vault.forget(OWNER);
      assert.equal(await vault.find(OWNER), undefined, fails);
      const lasting = createIndexedDbVault();
      for (const act of [() => lasting.save(OWNER, DEVICE), () => lasting.find(OWNER), () => lasting.forget(OWNER)]) {
        await assert.rejects(act, (error) => error instanceof DOMException && error.name === name, fails);
      }
    }
    assert.equal(database.closed, database.opened);
  });

  it('a programming error is thrown, not hidden', async () => {
    Object.assign(globalThis, {
      indexedDB: {
        open: () => {
          throw new RangeError('mine');
        },
      },
    });
    const vault = createDefaultVault();
    for (const act of [() => vault.find(OWNER), () => vault.save(OWNER, DEVICE), () => vault.forget(OWNER)]) {
      await assert.rejects(act, { name: 'RangeError', message: 'mine' });
    }
  });

  it('devices stay in memory without a database or encryption', async () => {
    const { crypto } = globalThis;
    const own = Object.getOwnPropertyDescriptor(globalThis, 'crypto') ?? {};
    Object.defineProperty(globalThis, 'crypto', {
      value: { getRandomValues: crypto.getRandomValues },
      configurable: true,
    });
    const insecure = createDefaultVault();
    await insecure.save(OWNER, DEVICE);
    Object.defineProperty(globalThis, 'crypto', own);
    assert.deepEqual([await insecure.find(OWNER), database.opened], [DEVICE, 0]);
    Reflect.deleteProperty(globalThis, 'indexedDB');
    const vault = createDefaultVault();
    await vault.save(OWNER, DEVICE);
    assert.deepEqual(await vault.find(OWNER), DEVICE);
  });
});
