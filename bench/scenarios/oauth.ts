import { createSignatureProgram, fillWithSignatures } from '../peers/fastify-signature-program.ts';
import { createOidcProviderProgram, fillOidcProvider } from '../peers/oidc-provider.ts';
import { fillForCodes, fillForMachines, oauthProgram } from '../peers/poolgate-oauth.ts';
import type { Median, Metric, Scenario } from '../rig/scenario.ts';
import { CLIENTS, createServerContender, LOGIN_METRICS } from './login-server.ts';

const CODE = 'Poolgate, code grant';
const PEER = 'oidc-provider, code grant';
const MACHINE = 'Poolgate, client_credentials';
const SIGNATURE = 'Fastify with one RS256 signature';

const createCpuGoal = (contender: string, other: string, atLeast: number) => ({
  text: `${contender} / ${other}, grants per CPU-second`,
  ratio: (median: Median) => median(contender, 'perCpuSecond') / median(other, 'perCpuSecond'),
  bound: { atLeast },
});

const METRICS: readonly Metric[] = LOGIN_METRICS.map((metric) =>
  metric.key === 'perSecond' ? { ...metric, heading: 'grants/s' } : metric,
);

/**
 * The requests of applications and machines: the browser of a signed-in user passes through authorize and returns with a code for tokens.
 */
export const oauth: Scenario = {
  name: 'oauth',
  title: `OAuth, ${CLIENTS} clients, database on a file with full durability`,
  metrics: METRICS,
  contenders: [
    createServerContender({ name: CODE, drive: 'code-grant', program: oauthProgram, fill: fillForCodes }),
    createServerContender({
      name: PEER,
      drive: 'code-grant',
      program: createOidcProviderProgram,
      fill: fillOidcProvider,
      note: 'stores codes, grants and tokens in a file with full durability, one commit for each; no limits, no audit log, no revocation of logins',
    }),
    createServerContender({
      name: MACHINE,
      drive: 'client-credentials',
      program: oauthProgram,
      fill: fillForMachines,
    }),
    createServerContender({
      name: SIGNATURE,
      drive: 'client-credentials',
      program: createSignatureProgram,
      fill: fillWithSignatures,
      note: 'knows no client, and stores nothing',
    }),
  ],
  goals: [createCpuGoal(CODE, PEER, 1.3), createCpuGoal(MACHINE, SIGNATURE, 0.75)],
};
