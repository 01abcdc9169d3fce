import { fork } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { availableParallelism, tmpdir } from 'node:os';
import { join } from 'node:path';
import { anonymousBytes, excessiveStorage } from '../../e2e/proofs/anonymous-bytes.ts';
import { sendBadRequests } from '../../e2e/proofs/bad-requests.ts';
import { codeRaces } from '../../e2e/proofs/code-races.ts';
import { forwardAuthBehind } from '../../e2e/proofs/forward-auth.ts';
import { killRounds } from '../../e2e/proofs/kills.ts';
import { lockOut } from '../../e2e/proofs/lock-out.ts';
import { messageCrashes } from '../../e2e/proofs/message-crashes.ts';
import type { ModelRuns } from '../../e2e/proofs/model.ts';
import { preHijacks } from '../../e2e/proofs/pre-hijack.ts';
import { providerFaults } from '../../e2e/proofs/provider-faults.ts';
import { races } from '../../e2e/proofs/races.ts';
import { sessionIds } from '../../e2e/proofs/session-ids.ts';
import { sessionRefreshes } from '../../e2e/proofs/session-refreshes.ts';
import { ticketThefts } from '../../e2e/proofs/ticket-thefts.ts';
import { triggerLies } from '../../e2e/proofs/trigger-lies.ts';
import { whoExists } from '../../e2e/proofs/who-exists.ts';
import type { ApplicationProxy } from '../../e2e/support/proxies/application-proxies.ts';
import { startServiceProcess } from '../../e2e/support/services/service-process.ts';
import { bigIntEngine } from '../../packages/srp/src/index.ts';
import { openSslEngine } from '../../packages/srp/src/openssl.ts';
import { compareWithAmazon } from '../../packages/srp/src/testing/against-amazon.ts';
import { PERSISTENT_LOCATIONS, STORE_LOCATIONS } from '../../packages/store/src/testing/store-locations.ts';
import { formatTable } from './anonymous-table.ts';
import { proveApiLanguages } from './api-languages.ts';
import { proveAuditScale } from './audit-scale.ts';
import { proveClientBundles } from './client-bundles.ts';
import { proveDebianClients } from './debian-clients.ts';
import { findDebianProgram } from './debian-programs.ts';
import { proveDiskFaults } from './disk-faults.ts';
import { proveFailOvers } from './fail-overs.ts';
import { proveFederationProviders } from './federation-providers.ts';
import { proveBehindHaproxy } from './haproxy.ts';
import { proveHardships } from './hardships.ts';
import { proveInfrastructureTemplates } from './infrastructure-templates.ts';
import { proveBesideKeycloak } from './keycloak.ts';
import { proveLoginScale } from './login-scale.ts';
import { proveMailFlood } from './mail-flood.ts';
import type { PartReply } from './model-part.ts';
import { proveMoto } from './moto.ts';
import { proveNetworkFaults } from './network-faults.ts';
import { proveOAuthClients } from './oauth-clients.ts';
import { proveOverload } from './overload.ts';
import { proveBehindPgBouncer } from './pgbouncer.ts';
import { provePlantedFaults } from './planted-faults/planted-faults.ts';
import { HELP } from './planted-faults/planted-faults-options.ts';
import { provePostgresRestarts } from './postgres-restarts.ts';
import { provePowerCuts } from './power-cuts.ts';
import type { Proof, ProofResult } from './proof.ts';
import { proveRestores } from './restores.ts';
import { proveReverseProxies } from './reverse-proxies.ts';
import { proveRollingRestarts } from './rolling-restarts.ts';
import { proveServerlessOffline } from './serverless-offline.ts';
import { provePerformanceAgainstVersion } from './side-by-side.ts';
import { proveSoak } from './soak.ts';
import { proveTestRunners } from './test-runners.ts';
import { measureUserPages } from './user-pages.ts';
import { proveVersionsTogether } from './versions-together.ts';

