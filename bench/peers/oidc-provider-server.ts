import { generateKeyPairSync } from 'node:crypto';
import { createServer } from 'node:http';
import { DatabaseSync, type StatementSync } from 'node:sqlite';
import { Provider } from 'oidc-provider';

/**
 * oidc-provider with the settings of Poolgate's service. It stores what it issues in a file with full durability. Access and ID tokens are
 * JWTs with RS256 and 2048 bits, and a refresh token is issued with them.
 */
const port = Number(process.env.PORT);
const database = new DatabaseSync('oidc-provider.db');
database.exec(`pragma journal_mode = wal; pragma synchronous = full;
  create table kept (id text primary key, payload text not null, grant_id text, uid text, expires_at integer) without rowid;
  create index kept_by_grant on kept (grant_id) where grant_id is not null;
  create index kept_by_uid on kept (uid) where uid is not null;`);

type Payload = Readonly<Record<string, unknown>> & { readonly grantId?: string; readonly uid?: string };

const upsert = database.prepare(`insert into kept values (?, ?, ?, ?, ?)
  on conflict (id) do update set payload = excluded.payload, expires_at = excluded.expires_at`);
const byId = database.prepare('select payload from kept where id = ? and expires_at > ?');
const byUid = database.prepare('select payload from kept where uid = ? and expires_at > ?');
const consume = database.prepare("update kept set payload = json_set(payload, '$.consumed', ?) where id = ?");
const destroy = database.prepare('delete from kept where id = ?');
const revoke = database.prepare('delete from kept where grant_id = ?');

const readNowSeconds = (): number => Math.floor(Date.now() / 1000);

function findPayload(statement: StatementSync, name: string): Payload | undefined {
  const row = statement.get(name, readNowSeconds());
  return row === undefined ? undefined : (JSON.parse(String(row.payload)) as Payload);
}

/** The adapter that its documentation requires. */
class FileAdapter {
  readonly #model: string;

  constructor(model: string) {
    this.#model = model;
  }

  async upsert(id: string, payload: Payload, expiresIn: number): Promise<void> {
    const { grantId = null, uid = null } = payload;
    upsert.run(`${this.#model}:${id}`, JSON.stringify(payload), grantId, uid, readNowSeconds() + expiresIn);
  }

  find = async (id: string): Promise<Payload | undefined> => findPayload(byId, `${this.#model}:${id}`);
  findByUid = async (uid: string): Promise<Payload | undefined> => findPayload(byUid, uid);
  findByUserCode = async (): Promise<undefined> => undefined;
  consume = async (id: string): Promise<void> => void consume.run(readNowSeconds(), `${this.#model}:${id}`);
  destroy = async (id: string): Promise<void> => void destroy.run(`${this.#model}:${id}`);
  revokeByGrantId = async (grantId: string): Promise<void> => void revoke.run(grantId);
}

const key = generateKeyPairSync('rsa', { modulusLength: 2_048 }).privateKey.export({ format: 'jwk' });
const RESOURCE = 'https://api.poolgate.test/';
const DAY_SECONDS = 86_400;

const provider = new Provider(`http://127.0.0.1:${port}`, {
  adapter: FileAdapter,
  jwks: { keys: [{ ...key, kid: 'bench', use: 'sig', alg: 'RS256' }] },
  cookies: { keys: ['a-secret-for-the-benchmark-only-0123456789'] },
  clients: [
    {
      client_id: 'bench',
      token_endpoint_auth_method: 'none',
      grant_types: ['authorization_code', 'refresh_token'],
      response_types: ['code'],
      redirect_uris: [process.env.REDIRECT_URI],
    },
  ],
  claims: { openid: ['sub'], email: ['email', 'email_verified'] },
  conformIdTokenClaims: false,
  findAccount: (_context: unknown, sub: string) => ({
    accountId: sub,
    claims: async () => ({ sub, email: sub, email_verified: true }),
  }),
  issueRefreshToken: async () => true,
  ttl: { AccessToken: 3_600, IdToken: 3_600, RefreshToken: 30 * DAY_SECONDS, Session: DAY_SECONDS, Grant: DAY_SECONDS },
  features: {
    resourceIndicators: {
      enabled: true,
      defaultResource: async () => RESOURCE,
      useGrantedResource: async () => true,
      getResourceServerInfo: async () => ({
        scope: 'openid email',
        accessTokenFormat: 'jwt',
        accessTokenTTL: 3_600,
        jwt: { sign: { alg: 'RS256' } },
      }),
    },
  },
});
const handle = provider.callback();
createServer((request, response) => {
  if (request.url === '/readyz') response.end();
  else handle(request, response);
}).listen(port, '127.0.0.1');
