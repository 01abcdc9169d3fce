import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { importUsers, openPoolFile, toEmail } from '../peers/pool-file.ts';
import { fillPoolgate, poolgateProgram } from '../peers/poolgate.ts';
import type { Contender, Median, Scenario } from '../rig/scenario.ts';
import { CLIENTS, createServerContender, LOGIN_METRICS } from './login-server.ts';

const FEW = 1_000;
const MANY = 100_000;
/** The number of searches. */
const SEARCHED = 50;

/** The service with this number of imported users. */
function createListContender(name: string, users: number): Contender {
  let home = '';
  return createServerContender({
    name,
    drive: 'user-list',
    program: (folder) => {
      home = folder;
      return poolgateProgram(folder);
    },
    async fill(url) {
      const opened = await openPoolFile(join(home, 'poolgate.db'));
      await importUsers(opened, 0, users).finally(() => opened.close());
      const { admin_key: key } = JSON.parse(readFileSync(join(home, 'secrets.json'), 'utf8'));
      const accounts = Array.from({ length: SEARCHED }, (_, index) => ({
        username: toEmail(Math.floor((index * users) / SEARCHED)),
        password: '',
      }));
      return { ...(await fillPoolgate(url, [])), accounts, adminBearer: `pg_${key.id}_${key.secret}` };
    },
  });
}

const [SMALL, LARGE] = [`${FEW} users`, `${MANY} users`];

/** Three pages of users with an admin key: the first, the second, and a search; constant for any number of users. */
export const userList: Scenario = {
  name: 'user-list',
  title: `GET /admin/users, three pages each, ${CLIENTS} clients`,
  metrics: LOGIN_METRICS.map((metric) =>
    metric.key === 'perSecond' ? { ...metric, heading: 'three pages/s' } : metric,
  ),
  contenders: [createListContender(SMALL, FEW), createListContender(LARGE, MANY)],
  goals: [
    {
      text: `${LARGE} / ${SMALL}, p50`,
      ratio: (median: Median) => median(LARGE, 'p50Ms') / median(SMALL, 'p50Ms'),
      bound: { atMost: 2 },
    },
  ],
};