const CASES = 1_000;
const ATTACKED_HOURS = 24;
const ANONYMOUS_TIMES = 500;
const KILLS = 1_000;
const BAD_REQUESTS = 12_000;
const MESSAGE_CRASHES = 1_000;
const MODEL_RUNS = 10_000;
const MODEL_ACTS = 50;
const POWER_CUTS = 10_000;
const POWER_SECONDS = 20;
const LOGINS = 100_000;
const INSTANTS = 1_000;
const CODE_RACES = 10_000;
const RACES = 10_000;
const SPOILED_REPLIES = 10_000;
const LIES = 10_000;
const NAMES = 5_000;
/** The maximum ratio of a page's time over a million users to that over a thousand. */
const FLAT = 3;

/** Every proof, by the name that the command accepts. */
export const PROOFS: Readonly<Record<string, Proof>> = {
  'srp-vs-amazon': {
    claim: 'Our SRP agrees with unmodified amazon-cognito-identity-js in A, u and K, on client and server.',
    run: proveSrpAgainstAmazon,
  },
  kills: {
    claim: 'A kill -9 during logins and sign-ups loses nothing that was answered, and the file opens clean.',
    help: 'kills [rounds]: 1000 where nothing is said',
    run: proveKills,
  },
  keycloak: {
    claim:
      'A password login, a refresh and a machine token take less processor time than at a Keycloak on the same PostgreSQL.',
    help: 'keycloak [rounds]: 5 where nothing is said. KEYCLOAK names an unpacked distribution, else Maven fetches one; JAVA_HOME a JDK from 21 on',
    run: proveBesideKeycloak,
  },
  'power-cuts': {
    claim:
      'A power cut at any moment of logins and sign-ups loses nothing that was answered, and the file opens clean.',
    run: runPowerCutProof,
  },
  'bad-requests': {
    claim: 'No bad request is answered with a status of 500 or above, and every error is a problem of the contract.',
    run: proveBadRequests,
  },
  'message-crashes': {
    claim: 'A crash at any moment of sending sends no message twice, and none is lost without being given up visibly.',
    run: proveCrashes,
  },
  model: {
    claim: 'The service agrees with its model after every act of random logins, answers, changes and attacks.',
    help: 'model [runs]: how many sequences of 50 acts (default: 10000)',
    run: proveModel,
  },
  'session-ids': {
    claim: 'No id of many logins at two services comes twice, and nobody gets tokens of somebody else.',
    run: proveManyLogins,
  },
  'session-refreshes': {
    claim:
      'Tabs of a browser that have its session refreshed at the same instant at two services cause one refresh, and stay signed in.',
    run: proveConcurrentRefreshes,
  },
  'code-races': {
    claim:
      'Of those who come with one authorization code at the same instant at two services, one gets tokens, and they end with the others.',
    help: 'code-races [races]: 10000 where nothing is said',
    run: proveCodeRaces,
  },
  races: {
    claim:
      'Of those who present a secret that is good once at the same instant at two services, one gets what it is good for: sessions, refresh tokens, codes, tickets, recovery codes, steps of an authenticator, authorization codes, registrations, devices, passkeys.',
    help: 'races [number] [secrets]: how many races for each secret, 10000 where nothing is said; a regular expression of their names',
    run: proveSecretRaces,
  },
  'forward-auth': {
    claim:
      "The configurations of the guide, in Debian's nginx and Caddy, let in who is signed in, tell the application who it is, and keep forged headers and the service's cookies from it.",
    run: proveProxies,
  },
  'ticket-thefts': {
    claim:
      "Behind Debian's nginx and Caddy no attacker signs in with the forward-auth ticket of a victim, wherever the victim's browser carries it, with and without the callback route of the guide.",
    run: proveTicketThefts,
  },
  'debian-clients': {
    claim:
      "Debian's mod_auth_openidc, with the configuration of the guide, and its authlib, with the guide's Python service, sign a user in, ask userInfo, renew and sign out.",
    help: 'debian-clients: needs the packages (apt-get install apache2 libapache2-mod-auth-openidc python3-authlib python3-requests)',
    run: proveDebianClients,
  },
  'federation-providers': {
    claim:
      'Users of oidc-provider, Dex and Keycloak sign in through the service, with their address, and stay the same user.',
    help: 'federation-providers [oidc-provider dex keycloak]: all where nothing is said. Dex needs Go; DEX names a checkout, else git clones one. Keycloak needs what the proof keycloak needs',
    run: proveFederationProviders,
  },
  'oauth-clients': {
    claim:
      'Clients of npm, PyPI, Go, Maven Central and Debian, as they are today, sign users in without changes; the table in docs/reference/oauth-conformance.md names them.',
    help: 'oauth-clients [npm python go java debian]: all where nothing is said, and then the table is written; needs Python, Go, Maven and the packages of debian-clients',
    run: proveOAuthClients,
  },
  moto: {
    claim: "moto's tests of Cognito that its authors verified on AWS pass, with boto3 and pycognito.",
    help: 'moto [checkout]: needs Python, git and the network; a checkout of getmoto/moto saves the clone',
    run: proveMoto,
  },
  'api-languages': {
    claim: 'The APIs of the guide in Python and Go accept an access token, and refuse every other request.',
    help: 'api-languages: needs Go, and a Python with flask and pyjwt[crypto]; PYTHON names it',
    run: proveApiLanguages,
  },
  'reverse-proxies': {
    claim:
      "Behind Debian's nginx and Caddy with the configurations of the guide, the service answers for its host, and takes no address that a client has forged.",
    run: proveReverseProxies,
  },
  'client-bundles': {
    claim: 'The packed client logs in by its worker, bundled by Vite, webpack and esbuild, and without a bundler.',
    run: proveClientBundles,
  },
  'provider-faults': {
    claim:
      'Whatever Cognito answers, the service answers 502, 503 or 504 or what the contract says, tells none of its words, and goes on.',
    run: proveSpoiledReplies,
  },
  'trigger-lies': {
    claim:
      'Whatever the function before the tokens answers, a login ends with tokens or by the errors that the contract has for it, and nobody else notices.',
    help: 'trigger-lies [number]: how many wrong answers of the trigger (default: 10000)',
    run: proveCorruptTriggers,
  },
  'serverless-offline': {
    claim:
      'serverless-offline is a Lambda endpoint: the handlers of the example run in it unchanged, and give the same refusals and tokens as in the process.',
    run: proveServerlessOffline,
  },
  'infrastructure-templates': {
    claim:
      'Every property of the constructs of the CDK and of Amplify, in 56 stacks, is what the SDK describes after `poolgate apply`, and a second apply changes nothing. A stack of ten resources is applied in less than two seconds.',
    help: 'A folder with aws-cdk-lib and constructs installed, to save the installation of some minutes.',
    run: proveInfrastructureTemplates,
  },
  'test-runners': {
    claim:
      'The fixtures of poolgate/test-pools work in node:test, Vitest, Jest and Playwright: every test begins with the same pool, whatever the others changed.',
    run: proveTestRunners,
  },
  'lock-out': {
    claim:
      'One address that sends four requests a minute against one user for a day keeps the user from no login and no password reset, and the guesses of all networks together are limited.',
    help: 'lock-out [hours]: 24 by default, by the clock of the service',
    run: proveUserLockout,
  },
  'mail-flood': {
    claim:
      'A flood of 100,000 requests for reset codes from 1,000 networks, half of which name users, keeps none of 50 other users from resetting their passwords, and is answered alike for users and for names that nobody has.',
    help: 'mail-flood [requests]: 100000 by default, each hundred from a network of its own',
    run: proveMailFlood,
  },
  'anonymous-bytes': {
    claim:
      'An anonymous request leaves a kilobyte at most and nothing after a day, but for registrations and a bounded number of events.',
    run: proveAnonymousRows,
  },
  'user-pages': {
    claim: 'A page of users, and a search, take as long over a million users as over a thousand.',
    run: proveUserPages,
  },
  'pre-hijack': {
    claim:
      'After the owner of an address confirmed it, by the routes, the link or the pages, nothing of a registration that a stranger made before works: not its password, its contacts or its attributes.',
    help: 'pre-hijack [number]: how many registrations for each entry, 200 where nothing is said',
    run: provePreRegistration,
  },
  'who-exists': {
    claim:
      'No time of an answer tells whether a name is a user’s: the 99 % interval (block bootstrap) of the area under the ROC curve, names that nobody has against users, contains 0.5, at the second measurement if not at the first; this area and that of users against other users between the same requests lie within 0.48 and 0.52.',
    run: proveNameTiming,
  },
  pgbouncer: {
    claim: 'Behind PgBouncer in transaction mode, with its default settings, everything that the store must do holds.',
    help: 'pgbouncer [test files]: needs the program (Debian: apt-get install pgbouncer); PGBOUNCER names it where it is not on the path',
    run: proveBehindPgBouncer,
  },
  'disk-faults': {
    claim:
      'On a disk that is full, read-only or broken requests are answered 503 and nothing else, the service says that it is not ready and lives, writes go through within five seconds of its mending, nothing that was acknowledged is lost, and a damaged file is never opened without its users.',
    help: 'disk-faults [rounds of each fault] [damaged images]: 50 and 200 where nothing is said; needs root and strace',
    run: proveDiskFaults,
  },
  'network-faults': {
    claim:
      'While the line to PostgreSQL stalls, is reset or trickles every request is answered in a bounded time, by 503 where it cannot be served; nothing that was acknowledged is lost, and the service needs no help afterwards.',
    help: 'network-faults [rounds]: 10 where nothing is said',
    run: proveNetworkFaults,
  },
  overload: {
    claim:
      'At five times the rate that it can answer a service answers 85 % of what it can, refuses the rest by 503, and reports its health within 100 ms.',
    help: 'overload [seconds]: 20 where nothing is said; wants a machine that does nothing else',
    run: proveOverload,
  },
  soak: {
    claim: 'A service that is used for long does not grow: not its heap, not its handles, no table that is swept.',
    help: 'soak [minutes]: 30 where nothing is said; heap and tables are judged from 30 minutes on',
    run: proveSoak,
  },
  'side-by-side': {
    claim: 'No request costs more of the processor than it does in another tree of this project.',
    help: 'side-by-side <folder> [folder]: of a clone at another commit, after npm ci and npm --prefix bench ci there, and of the clone to compare with it, this tree where nothing is said; wants a machine that does nothing else',
    run: provePerformanceAgainstVersion,
  },
  'login-scale': {
    claim:
      'A login among a million users takes a quarter more of the processor than one among a thousand at most, on both stores.',
    help: 'login-scale [numbers of users]: 1000 10000 100000 1000000 where nothing is said',
    run: proveLoginScale,
  },
  'audit-scale': {
    claim:
      'Pages of the audit log, and logins that write to it, take as long over a million events as over ten thousand, and each event takes so many bytes.',
    help: 'audit-scale [numbers of events]: up to 1000000 where nothing is said; 10000000 takes some GiB of disk',
    run: proveAuditScale,
  },
  hardships: {
    claim:
      'Slow clients, few file descriptors, little memory, and mail servers and webhooks that say nothing keep nobody else waiting, and end no service.',
    help: 'hardships [a regular expression of their names]: all where nothing is said',
    run: proveHardships,
  },
  'versions-together': {
    claim:
      'Two replicas of the last release are replaced by this version one after the other under load, on one PostgreSQL that the new version migrates below the old one, and no request fails.',
    help: 'versions-together [tag or commit]: the last release of the changelog (2.0.6) by default; git must know it',
    run: proveVersionsTogether,
  },
  haproxy: {
    claim: 'The suites over the routes pass at two replicas on PostgreSQL behind HAProxy.',
    help: 'haproxy [test files]: Debian’s program; where it is not installed (apt-get install haproxy) its package is unpacked below tmp/',
    run: proveBehindHaproxy,
  },
  restores: {
    claim:
      'Every backup that is made of a busy service on SQLite, at whatever moment, is restored to a service that logs in and has what was answered before.',
    help: 'restores [rounds]: 50 where nothing is said',
    run: proveRestores,
  },
  'postgres-restarts': {
    claim:
      'While PostgreSQL is restarted over and over under load, every other time as by a crash, requests are answered 503 and nothing else, what was acknowledged stays, and within two seconds of its return logins are answered.',
    help: 'postgres-restarts [rounds]: 100 where nothing is said',
    run: provePostgresRestarts,
  },
  'fail-overs': {
    claim:
      'When the primary ends under load and its standby takes its place, requests are answered 503 and nothing else, within ten seconds of the promotion two services log in again, what was acknowledged stays, and nothing is written to a primary that comes back.',
    help: 'fail-overs [rounds]: 20 where nothing is said, each on two clusters of its own',
    run: proveFailOvers,
  },
  'rolling-restarts': {
    claim:
      'Two replicas on PostgreSQL behind a load balancer that are restarted by SIGTERM one after the other, over and over, lose no request of clients that keep their connections.',
    help: 'rolling-restarts [rounds]: how often both are restarted, 20 where nothing is said',
    run: proveRollingRestarts,
  },
  'planted-faults': {
    claim:
      'Of the faults that rules plant into guards, login, challenges, operations, tokens, limits, messages, store, browser sessions, OAuth, triggers, users, SRP, the contract, the client and the elements, the tests of the package itself see 90 of 100, and each other one is argued.',
    help: HELP,
    run: (tell, words) => provePlantedFaults(words, tell),
  },
};

