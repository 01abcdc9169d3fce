import { fileURLToPath } from 'node:url';
import type { Target } from '../load/drive.ts';
import type { DriveName } from '../load/drives.ts';
import { fillPoolgate, poolgateProgram } from '../peers/poolgate.ts';
import type { Contender, ContenderEnvironment, Scenario } from '../rig/scenario.ts';
import { findFreePort, type Program, startServer } from '../rig/server.ts';
import { CLIENTS, createAccounts, LOGIN_METRICS, loadRound, USERS } from './login-server.ts';

const GATEWAY = 'Poolgate backed by Cognito, routes';
const BARE = 'the same SDK calls, bare';

/** A program in front of a pool with Cognito's protocol. */
interface InFront {
  readonly name: string;
  readonly drive: DriveName;
  program(folder: string, pool: Required<Target>): Promise<Program>;
}

/** The pool is a separate process, whose CPU time does not count. */
function createFrontContender({ name, drive, program }: InFront): Contender {
  return {
    name,
    async open(stage: ContenderEnvironment) {
      const pool = await startServer(await poolgateProgram(stage.newFolder()));
      const filled = await fillPoolgate(pool.url, createAccounts(USERS));
      const running = await startServer(await program(stage.newFolder(), filled as Required<Target>));
      const target = { ...filled, url: running.url };
      const round = (seconds: number) => loadRound(stage, running, { drive, target, seconds });
      await round(stage.durations.warmUpSeconds);
      return {
        pids: [running.pid, pool.pid],
        round: () => round(stage.durations.roundSeconds),
        async close() {
          await running.stop();
          await pool.stop();
        },
      };
    },
  };
}

async function createGatewayProgram(folder: string, { url, userPoolId, clientId }: Required<Target>): Promise<Program> {
  const program = await poolgateProgram(folder);
  const environment = {
    ...program.environment,
    IDP_PROVIDER: 'cognito',
    IDP_ENDPOINT: url,
    IDP_USER_POOL_ID: userPoolId,
    IDP_CLIENT_ID: clientId,
    // The gateway is faster than Cognito's limit of 60 logins a second, which it would otherwise keep.
    IDP_QUOTA_PERCENT: '10000',
  };
  return { ...program, environment };
}

async function createBareProgram(folder: string, { url }: Required<Target>): Promise<Program> {
  const port = await findFreePort();
  return {
    words: [fileURLToPath(import.meta.resolve('../../e2e/proofs/bare-sdk.ts'))],
    folder,
    environment: { PORT: String(port), ENDPOINT: url },
    readyPath: '/',
    port,
  };
}

/** What the gateway adds to the SDK calls that every service on Cognito needs. */
export const cognitoGateway: Scenario = {
  name: 'cognito-gateway',
  title: `SRP logins before a pool that is reached by Cognito's protocol, ${CLIENTS} clients, ${USERS} users`,
  metrics: LOGIN_METRICS,
  contenders: [
    createFrontContender({ name: GATEWAY, drive: 'srp-routes', program: createGatewayProgram }),
    createFrontContender({ name: BARE, drive: 'srp-wire', program: createBareProgram }),
  ],
  goals: [
    {
      text: `${GATEWAY} / ${BARE}, CPU per login`,
      ratio: (median) => median(BARE, 'perCpuSecond') / median(GATEWAY, 'perCpuSecond'),
      bound: { atMost: 1.3 },
    },
  ],
};
