import {
  CALLBACK,
  createAuthorizeQuery,
  createOAuthClient,
  createPkce,
  openSignedInBrowser,
  postForm,
  requestCode,
} from '../support/oauth/oauth-client.ts';
import { openReplicas } from '../support/services/replicas.ts';
import { addUser } from '../support/services/test-service.ts';

/** The results of races for authorization codes. */
interface CodeRacesFigure {
  readonly races: number;
  readonly requests: number;
  readonly winners: number;
  /** Races without exactly one winner, errors of another kind, and tokens that stay valid after a race. */
  readonly faults: readonly string[];
}

const ADA = 'ada@example.test';
const RACERS_AT_EACH = 2;
/** Races run concurrently, like the codes of many users. */
const LANES = 3;
const TOLD_EVERY = 500;

/** Exchanges one code several times at the same instant at two services on one database, repeatedly. */
export async function codeRaces(races: number, tell: (line: string) => void = () => {}): Promise<CodeRacesFigure> {
  const replicas = await openReplicas();
  const faults: string[] = [];
  let [winners, done] = [0, 0];
  try {
    const { one, other } = replicas;
    await addUser(one, ADA);
    const client = await createOAuthClient(one);
    const browser = await openSignedInBrowser(one, ADA);
    const { verifier, challenge } = createPkce();
    const entrances = [one, other].flatMap((service) => Array.from({ length: RACERS_AT_EACH }, () => service));
    const runRace = async (race: number): Promise<void> => {
      const code = await requestCode(browser, createAuthorizeQuery(client, challenge));
      const exchange = { grant_type: 'authorization_code', client_id: client.id, redirect_uri: CALLBACK, code };
      const fields = { ...exchange, code_verifier: verifier };
      const answers = await Promise.all(entrances.map((service) => postForm(service, '/oauth2/token', fields)));
      const won = answers.filter(({ status }) => status === 200);
      winners += won.length;
      if (won.length !== 1) faults.push(`race ${race}: ${won.length} winners`);
      const unexpected = answers.filter(({ status, body }) => status !== 200 && body.error !== 'invalid_grant');
      faults.push(...unexpected.map(({ status, text }) => `race ${race}: ${status} ${text}`));
      const authorization = `Bearer ${won[0]?.body.access_token}`;
      const { status } = await other.get('/oauth2/userInfo', { authorization });
      // The losers sent a used code.
      if (status !== 401) faults.push(`race ${race}: the tokens of a code that came twice live on`);
      done += 1;
      if (done % TOLD_EVERY === 0) tell(`${done} of ${races} races`);
    };
    let begun = 0;
    const runLane = async (): Promise<void> => {
      while (begun < races) await runRace(begun++);
    };
    await Promise.all(Array.from({ length: LANES }, runLane));
  } finally {
    await replicas.close();
  }
  return { races, requests: races * 2 * RACERS_AT_EACH, winners, faults };
}
