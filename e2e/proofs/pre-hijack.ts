import { createClientAddress } from '../support/requests/exchange.ts';
import { enableConfirmLinks, findConfirmToken } from '../support/routes/confirm-link.ts';
import { findLastCode } from '../support/routes/route-account.ts';
import { PASSWORD, startTestService, type TestService } from '../support/services/test-service.ts';

const STRANGER_PASSWORD = 'Stranger-Horse2!';
const STRANGER_PHONE = '+15550001111';

/** The results of registrations that a stranger made before the owner of the address. */
export interface PreHijacks {
  readonly registrations: number;
  /** The number of times the stranger's credentials worked after the owner confirmed the address. */
  readonly works: number;
  readonly faults: readonly string[];
}

interface Entry {
  readonly path: string;
  /** Identifies the registration: the emailed code, or the token of the link. */
  readonly proof: (service: TestService, email: string) => object;
}

const byCode: Entry['proof'] = (service, email) => ({ email, code: findLastCode(service, email) });
const byLink: Entry['proof'] = (service, email) => ({ token: findConfirmToken(service, email) });

/** Where the owner of an address can confirm it: the routes, and the pages, which call them below their own prefix. */
const ENTRIES: readonly Entry[] = [
  { path: '/register/verify', proof: byCode },
  { path: '/api/cognito/register/verify', proof: byCode },
  { path: '/cognito/register/verify', proof: byCode },
  { path: '/register/verify-link', proof: byLink },
  { path: '/cognito/register/verify-link', proof: byLink },
];

/**
 * A stranger registers addresses of other people. Each owner presses the button or types the code, and sets the required password.
 * @param times the number of attempts per entry
 */
export async function preHijacks(times: number, tell: (line: string) => void = () => {}): Promise<PreHijacks> {
  const service = await startTestService({ trustedProxies: ['127.0.0.1'] });
  const faults: string[] = [];
  let works = 0;
  try {
    await enableConfirmLinks(service);
    for (const [at, entry] of ENTRIES.entries()) {
      for (let round = 0; round < times; round += 1) {
        const found = await hijack(service, entry, `victim-${at}-${round}@example.com`);
        works += found.filter((fault) => fault.startsWith('works')).length;
        faults.push(...found.map((fault) => `${entry.path}: ${fault}`));
      }
      tell(`${entry.path}: ${faults.length} faults`);
    }
  } finally {
    await service.close();
  }
  return { registrations: times * ENTRIES.length, works, faults };
}

async function hijack(service: TestService, { path, proof }: Entry, email: string): Promise<readonly string[]> {
  const attributes = { phone_number: STRANGER_PHONE, nickname: 'Mallory' };
  const stranger = { email, password: STRANGER_PASSWORD, attributes };
  const { session } = (await service.post('/register', stranger, createClientAddress())).body;
  const page = path.startsWith('/cognito/') ? await pageHeaders(service) : {};
  const headers = { ...createClientAddress(), ...page };
  const confirmation = proof(service, email);
  const clicked = await service.post(path, confirmation, headers);
  const confirmed = await service.post(path, { ...confirmation, password: PASSWORD }, headers);
  return [
    ...(clicked.body.code === 'password_required' ? [] : [`one click is answered with ${clicked.status}`]),
    ...(confirmed.status === 200 ? [] : [`the owner is refused: ${confirmed.text}`]),
    ...(await whatWorks(service, email, session)),
  ];
}

async function whatWorks(service: TestService, email: string, session: unknown): Promise<readonly string[]> {
  const login = { username: email, password: STRANGER_PASSWORD };
  const AuthParameters = { USERNAME: email, PASSWORD: STRANGER_PASSWORD };
  const input = { AuthFlow: 'USER_PASSWORD_AUTH', ClientId: service.clientId, AuthParameters };
  const logins = [
    await service.post('/login', login, createClientAddress()),
    await service.post('/login', { ...login, session }, createClientAddress()),
    await service.call('InitiateAuth', input, createClientAddress()),
  ];
  const owner = await service.post('/login', { username: email, password: PASSWORD }, createClientAddress());
  const authorization = `Bearer ${owner.body.access_token}`;
  const { user } = (await service.get('/user/profile', { authorization })).body;
  const { attributes, phone_number } = (user ?? {}) as {
    readonly attributes?: Readonly<Record<string, string>>;
    readonly phone_number?: string;
  };
  return [
    ...(owner.status === 200 ? [] : [`the owner cannot log in: ${owner.text}`]),
    ...logins.flatMap(({ status }) => (status === 200 ? ['works: the password'] : [])),
    ...(phone_number === undefined ? [] : ['works: the telephone']),
    ...(attributes?.nickname === undefined ? [] : ['works: an attribute']),
  ];
}

/** The headers of a change from a page: the cookie and the CSRF token of a signed-out browser. */
async function pageHeaders(service: TestService): Promise<Readonly<Record<string, string>>> {
  const shown = await service.get('/cognito/session');
  const cookie = String(shown.headers['set-cookie']).split(';')[0] ?? '';
  return { cookie, 'x-csrf-token': String(shown.body.csrf_token), origin: new URL(service.url).origin };
}
