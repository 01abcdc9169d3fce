import { generateKeyPairSync, sign } from 'node:crypto';
import { verifyAuthenticationResponse } from '@simplewebauthn/server';
import { encodeCbor } from '../../packages/pool/src/testing/encode-cbor.ts';
import { SoftwareAuthenticator, toCoseKey } from '../../packages/pool/src/testing/software-authenticator.ts';
import { fillWithPasskeys, poolgateProgram } from '../peers/poolgate.ts';
import type { Median, Scenario } from '../rig/scenario.ts';
import { createTimedContender } from '../rig/timed-contender.ts';
import { CLIENTS, createServerContender, LOGIN_METRICS } from './login-server.ts';

const ORIGIN = 'http://localhost:3000';
const RP_ID = 'localhost';

/** The library's verification of one assertion, repeated. */
function prepareBareVerification(): () => Promise<void> {
  const authenticator = new SoftwareAuthenticator({ origin: ORIGIN, counts: false });
  const challenge = Buffer.alloc(32, 7).toString('base64url');
  authenticator.register({ challenge, rp: { id: RP_ID }, user: { id: 'AAAA' } });
  const { latest } = authenticator;
  const { authenticatorAttachment: _, ...response } = authenticator.assert({ challenge, rpId: RP_ID });
  const credential = { id: latest.id, publicKey: new Uint8Array(encodeCbor(toCoseKey(latest))), counter: 0 };
  return async () => {
    const { verified } = await verifyAuthenticationResponse({
      response: { ...response, type: 'public-key' },
      expectedChallenge: challenge,
      expectedOrigin: ORIGIN,
      expectedRPID: RP_ID,
      credential,
      requireUserVerification: true,
    });
    if (!verified) throw new Error('the assertion must verify');
  };
}

/** The same with the signatures of the tokens: the minimum of every passkey login. */
function prepareWithTokens(): () => Promise<void> {
  const verify = prepareBareVerification();
  const { privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 });
  const payload = Buffer.alloc(800, 'x');
  return async () => {
    await verify();
    sign('sha256', payload, privateKey);
    sign('sha256', payload, privateKey);
  };
}

const createPreparedContender = (make: () => () => Promise<void>) => async (): Promise<() => Promise<void>> => {
  const once = make();
  await once();
  return once;
};

const BARE = '@simplewebauthn/server alone';
const FLOOR = 'floor: @simplewebauthn/server, 2 RS256';
const PASSKEY = 'Poolgate passkey, routes';

const createCpuGoal = (other: string, atLeast: number) => ({
  text: `${PASSKEY} / ${other}, per CPU-second`,
  ratio: (median: Median) => median(PASSKEY, 'perCpuSecond') / median(other, 'perCpuSecond'),
  bound: { atLeast },
});

/** Passkey logins over HTTP, compared with the verification in the library that they use. */
export const passkeys: Scenario = {
  name: 'passkeys',
  title: `Logins with a passkey over HTTP, ${CLIENTS} clients, database on a file with full durability`,
  metrics: LOGIN_METRICS,
  contenders: [
    createTimedContender(BARE, createPreparedContender(prepareBareVerification)),
    createTimedContender(FLOOR, createPreparedContender(prepareWithTokens)),
    createServerContender({
      name: PASSKEY,
      drive: 'passkey-login',
      program: poolgateProgram,
      fill: fillWithPasskeys,
    }),
  ],
  goals: [createCpuGoal(BARE, 0.12), createCpuGoal(FLOOR, 0.4)],
};