async function proveCodeRaces(tell: (line: string) => void, [number]: readonly string[]): Promise<ProofResult> {
  const { races, requests, winners, faults } = await codeRaces(Number(number ?? CODE_RACES), tell);
  return { figure: `${races} races of ${requests} requests: ${winners} winners; faults: ${faults.length}`, faults };
}

async function proveSecretRaces(tell: (line: string) => void, words: readonly string[]): Promise<ProofResult> {
  const [count = RACES, names = '.'] = words;
  const { secrets, requests, faults } = await races({ races: Number(count), names: new RegExp(names), tell });
  const rows = secrets.map(({ name, races: run, winners }) => `| ${name} | ${run} | ${winners} |\n`);
  const table = `\n\n| secret | races | winners |\n|---|---|---|\n${rows.join('')}`;
  return { figure: `${requests} requests at two services; faults: ${faults.length}.${table}`, faults };
}

async function proveAnonymousRows(tell: (line: string) => void): Promise<ProofResult> {
  const tables: string[] = [];
  const faults: string[] = [];
  for (const [name, makePlace] of Object.entries(PERSISTENT_LOCATIONS)) {
    const place = await makePlace();
    const found = await anonymousBytes(place.url, ANONYMOUS_TIMES, tell);
    await place.remove();
    tables.push(formatTable(name, found));
    faults.push(...excessiveStorage(found).map((fault) => `${name}: ${fault}`));
  }
  const figure = `each request ${ANONYMOUS_TIMES} times, each time with another invented name; bytes of values for each request, and what is left of them after a sweep; faults: ${faults.length}.`;
  return { figure: `${figure}\n\n${tables.join('\n\n')}`, faults };
}

