import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { createMacPorts, createTestPoolRecord } from '../../testing/test-ports.ts';
import { deriveDecoyPasskeys } from './decoy-passkeys.ts';
import { isCredentialId } from './passkey-responses.ts';

const ports = createMacPorts();
const pool = createTestPoolRecord();
const names = Array.from({ length: 400 }, (_, i) => `user${i}@example.com`);

describe('the passkeys of a name without any', () => {
  it('are the same each time, on every replica', () => {
    for (const name of names.slice(0, 50)) {
      const passkeys = deriveDecoyPasskeys(ports, pool, name);
      assert.deepEqual(deriveDecoyPasskeys(createMacPorts(), pool, name), passkeys);
    }
  });

  it('differ for other names and pools', () => {
    const all = names.flatMap((name) => deriveDecoyPasskeys(ports, pool, name).map(({ credentialId }) => credentialId));
    assert.equal(new Set(all).size, all.length);
    const [name = ''] = names;
    assert.notDeepEqual(
      deriveDecoyPasskeys(ports, createTestPoolRecord(), name),
      deriveDecoyPasskeys(ports, pool, name),
    );
  });

  it('look like real ones: one or two, of usual lengths, with usual transports', () => {
    const counts = new Set<number>();
    const lengths = new Set<number>();
    for (const name of names) {
      const passkeys = deriveDecoyPasskeys(ports, pool, name);
      counts.add(passkeys.length);
      for (const { credentialId, transports } of passkeys) {
        assert.ok(isCredentialId(credentialId));
        assert.ok(transports.includes('internal'));
        lengths.add(Buffer.from(credentialId, 'base64url').length);
      }
    }
    assert.deepEqual([...counts].toSorted(), [1, 2]);
    assert.deepEqual([...lengths].toSorted(), [16, 20, 32]);
  });

  it('do not reveal their kind by an ID', () => {
    const firstBytes = new Map<string, Set<number>>();
    for (const name of names) {
      for (const { credentialId, transports } of deriveDecoyPasskeys(ports, pool, name)) {
        const bytes = Buffer.from(credentialId, 'base64url');
        const kind = `${bytes.length} ${transports.join()}`;
        firstBytes.set(kind, (firstBytes.get(kind) ?? new Set()).add((bytes[0] ?? 0) % 4));
      }
    }
    assert.equal(firstBytes.size, 4);
    for (const [kind, remainders] of firstBytes) assert.equal(remainders.size, 4, kind);
  });

  it('depend on a digest of the name: their number, and the kind of each', () => {
    /** The passkeys of a name whose digests start with these bytes. */
    const drawn = (...bytes: readonly number[]) => {
      const digests: string[] = [];
      const hmacSha256 = (_: Uint8Array, part: Uint8Array) => {
        digests.push(Buffer.from(part).toString());
        return Uint8Array.from([...bytes, ...Array(32).fill(9)].slice(0, 32));
      };
      const ports = createMacPorts();
      const engine = { ...ports.engine, hmacSha256 };
      const passkeys = deriveDecoyPasskeys({ ...ports, engine }, pool, 'ada');
      return {
        digests,
        kinds: passkeys.map(
          ({ credentialId, transports }) => `${Buffer.from(credentialId, 'base64url').length} ${transports}`,
        ),
      };
    };
    assert.deepEqual(drawn(64, 0, 1).kinds, ['32 hybrid,internal']);
    assert.deepEqual(drawn(63, 0, 1).kinds, ['32 hybrid,internal', '20 hybrid,internal']);
    assert.deepEqual(drawn(0, 2, 3).kinds, ['16 hybrid,internal', '32 internal']);
    assert.deepEqual(drawn(0, 6, 255).kinds, ['16 hybrid,internal', '32 internal']);
    const { digests } = drawn(0, 0, 0);
    assert.deepEqual(digests, ['mask-passkeys', 'ada', 'mask-passkey', '0\nada', '1\nada']);
  });
});
