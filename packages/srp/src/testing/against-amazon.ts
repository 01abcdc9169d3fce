import { createRequire } from 'node:module';
import { toHex } from '../bytes.ts';
import { finishClient, startClientFrom } from '../client.ts';
import type { SrpEngine } from '../engine.ts';
import { COGNITO_GROUP } from '../group.ts';
import { hexFromInteger, integerFromBytes, integerFromHex } from '../integer.ts';
import { scramblingParameter } from '../math.ts';
import { passwordHash, type SrpIdentity } from '../password.ts';
import { answerSrpAWith } from '../server.ts';
import { verifierFor } from '../verifier.ts';
import { seededRandom } from './seeded-random.ts';

/** Everything that fixes one login. */
export interface SrpCase {
  readonly identity: SrpIdentity;
  readonly password: string;
  readonly aHex: string;
  readonly bHex: string;
  readonly saltHex: string;
}

/** The values of one login that both sides of the comparison must find. */
interface SrpOutcome {
  readonly srpAHex: string;
  readonly uHex: string;
  readonly keyHex: string;
}

/** Computes `count` random logins, the same for the same seed, in both ways and names each value that differs. */
export function compareWithAmazon(engine: SrpEngine, seed: string, count: number): readonly string[] {
  return randomCases(seed, count).flatMap((srpCase, i) =>
    disagreements(engine, srpCase).map((value) => `case ${i} of seed ${seed}: ${value}`),
  );
}

/** One in eight draws a as long as Amazon's client does (1024 bits), the others 256 bits. */
export function randomCases(seed: string, count: number): readonly SrpCase[] {
  const random = seededRandom(seed);
  const drawHex = (bytes: number): string => hexFromInteger(integerFromBytes(random(bytes)));
  return Array.from({ length: count }, (_, i) => ({
    identity: { poolName: `Pool${drawHex(4)}`, userIdForSrp: `user-${drawHex(8)}` },
    password: `Pässword-${drawHex(6)}`,
    aHex: drawHex(i % 8 === 0 ? 128 : 32),
    bHex: drawHex(32),
    saltHex: drawHex(16),
  }));
}

/** The names of the values in which our client or server differs from Amazon's client. */
export function disagreements(engine: SrpEngine, srpCase: SrpCase): readonly string[] {
  const { verifier, srpBHex, ours, serverKeyHex } = computeOurs(engine, srpCase);
  const amazon = computeAmazon(srpCase, srpBHex);
  const names = (['srpAHex', 'uHex', 'keyHex'] as const).filter((name) => ours[name] !== amazon[name]);
  return verifier.length === COGNITO_GROUP.lengthBytes && serverKeyHex === amazon.keyHex
    ? names
    : [...names, 'server key'];
}

/** One login by our client and our server. */
export function computeOurs(engine: SrpEngine, srpCase: SrpCase) {
  const { identity, password, aHex, bHex, saltHex } = srpCase;
  const hash = passwordHash(engine, identity, password);
  const verifier = verifierFor({ engine, saltHex, passwordHash: hash });
  const start = startClientFrom({ engine, aHex });
  const { srpAHex } = start;
  const { srpBHex, key: serverKey } = answerSrpAWith({ engine, srpAHex, bHex, verifier });
  const [A, B] = [srpAHex, srpBHex].map((hex) => integerFromHex(hex, 'public value', 768)) as [bigint, bigint];
  const u = scramblingParameter(engine, A, B);
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

/** The helper has no typed entry point of its own, and the package is CommonJS. */
const require = createRequire(import.meta.url);
const { default: Helper } = require('amazon-cognito-identity-js/lib/AuthenticationHelper.js') as {
  default: new (poolName: string) => AmazonHelper;
};
const { default: Integer } = require('amazon-cognito-identity-js/lib/BigInteger.js') as {
  default: new (hex: string, radix: 16) => AmazonInteger;
};

/** One login by Amazon's client, its random private value replaced by the case's. */
function computeAmazon(srpCase: SrpCase, srpBHex: string): SrpOutcome {
  const { identity, password, aHex, saltHex } = srpCase;
  const helper = amazonHelper();
  helper.poolName = identity.poolName;
  helper.smallAValue = new Integer(aHex, 16);
  helper.largeAValue = undefined;
  const A = settled<AmazonInteger>((done) => helper.getLargeAValue(done));
  const [B, salt] = [new Integer(srpBHex, 16), new Integer(saltHex, 16)];
  const key = settled<Uint8Array>((done) =>
    helper.getPasswordAuthenticationKey(identity.userIdForSrp, password, B, salt, done),
  );
  return { srpAHex: A.toString(16), uHex: helper.UValue.toString(16), keyHex: toHex(key) };
}

let helper: AmazonHelper | undefined;

/** Making a helper costs an exponentiation, so one serves all cases. */
export function amazonHelper(): AmazonHelper {
  helper ??= new Helper('any');
  return helper;
}

/** The helper's callbacks are called before it returns. */
function settled<T>(run: (done: (error: unknown, value: T) => void) => void): T {
  let result: { error: unknown; value: T } | undefined;
  run((error, value) => {
    result = { error, value };
  });
  if (!result) throw new Error('the helper did not call back');
  if (result.error) throw result.error;
  return result.value;
}