async function proveManyLogins(tell: (line: string) => void): Promise<ProofResult> {
  const { logins, ids, faults } = await sessionIds(LOGINS, tell);
  return { figure: `${logins} logins, ${ids} ids; faults: ${faults.length}.`, faults };
}

async function proveUserLockout(tell: (line: string) => void, [hours]: readonly string[]): Promise<ProofResult> {
  const found = await lockOut({ hours: Number(hours ?? ATTACKED_HOURS), countsDaily: true, tell });
  const { logins, resets, requests, compared, daily, faults } = found;
  const attack = `${requests} requests of one address, of whose guesses ${compared.passwords} passwords and ${compared.codes} reset codes were compared`;
  const owner = `${logins} of ${found.hours} logins and ${resets} of ${found.hours} resets of the user succeeded`;
  const limit = `With a network for each guess, ${daily?.passwords} passwords and ${daily?.codes} codes without a session were compared in a day; a reset with its session and the login after it succeeded then`;
  return { figure: `${attack}; ${owner}. ${limit}; faults: ${faults.length}.`, faults };
}

async function proveConcurrentRefreshes(tell: (line: string) => void): Promise<ProofResult> {
  const { instants, requests, refreshes, faults } = await sessionRefreshes(INSTANTS, tell);
  return {
    figure: `${instants} instants, ${requests} requests, ${refreshes} refreshes; faults: ${faults.length}.`,
    faults,
  };
}

