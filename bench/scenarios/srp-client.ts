import { createHmac } from 'node:crypto';
import { createRequire } from 'node:module';
import {
  bigIntEngine,
  COGNITO_GROUP,
  claimMessage,
  passwordClaim,
  passwordHash,
  type SrpEngine,
  secureRandom,
  startClient,
} from '../../packages/srp/src/index.ts';
import { openSslEngine } from '../../packages/srp/src/openssl.ts';
import type { Scenario } from '../rig/scenario.ts';
import { createTimedContender, TIMED_METRICS } from '../rig/timed-contender.ts';
import { CLAIM, type ClientProof, IDENTITY, PASSWORD, requireAccepted, SRP_B_HEX, STORED } from './srp-login.ts';

/** Peers are CommonJS, and their declarations do not match. */
const load = createRequire(import.meta.url);

/** Each contender draws a, computes A, and computes the signature from the password, like a client in one login. */
function createProvedClient(name: string, prove: () => ClientProof) {
  return createTimedContender(name, () => {
    requireAccepted(prove());
    return Promise.resolve(prove);
  });
}

function prepareOurClient(engine: SrpEngine): () => ClientProof {
  return () => {
    const start = startClient({ engine, random: secureRandom });
    const hash = passwordHash(engine, IDENTITY, PASSWORD);
    const srpBHex = SRP_B_HEX;
    const challenge = { engine, srpBHex, saltHex: STORED.saltHex, passwordHash: hash };
    return { srpAHex: start.srpAHex, signatureB64: passwordClaim({ ...challenge, ...start, ...CLAIM }) };
  };
}

interface Integer {
  toString(radix: 16): string;
}

interface AmazonHelper {
  getLargeAValue(done: (error: unknown, A: Integer) => void): void;
  getPasswordAuthenticationKey(
    user: string,
    password: string,
    B: Integer,
    salt: Integer,
    done: (error: unknown, key: Uint8Array) => void,
  ): void;
}

/** The helper calls back before it returns. Its client computes the HMAC with another library; OpenSSL's is no slower. */
function prepareAmazonClient(): ClientProof {
  const { default: Helper } = load('amazon-cognito-identity-js/lib/AuthenticationHelper.js') as {
    default: new (poolName: string) => AmazonHelper;
  };
  const { default: BigInteger } = load('amazon-cognito-identity-js/lib/BigInteger.js') as {
    default: new (hex: string, radix: 16) => Integer;
  };
  const helper = new Helper(IDENTITY.poolName);
  let proof: ClientProof | undefined;
  helper.getLargeAValue((_failure, A) => {
    const [B, salt] = [new BigInteger(SRP_B_HEX, 16), new BigInteger(STORED.saltHex, 16)];
    helper.getPasswordAuthenticationKey(IDENTITY.userIdForSrp, PASSWORD, B, salt, (_error, key) => {
      const signatureB64 = createHmac('sha256', key).update(claimMessage(CLAIM)).digest('base64');
      proof = { srpAHex: A.toString(16), signatureB64 };
    });
  });
  if (!proof) throw new Error('the helper did not call back');
  return proof;
}

interface HelperSession {
  readonly largeA: string;
  readonly timestamp: string;
  readonly passwordSignature: string;
}

interface CognitoSrpHelper {
  createSrpSession(username: string, password: string, poolId: string, isHashed: boolean): HelperSession;
  signSrpSession(session: HelperSession, response: unknown): HelperSession;
}

function prepareCognitoSrpHelper(): ClientProof {
  const { createSrpSession, signSrpSession } = load('cognito-srp-helper') as CognitoSrpHelper;
  const poolId = `us-east-1_${IDENTITY.poolName}`;
  const session = createSrpSession(IDENTITY.userIdForSrp, PASSWORD, poolId, false);
  const signed = signSrpSession(
    { ...session, timestamp: CLAIM.timestamp },
    {
      ChallengeName: 'PASSWORD_VERIFIER',
      ChallengeParameters: {
        SALT: STORED.saltHex,
        SRP_B: SRP_B_HEX,
        SECRET_BLOCK: CLAIM.secretBlockB64,
        USER_ID_FOR_SRP: IDENTITY.userIdForSrp,
      },
    },
  );
  return { srpAHex: signed.largeA, signatureB64: signed.passwordSignature };
}

interface TsSrp {
  SRPParameters: { new (group: { N: bigint; g: bigint }, hash: unknown): unknown; H: { SHA256: unknown } };
  SRPRoutines: new (parameters: unknown) => unknown;
  SRPClientSession: new (
    routines: unknown,
  ) => {
    step1(user: string, password: string): Promise<{ step2(salt: bigint, B: bigint): Promise<TsSrpProof> }>;
  };
  SRPServerSession: new (
    routines: unknown,
  ) => {
    step1(user: string, salt: bigint, verifier: bigint): Promise<TsSrpServer>;
  };
  createVerifierAndSalt(
    routines: unknown,
    user: string,
    password: string,
  ): Promise<{ readonly s: bigint; readonly v: bigint }>;
}

interface TsSrpProof {
  readonly A: bigint;
  readonly M1: bigint;
}

interface TsSrpServer {
  readonly B: bigint;
  step2(A: bigint, M1: bigint): Promise<bigint>;
}

/** SRP-6a in its own form, which Cognito does not understand, in Cognito's group. Its own server checks the proof. */
async function prepareTsSrp(): Promise<() => Promise<TsSrpProof>> {
  const { SRPParameters, SRPRoutines, SRPClientSession, SRPServerSession, createVerifierAndSalt } = load(
    'tssrp6a',
  ) as TsSrp;
  const group = { N: COGNITO_GROUP.modulus, g: COGNITO_GROUP.generator };
  const routines = new SRPRoutines(new SRPParameters(group, SRPParameters.H.SHA256));
  const { userIdForSrp } = IDENTITY;
  const { s, v } = await createVerifierAndSalt(routines, userIdForSrp, PASSWORD);
  const server = await new SRPServerSession(routines).step1(userIdForSrp, s, v);
  const prove = async (): Promise<TsSrpProof> => {
    const first = await new SRPClientSession(routines).step1(userIdForSrp, PASSWORD);
    return first.step2(s, server.B);
  };
  const { A, M1 } = await prove();
  await server.step2(A, M1);
  return prove;
}

const AMAZON = 'amazon-cognito-identity-js';
const OURS_BIGINT = 'ours, BigInt';
const OURS_OPENSSL = 'ours, OpenSSL';

/** The complete computation of a client in one login. */
export const srpClient: Scenario = {
  name: 'srp-client',
  title: 'SRP client: a, A and the signature of one login',
  metrics: TIMED_METRICS,
  contenders: [
    createProvedClient(OURS_OPENSSL, prepareOurClient(openSslEngine)),
    createProvedClient(OURS_BIGINT, prepareOurClient(bigIntEngine)),
    createProvedClient(AMAZON, prepareAmazonClient),
    createProvedClient('cognito-srp-helper', prepareCognitoSrpHelper),
    createTimedContender('tssrp6a', prepareTsSrp),
  ],
  goals: [
    {
      text: `${AMAZON} / ${OURS_BIGINT}`,
      ratio: (median) => median(AMAZON, 'cpuMs') / median(OURS_BIGINT, 'cpuMs'),
      bound: { atLeast: 24 },
    },
    {
      text: `${AMAZON} / ${OURS_OPENSSL}`,
      ratio: (median) => median(AMAZON, 'cpuMs') / median(OURS_OPENSSL, 'cpuMs'),
      bound: { atLeast: 90 },
    },
  ],
};
