import {
  COGNITO_GROUP,
  integerFromBytes,
  integerFromHex,
  passwordClaim,
  secureRandom,
  startClient,
  verifyClaim,
} from '../../packages/srp/src/index.ts';
import { openSslEngine as engine } from '../../packages/srp/src/openssl.ts';
import type { Scenario } from '../rig/scenario.ts';
import { createTimedContender, TIMED_METRICS } from '../rig/timed-contender.ts';
import {
  answerWithFixedB,
  CLAIM,
  createBareExponentiation,
  PASSWORD_HASH,
  requireAccepted,
  SRP_B_HEX,
  STORED,
} from './srp-login.ts';

const PAIR = 'ours: answer and check';
const BARE = 'three bare exponentiations';

/** Both requests of a login, without HTTP and store: the response to `SRP_A`, then the check of a finished signature. */
function preparePair(): Promise<() => boolean> {
  const client = startClient({ engine, random: secureRandom });
  const { srpAHex } = client;
  const challenge = { engine, srpBHex: SRP_B_HEX, saltHex: STORED.saltHex, passwordHash: PASSWORD_HASH };
  const signatureB64 = passwordClaim({ ...challenge, ...client, ...CLAIM });
  requireAccepted({ srpAHex, signatureB64 });
  return Promise.resolve(() => {
    const { key } = answerWithFixedB(srpAHex);
    if (!verifyClaim(engine, key, CLAIM, signatureB64)) throw new Error('the proof was refused');
    return true;
  });
}

/** g^b, v^u and (A·v^u)^b with exponents of 256 bits. */
export function prepareThreeExponentiations(): () => void {
  const exponent = secureRandom(32);
  exponent[0] = 0xff;
  const v = integerFromBytes(STORED.verifier);
  const B = integerFromHex(SRP_B_HEX, 'SRP_B', 2 * COGNITO_GROUP.lengthBytes);
  const powers = [COGNITO_GROUP.generator, v, B].map((base) => createBareExponentiation(base, exponent));
  return () => {
    for (const power of powers) power();
  };
}

/** g^x, the cost of a plain password. */
export function prepareOneExponentiation(): () => void {
  const exponent = secureRandom(32);
  exponent[0] = 0xff;
  return createBareExponentiation(COGNITO_GROUP.generator, exponent);
}

/** What the server adds to the minimum of arithmetic. */
export const srpServer: Scenario = {
  name: 'srp-server',
  title: 'SRP server: both steps of one login',
  metrics: TIMED_METRICS,
  contenders: [
    createTimedContender(PAIR, preparePair),
    createTimedContender(BARE, () => Promise.resolve(prepareThreeExponentiations())),
  ],
  goals: [
    {
      text: `${PAIR} / ${BARE}`,
      ratio: (median) => median(PAIR, 'cpuMs') / median(BARE, 'cpuMs'),
      bound: { atMost: 1.12 },
    },
  ],
};