async function proveProxies(tell: (line: string) => void): Promise<ProofResult> {
  const faults: string[] = [];
  const counts: string[] = [];
  for (const [name, proxy] of await proveApplicationProxies()) {
    tell(name);
    const found = await forwardAuthBehind(proxy);
    counts.push(`${name}: ${found.checks} checks`);
    faults.push(...found.faults.map((fault) => `${name}: ${fault}`));
  }
  return { figure: `${counts.join(', ')}; faults: ${faults.length}.`, faults };
}

async function proveTicketThefts(tell: (line: string) => void): Promise<ProofResult> {
  const faults: string[] = [];
  const counts: string[] = [];
  for (const [name, proxy] of await proveApplicationProxies()) {
    tell(name);
    const found = await ticketThefts(proxy);
    counts.push(`${name}: ${found.tickets} tickets, ${found.shown} shown to the application, ${found.used} used`);
    faults.push(...found.faults.map((fault) => `${name}: ${fault}`));
  }
  return { figure: `${counts.join(', ')}; faults: ${faults.length}.`, faults };
}

async function proveApplicationProxies(): Promise<readonly (readonly [name: string, proxy: ApplicationProxy])[]> {
  return [
    ['nginx', { name: 'nginx', program: await findDebianProgram('nginx') }],
    ['caddy', { name: 'caddy', program: await findDebianProgram('caddy') }],
    ["requests of the shape of Traefik's", 'like-traefik'],
  ];
}

