import { createRequire } from 'node:module';
import { toHex } from '../bytes.ts';
import { hexFromInteger, integerFromBytes, integerFromHex } from '../integer.ts';
import { hashPassword, type SrpIdentity } from '../password-hash.ts';
import { finishClient, startClientWithPrivateValue } from '../srp-client.ts';
import type { SrpEngine } from '../srp-engine.ts';
import { computeScramblingParameter } from '../srp-equations.ts';
import { COGNITO_GROUP } from '../srp-group.ts';
import { answerSrpAWithPrivateValue } from '../srp-server.ts';
import { computeVerifier } from '../verifier.ts';
import { createSeededRandom } from './seeded-random.ts';

/** All inputs of one login. */
export interface SrpCase {
  readonly identity: SrpIdentity;
  readonly password: string;
  readonly aHex: string;
  readonly bHex: string;
  readonly saltHex: string;
}

/** The values of one login that both implementations must agree on. */
interface SrpOutcome {
  readonly srpAHex: string;
  readonly uHex: string;
  readonly keyHex: string;
}

/** Computes `count` random logins with both implementations and names each value that differs. The same seed gives the same logins. */
export function compareWithAmazon(engine: SrpEngine, seed: string, count: number): readonly string[] {
  return createRandomCases(seed, count).flatMap((srpCase, i) =>
    listDisagreements(engine, srpCase).map((value) => `case ${i} of seed ${seed}: ${value}`),
  );
}

/** In one of eight cases, the private value `a` has 1024 bits, as in Amazon's client. The others have 256 bits. */
export function createRandomCases(seed: string, count: number): readonly SrpCase[] {
  const random = createSeededRandom(seed);
  const drawHex = (bytes: number): string => hexFromInteger(integerFromBytes(random(bytes)));
  return Array.from({ length: count }, (_, i) => ({
    identity: { poolName: `Pool${drawHex(4)}`, userIdForSrp: `user-${drawHex(8)}` },
    password: `Pässword-${drawHex(6)}`,
    aHex: drawHex(i % 8 === 0 ? 128 : 32),
    bHex: drawHex(32),
    saltHex: drawHex(16),
  }));
}

/** Names the values in which our client or server differs from Amazon's client. */
export function listDisagreements(engine: SrpEngine, srpCase: SrpCase): readonly string[] {
  const { verifier, srpBHex, ours, serverKeyHex } = computeWithOurs(engine, srpCase);
  const amazon = computeWithAmazon(srpCase, srpBHex);
  const names = (['srpAHex', 'uHex', 'keyHex'] as const).filter((name) => ours[name] !== amazon[name]);
  return verifier.length === COGNITO_GROUP.lengthBytes && serverKeyHex === amazon.keyHex
    ? names
    : [...names, 'server key'];
}

/** Computes one login with our client and our server. */
export function computeWithOurs(engine: SrpEngine, srpCase: SrpCase) {
  const { identity, password, aHex, bHex, saltHex } = srpCase;
  const hash = hashPassword(engine, identity, password);
  const verifier = computeVerifier({ engine, saltHex, passwordHash: hash });
  const start = startClientWithPrivateValue({ engine, aHex });
  const { srpAHex } = start;
  const { srpBHex, key: serverKey } = answerSrpAWithPrivateValue({ engine, srpAHex, bHex, verifier });
  const [A, B] = [srpAHex, srpBHex].map((hex) => integerFromHex(hex, 'public value', 768)) as [bigint, bigint];
  const u = computeScramblingParameter(engine, A, B);
  const key = finishClient({ engine, ...start, srpBHex, saltHex, passwordHash: hash });
  const ours: SrpOutcome = { srpAHex, uHex: hexFromInteger(u), keyHex: toHex(key) };
  return { verifier, srpBHex, ours, serverKeyHex: toHex(serverKey) };
}

interface AmazonInteger {
  toString(radix: 16): string;
}

interface AmazonHelper {
  poolName: string;
  smallAValue: AmazonInteger;
  largeAValue: AmazonInteger | undefined;
  UValue: AmazonInteger;
  getLargeAValue(done: (error: unknown, A: AmazonInteger) => void): void;
  getPasswordAuthenticationKey(
    user: string,
    password: string,
    B: AmazonInteger,
    salt: AmazonInteger,
    done: (error: unknown, key: Uint8Array) => void,
  ): void;
  generateHashDevice(deviceGroupKey: string, deviceKey: string, done: (error: unknown) => void): void;
  getRandomPassword(): string;
  getSaltDevices(): string;
  getVerifierDevices(): string;
}

/** The helper has no typed entry point, and the package is CommonJS. */
const require = createRequire(import.meta.url);
const { default: Helper } = require('amazon-cognito-identity-js/lib/AuthenticationHelper.js') as {
  default: new (poolName: string) => AmazonHelper;
};
const { default: Integer } = require('amazon-cognito-identity-js/lib/BigInteger.js') as {
  default: new (hex: string, radix: 16) => AmazonInteger;
};

/** Computes one login with Amazon's client, with the case's private value instead of a random one. */
function computeWithAmazon(srpCase: SrpCase, srpBHex: string): SrpOutcome {
  const { identity, password, aHex, saltHex } = srpCase;
  const helper = createAmazonHelper();
  helper.poolName = identity.poolName;
  helper.smallAValue = new Integer(aHex, 16);
  helper.largeAValue = undefined;
  const A = runSync<AmazonInteger>((done) => helper.getLargeAValue(done));
  const [B, salt] = [new Integer(srpBHex, 16), new Integer(saltHex, 16)];
  const key = runSync<Uint8Array>((done) =>
    helper.getPasswordAuthenticationKey(identity.userIdForSrp, password, B, salt, done),
  );
  return { srpAHex: A.toString(16), uHex: helper.UValue.toString(16), keyHex: toHex(key) };
}

let helper: AmazonHelper | undefined;

/** Creating a helper costs an exponentiation, so all cases share one. */
export function createAmazonHelper(): AmazonHelper {
  helper ??= new Helper('any');
  return helper;
}

/** The helper calls its callbacks before it returns. */
function runSync<T>(run: (done: (error: unknown, value: T) => void) => void): T {
  let result: { error: unknown; value: T } | undefined;
  run((error, value) => {
    result = { error, value };
  });
  if (!result) throw new Error('the helper did not call back');
  if (result.error) throw result.error;
  return result.value;
}
