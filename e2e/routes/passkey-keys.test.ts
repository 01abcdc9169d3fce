import assert from 'node:assert/strict';
import { generateKeyPairSync, type KeyObject, sign } from 'node:crypto';
import { after, before, describe, it } from 'node:test';
import { type CborValue, encodeCbor } from '../../packages/pool/src/testing/encode-cbor.ts';
import {
  createKeyPair,
  type RegistrationOverrides,
  toCoseKey,
} from '../../packages/pool/src/testing/software-authenticator.ts';
import { logInForAccessToken } from '../support/routes/route-mfa.ts';
import {
  completeRegistration,
  createAuthenticator,
  listPasskeyIds,
  registerNewPasskey,
  startPasskeyService,
  startRegistration,
} from '../support/routes/route-passkeys.ts';
import { addUser, assertProblem, type TestService } from '../support/services/test-service.ts';
import { attestationCertificate } from '../vectors/certificates.ts';
import { CURVES } from '../vectors/ecdsa.ts';
import { ecdsaKey } from '../vectors/keys.ts';

const signed = (key: KeyObject, message: Uint8Array): Buffer => sign('sha256', message, key);

describe('keys and statements that are not to be had', () => {
  let service: TestService;
  let access: string;
  before(async () => {
    service = await startPasskeyService();
    await addUser(service, 'ada@example.com');
    access = await logInForAccessToken(service, 'ada@example.com');
  });
  after(() => service.close());

  /** Registers with each of these knobs and expects a refusal and no row. */
  async function allRefused(each: Readonly<Record<string, RegistrationOverrides>>): Promise<void> {
    for (const [about, knobs] of Object.entries(each)) {
      assertProblem(
        await registerNewPasskey(service, access, createAuthenticator(), knobs),
        400,
        'invalid_credential',
        about,
      );
    }
    assert.deepEqual(await listPasskeyIds(service, access), []);
  }

  const ec = toCoseKey({ algorithm: 'ES256', ...createKeyPair('ES256') });
  const rsa = toCoseKey({ algorithm: 'RS256', ...createKeyPair('RS256') });
  const changed = (key: ReadonlyMap<number, CborValue>, ...entries: readonly (readonly [number, CborValue])[]) => ({
    publicKey: encodeCbor(new Map([...key, ...entries])),
  });
  const modulusOf = (modulusLength: number): Buffer =>
    Buffer.from(generateKeyPairSync('rsa', { modulusLength }).publicKey.export({ format: 'jwk' }).n ?? '', 'base64url');

  it('algorithms other than ES256 and RS256, and keys that do not fit theirs, are refused', async () => {
    await allRefused({
      RS1: changed(rsa, [3, -65_535]),
      RS384: changed(rsa, [3, -258]),
      PS256: changed(rsa, [3, -37]),
      ES384: changed(ec, [3, -35]),
      EdDSA: changed(ec, [3, -8]),
      'no algorithm': { publicKey: encodeCbor(new Map([...ec].filter(([label]) => label !== 3))) },
      'an algorithm as text': changed(ec, [3, 'ES256']),
      'ES256 with an RSA key': changed(rsa, [3, -7]),
      'RS256 with an EC key': changed(ec, [3, -257]),
      'ES256 on P-384': changed(ec, [-1, 2]),
      'an octet key': changed(ec, [1, 1]),
      'a symmetric key': {
        publicKey: encodeCbor(
          new Map<number, CborValue>([
            [1, 4],
            [3, -7],
            [-1, Buffer.alloc(32, 1)],
          ]),
        ),
      },
    });
  });

  it('weak keys are refused: a short or even modulus, an exponent of one, a point that is none', async () => {
    const zero = Buffer.alloc(32);
    const modulus = rsa.get(-1) as Buffer;
    await allRefused({
      '512 bits': changed(rsa, [-1, modulusOf(512)]),
      '1024 bits': changed(rsa, [-1, modulusOf(1024)]),
      'an even modulus': changed(rsa, [-1, Buffer.concat([modulus.subarray(0, -1), Buffer.from([0])])]),
      'no modulus': changed(rsa, [-1, Buffer.alloc(0)]),
      'zeros in front': changed(rsa, [-1, Buffer.concat([Buffer.from([0]), modulus])]),
      'e = 0': changed(rsa, [-2, Buffer.from([0])]),
      'e = 1': changed(rsa, [-2, Buffer.from([1])]),
      'e = 3': changed(rsa, [-2, Buffer.from([3])]),
      'e = 65536': changed(rsa, [-2, Buffer.from([1, 0, 0])]),
      'the point at infinity': changed(ec, [-2, zero], [-3, zero]),
      'a point off the curve': changed(ec, [-3, ec.get(-2) ?? zero]),
      'a compressed point': changed(ec, [-3, 1]),
      'a short coordinate': changed(ec, [-2, (ec.get(-2) as Buffer).subarray(1)]),
    });
  });

  it('more in a key than belongs to it is refused', async () => {
    await allRefused({
      'a private key': changed(ec, [-4, Buffer.alloc(32, 1)]),
      'a key id': changed(ec, [2, Buffer.from('id')]),
      'allowed operations': changed(ec, [4, [2]]),
      'a label of its own': changed(ec, [99, 'x']),
      'a private exponent': changed(rsa, [-3, Buffer.alloc(256, 1)]),
      'bytes behind the key': { publicKey: Buffer.concat([encodeCbor(ec), Buffer.from([0])]) },
      'another key behind the key': { publicKey: Buffer.concat([encodeCbor(ec), encodeCbor(ec)]) },
    });
  });

  const issuerSecret = Buffer.alloc(32, 7);
  const certificate = (point: Uint8Array): Buffer =>
    attestationCertificate({ serialNumber: Buffer.from([1]), point, issuerKey: issuerSecret });

  it('no chain of certificates is believed, whatever was appended to it', async () => {
    const own = ecdsaKey(CURVES.ES256, Buffer.alloc(32, 9));
    const root = ecdsaKey(CURVES.ES256, issuerSecret);
    const packed = (x5c: readonly Buffer[]): RegistrationOverrides => ({
      fmt: 'packed',
      attStmt: (toSign) => ({ alg: -7, sig: own.sign(toSign), x5c }),
    });
    await allRefused({
      'a chain of its own': packed([certificate(own.point)]),
      'with its own root appended': packed([certificate(own.point), certificate(root.point)]),
      'no certificate': packed([]),
      'a certificate that is none': packed([Buffer.from('certificate')]),
    });
  });

  it('an authenticator does not become a model by saying so, and no other statement counts', async () => {
    const bySelf: NonNullable<RegistrationOverrides['attStmt']> = (toSign, { privateKey }) => ({
      alg: -7,
      sig: signed(privateKey, toSign),
    });
    await allRefused({
      'a model by self attestation': { fmt: 'packed', aaguid: 'ee882879-721c-4913-9775-3dfcce97072a', attStmt: bySelf },
      'self attestation by another algorithm': {
        fmt: 'packed',
        attStmt: (toSign, { privateKey }) => ({ alg: -257, sig: signed(privateKey, toSign) }),
      },
      'self attestation by another key': {
        fmt: 'packed',
        attStmt: (toSign) => ({ alg: -7, sig: signed(createKeyPair('ES256').privateKey, toSign) }),
      },
      'none with a statement': { fmt: 'none', attStmt: () => ({ sig: Buffer.alloc(8) }) },
      'a format of its own': { fmt: 'mine' },
      'an ecdaa key': {
        fmt: 'packed',
        attStmt: () => ({ alg: -7, sig: Buffer.alloc(8), ecdaaKeyId: Buffer.alloc(8) }),
      },
    });
    const options = await startRegistration(service, access);
    const honest = createAuthenticator().register(options, { fmt: 'packed', attStmt: bySelf });
    assert.equal((await completeRegistration(service, access, honest)).status, 200);
  });
});