async function proveSpoiledReplies(tell: (line: string) => void): Promise<ProofResult> {
  const seed = Math.trunc(Date.now() / 1000);
  const { mutated, statuses, faults } = await providerFaults(seed, SPOILED_REPLIES, tell);
  const answered = Object.entries(statuses).map(([status, count]) => `${status}: ${count}`);
  return {
    figure: `${mutated} replies spoiled by seed ${seed}; ${answered.join(', ')}; faults: ${faults.length}.`,
    faults,
  };
}

async function proveCorruptTriggers(tell: (line: string) => void, [number]: readonly string[]): Promise<ProofResult> {
  const seed = Math.trunc(Date.now() / 1000);
  const { lies, statuses, faults } = await triggerLies(seed, Number(number ?? LIES), tell);
  const answered = Object.entries(statuses).map(([status, count]) => `${status}: ${count}`);
  return { figure: `${lies} lies of seed ${seed}; ${answered.join(', ')}; faults: ${faults.length}.`, faults };
}

async function provePreRegistration(
  tell: (line: string) => void,
  [times = '200']: readonly string[],
): Promise<ProofResult> {
  const { registrations, works, faults } = await preHijacks(Number(times), tell);
  return {
    figure: `${registrations} registrations by a stranger: ${works} of them worked; faults: ${faults.length}.`,
    faults,
  };
}

