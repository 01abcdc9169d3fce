import {
  type Application,
  type ApplicationProxy,
  ORIGIN,
  startApplication,
  startApplicationProxy,
  Visitor,
} from '../support/proxies/application-proxies.ts';
import { BEHIND_PROXY, type Exchange } from '../support/requests/exchange.ts';
import { addUser, startTestService, type TestService } from '../support/services/test-service.ts';
import { findFreePort } from '../support/services/wait-for-port.ts';
import { CookieBrowser } from '../support/web/cookie-browser.ts';

/** The results of one proxy. */
export interface ForwardAuthFigure {
  /** The number of checks. */
  readonly checks: number;
  /** The failed checks. */
  readonly faults: readonly string[];
}

/** Runs a proxy in front of a real application, with the requests of browsers and attackers. */
export async function forwardAuthBehind(proxy: ApplicationProxy): Promise<ForwardAuthFigure> {
  const service = await startTestService({ ...BEHIND_PROXY, returnOrigins: [ORIGIN] });
  const application = await startApplication();
  const ports = {
    own: await findFreePort(),
    service: Number(new URL(service.url).port),
    application: application.port,
  };
  const started = await startApplicationProxy(proxy, ports);
  try {
    // Traefik cannot remove a cookie.
    return await visit(service, application, { port: ports.own, takesCookies: proxy !== 'like-traefik' });
  } finally {
    await started.stop();
    application.server.close();
    await service.close();
  }
}

async function visit(
  service: TestService,
  application: Application,
  { port, takesCookies }: { readonly port: number; readonly takesCookies: boolean },
): Promise<ForwardAuthFigure> {
  const faults: string[] = [];
  let checks = 0;
  const check = (what: string, isSo: boolean, shown: unknown = ''): void => {
    checks += 1;
    if (!isSo) faults.push(`${what}: ${typeof shown === 'string' ? shown : JSON.stringify(shown)}`);
  };
  const asked = async (what: string, status: number, ask: Promise<Exchange>): Promise<Exchange> => {
    const answer = await ask;
    check(what, answer.status === status, `${answer.status} ${answer.text.slice(0, 200)}`);
    return answer;
  };
  const visitor = new Visitor(port);
  const start = await asked(
    'a page sends a browser without a session to the sign-in',
    302,
    visitor.open('GET', '/deep/page?q=%C3%A4&r=1'),
  );
  await asked('a script is told 401', 401, visitor.open('GET', '/data', undefined, { accept: 'application/json' }));
  await asked('a form is told 401', 401, visitor.open('POST', '/form', 'a=1', { 'content-type': 'text/plain' }));
  check('nothing of it reached the application', application.seen === undefined, application.seen);

  const email = 'visitor@example.com';
  const sub = await addUser(service, email);
  await service.post('/admin/groups', { group_name: 'staff' }, service.asAdmin);
  const browser = new CookieBrowser(service);
  await browser.logIn(email);
  const back = await browser.open(String(start.headers.location).replace(/^.*?\/cognito/, ''));
  const uri = String(back.headers.location).slice(ORIGIN.length);
  check('the browser returns to the callback with a ticket', uri.startsWith('/.poolgate/callback?ticket='), uri);
  const home = await asked('the ticket is taken', 302, visitor.open('GET', uri));
  check(
    'and the browser sent to the page that it asked for',
    home.headers.location === `${ORIGIN}/deep/page?q=%C3%A4&r=1`,
    home.headers.location,
  );

  await asked('who is signed in is let through', 200, visitor.open('GET', '/deep/page?q=%C3%A4&r=1'));
  const { headers = {} } = application.seen ?? {};
  check('the application learns who it is', headers['x-poolgate-email'] === encodeURIComponent(email), headers);
  check('and that the address is verified', headers['x-poolgate-email-verified'] === 'true', headers);
  check('and nothing that was forged', !JSON.stringify(headers).includes('forged'), headers);
  const cookies = String(headers.cookie)
    .split(/; */)
    .filter((each) => each !== '');
  check(
    'its own cookies are there',
    ['theme=dark', 'lang=de'].every((each) => cookies.includes(each)),
    headers.cookie,
  );
  const ofTheService = cookies.filter((each) => each.includes('poolgate')).map((each) => each.split('=', 1)[0]);
  const left = takesCookies ? [] : ['__Host-poolgate-app'];
  check("the service's are not", ofTheService.join() === left.join(), headers.cookie);
  const sent = await asked(
    'a form passes',
    200,
    visitor.open('POST', '/form', 'a=1&b=2', { 'content-type': 'text/plain' }),
  );
  check('with its body', application.seen?.method === 'POST' && application.seen.body === 'a=1&b=2', sent.text);
  const withToken = { authorization: 'Bearer of-the-application' };
  await asked('a token of the application is none of ours', 200, visitor.open('GET', '/api', undefined, withToken));
  check('and reaches it', application.seen?.headers.authorization === withToken.authorization);

  const thief = new Visitor(port);
  await asked('the ticket is good once', 403, thief.open('GET', uri));
  check('the callback never reaches the application', !application.uris.some((each) => each.includes('ticket=')));
  application.seen = undefined;
  await browser.post('/logout');
  await asked('after the logout a script is told 401', 401, visitor.open('GET', '/data', undefined, { accept: '*/*' }));
  await asked('and a page is sent to the sign-in', 302, visitor.open('GET', '/'));
  check('and nothing reaches the application', application.seen === undefined, application.seen);
  await enterAddress(service, sub);
  await browser.logIn(sub);
  const again = await visitor.open('GET', '/');
  const second = await browser.open(String(again.headers.location).replace(/^.*?\/cognito/, ''));
  await visitor.open('GET', String(second.headers.location).slice(ORIGIN.length));
  await asked('a user with an address that is not verified is let through', 200, visitor.open('GET', '/'));
  const told = lastHeaders(application);
  check('the application is told no address', (told['x-poolgate-email'] ?? '') === '', told);
  check('and that it is not verified', told['x-poolgate-email-verified'] === 'false', told);
  return { checks, faults };
}

const lastHeaders = ({ seen }: Application) => seen?.headers ?? {};

/** Sets another person's address for a user, without verification. */
async function enterAddress(service: TestService, Username: string): Promise<void> {
  const UserAttributes = [
    { Name: 'email', Value: 'ceo@example.com' },
    { Name: 'email_verified', Value: 'false' },
  ];
  const changed = { UserPoolId: service.userPoolId, Username, UserAttributes };
  await service.call('AdminUpdateUserAttributes', changed, service.asAdmin);
}