/** `WHO_EXISTS_TIMES` and `WHO_EXISTS_ACTS` (a regular expression of their names) shorten it; `WHO_EXISTS_DATABASE` names the store. */
async function proveNameTiming(tell: (line: string) => void): Promise<ProofResult> {
  const times = Number(process.env.WHO_EXISTS_TIMES ?? NAMES);
  const { WHO_EXISTS_ACTS: acts = '.', WHO_EXISTS_DATABASE: database = 'SQLite in memory' } = process.env;
  const place = await STORE_LOCATIONS[database]?.();
  if (place === undefined) throw new RangeError(`WHO_EXISTS_DATABASE: ${Object.keys(STORE_LOCATIONS).join(' or ')}`);
  const timings = await whoExists(times, tell, new RegExp(acts), place.url).finally(place.remove);
  const rows = timings.map(
    ({ act, answers, texts, repeated }) => `| ${[act, answers[0].join(), ...texts, repeated ? 2 : 1].join(' | ')} |\n`,
  );
  const faults = timings.filter(({ revealsUsers }) => revealsUsers).map(({ act }) => act);
  return {
    figure: [
      `${times} names of each kind, each asked once for each kind of request, in random order and in process, on ${database}; faults: ${faults.length}.`,
      `\n\n| request | answer | nobody against users | users against users | measured |\n|---|---|---|---|---|\n${rows.join('')}`,
    ].join(''),
    faults,
  };
}

async function proveUserPages(tell: (line: string) => void): Promise<ProofResult> {
  const figures = await measureUserPages(tell);
  const [least] = figures;
  const faults = figures.flatMap(({ users, firstMs, searchMs }) =>
    least !== undefined && (firstMs > FLAT * least.firstMs || searchMs > FLAT * least.searchMs)
      ? [`${users} users take ${firstMs} and ${searchMs} ms`]
      : [],
  );
  const told = figures.map(
    ({ users, firstMs, searchMs }) => `${users}: ${firstMs.toFixed(2)} and ${searchMs.toFixed(2)} ms`,
  );
  return { figure: `First page and search, by number of users: ${told.join('; ')}.`, faults };
}

/** In portions with separate seeds, so that a long run shows its progress. */
function proveSrpAgainstAmazon(tell: (line: string) => void): Promise<ProofResult> {
  const portion = 100;
  const engines = [openSslEngine, bigIntEngine];
  const faults: string[] = [];
  for (let done = 0; done < CASES; done += portion) {
    const engine = engines[(done / portion) % engines.length] ?? openSslEngine;
    faults.push(...compareWithAmazon(engine, `${crypto.randomUUID()} (${engine.name})`, portion));
    tell(`${done + portion} of ${CASES} cases`);
  }
  const figure = `${CASES} random logins, alternately with both engines: ${faults.length} values differ.`;
  return Promise.resolve({ figure, faults });
}

async function proveKills(
  _tell: (line: string) => void,
  [rounds = String(KILLS)]: readonly string[],
): Promise<ProofResult> {
  const {
    rounds: killed,
    loginsAnswered,
    signUpsAnswered,
    confirmationsAnswered,
    lost,
    unclean,
  } = await killRounds(Number(rounds));
  const answered = `${loginsAnswered} logins, ${signUpsAnswered} sign-ups, ${confirmationsAnswered} confirmations`;
  const figure = `${killed} kills; answered before: ${answered}; lost: ${lost.length}; unclean files: ${unclean.length}.`;
  return { figure, faults: [...lost, ...unclean] };
}

async function runPowerCutProof(tell: (line: string) => void): Promise<ProofResult> {
  const found = await provePowerCuts(POWER_CUTS, POWER_SECONDS, tell);
  const { images, writes, syncs, logins, signUps, faults, faultsWithoutSyncs } = found;
  const blind = faultsWithoutSyncs > 0 ? [] : ['the look found nothing where no sync counted'];
  const figure = `${images} images of cuts between ${writes} writes and ${syncs} syncs; answered: ${logins} logins, ${signUps} sign-ups; faults: ${faults.length}; with no sync counted: ${faultsWithoutSyncs}.`;
  return { figure, faults: [...faults, ...blind] };
}

async function proveBadRequests(): Promise<ProofResult> {
  const folder = mkdtempSync(join(tmpdir(), 'poolgate-bad-requests-'));
  const service = await startServiceProcess(folder);
  try {
    const seed = Math.trunc(Date.now() / 1000);
    const { sent, statuses, faults } = await sendBadRequests(service.url, seed, BAD_REQUESTS);
    const answered = Object.entries(statuses).map(([status, count]) => `${status}: ${count}`);
    return {
      figure: `${sent} bad requests of seed ${seed}; ${answered.join(', ')}; faults: ${faults.length}.`,
      faults,
    };
  } finally {
    await service.stop();
    rmSync(folder, { recursive: true });
  }
}

async function proveCrashes(tell: (line: string) => void): Promise<ProofResult> {
  const seed = Math.trunc(Date.now() / 1000);
  const extent = { rounds: MESSAGE_CRASHES, seed };
  const { messages, delivered, givenUp, faults } = await messageCrashes('sqlite::memory:', extent, tell);
  const figure = `${MESSAGE_CRASHES} crashes of seed ${seed}; ${messages} messages, ${delivered} delivered, ${givenUp} given up or in doubt; faults: ${faults.length}.`;
  return { figure, faults };
}

/** A run that contradicts the model ends its part: its shortest form is the fault. There is a part for each core, with separate seeds. */
async function proveModel(tell: (line: string) => void, [number]: readonly string[]): Promise<ProofResult> {
  const parts = availableParallelism();
  const share = Math.ceil(Number(number ?? MODEL_RUNS) / parts);
  const first = Math.trunc(Date.now() / 1000);
  const seeds = Array.from({ length: parts }, (_, part) => first + part * SEEDS_OF_A_PART);
  const replies = await Promise.all(seeds.map((seed) => runModelPart(share, seed, tell)));
  const found = replies.flatMap((reply) => ('found' in reply ? [reply.found] : []));
  const sum = (of: (runs: ModelRuns) => number): number => found.reduce((total, runs) => total + of(runs), 0);
  const missed = (found[0]?.missed ?? []).filter((id) => found.every((runs) => runs.missed.includes(id)));
  const contradictions = replies.flatMap((reply) => ('contradiction' in reply ? [reply.contradiction] : []));
  return {
    figure: `${sum(({ runs }) => runs)} runs of ${sum(({ acts }) => acts)} acts, seeds ${seeds.join(', ')}; contradictions: ${contradictions.length}; rows of the table that none went through: ${missed.length}.`,
    faults: [...contradictions, ...missed.map((id) => `no run went through ${id}`)],
  };
}

/** Every setting of a part takes the next seed. */
const SEEDS_OF_A_PART = 1_000;

function runModelPart(
  runs: number,
  seed: number,
  tell: (line: string) => void,
): Promise<Exclude<PartReply, { told: string }>> {
  const words = [runs, MODEL_ACTS, seed].map(String);
  const part = fork(new URL('./model-part.ts', import.meta.url).pathname, words);
  return new Promise((resolve, reject) => {
    part.on('message', (reply: PartReply) => {
      if ('told' in reply) tell(`seed ${seed}, ${reply.told}`);
      else resolve(reply);
    });
    part.once('exit', (code) => reject(new Error(`a part of the proof ended with ${code}`)));
  });
}
