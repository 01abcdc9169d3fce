import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import {
  CONSOLE_ROUTES,
  findWebRoutePrefix,
  isUnderConsolePrefix,
  isUnderWebPrefix,
  listAddresses,
  type OpenApiDocument,
  ROUTES,
  type Route,
  WEB_ROUTES,
} from '@poolgate/contract';
import { ON_COGNITO } from '../support/provider/tested-provider.ts';
import { startTestService, type TestService } from '../support/services/test-service.ts';

interface Operation {
  readonly servers?: readonly { readonly url: string }[];
}

const METHODS = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'] as const;

/** Paths that are served without being routes: the pool's own protocol and its public documents. */
const OF_THE_WIRE = [
  '/',
  '/idp/',
  '/{userPoolId}/.well-known/jwks.json',
  '/{userPoolId}/.well-known/openid-configuration',
];

/** What people and OAuth clients open in a browser, at addresses whose routes have other methods. */
const OF_BROWSERS: readonly string[] = [
  ...(ON_COGNITO ? [] : ['GET /login', 'GET /logout']),
  ...['GET /cognito/login', 'GET /cognito/register'],
];

/** Paths that are not served. A new route must have a row here. */
const NOT_SERVED = ['/metrics', '/admin', '/debug', '/.env'];

describe('the table of routes', () => {
  let service: TestService;
  let document: OpenApiDocument;
  before(async () => {
    service = await startTestService();
    document = JSON.parse((await service.get('/openapi.json')).text) as OpenApiDocument;
  });
  after(() => service.close());

  const fill = (path: string): string =>
    path
      .replaceAll('{userPoolId}', service.userPoolId)
      .replace('{code}', 'not_found')
      .replaceAll(/\{\w+\}/g, 'x');
  const isServed = async (method: string, path: string) => {
    const { status, body } = await service.ask(method, fill(path), {});
    return status !== 405 && body.code !== 'not_found';
  };

  /** Every address in the document, under each mount that it names. */
  function listed(): readonly string[] {
    const paths = document.paths as Readonly<Record<string, Readonly<Record<string, Operation>>>>;
    return Object.entries(paths).flatMap(([path, item]) =>
      METHODS.flatMap((method) => {
        const operation = item[method.toLowerCase()];
        const mounts = operation?.servers ?? [{ url: '/' }];
        return operation === undefined ? [] : mounts.map(({ url }) => `${method} ${url === '/' ? '' : url}${path}`);
      }),
    );
  }

  /** A path can also match a listed path with a parameter. */
  function isListed(addresses: ReadonlySet<string>, method: string, path: string): boolean {
    const asked = `${method} ${fill(path)}`;
    return [...addresses].some((address) => {
      const parts = address.split(/\{\w+\}/).map((part) => RegExp.escape(part));
      return new RegExp(`^${parts.join('[^/]+')}$`).test(asked);
    });
  }

  it('serves exactly the methods that the document lists', async () => {
    const addresses = new Set(listed());
    const paths = new Set([...addresses].map((address) => address.slice(address.indexOf(' ') + 1)));
    assert.ok(paths.size > 20);
    for (const path of paths) {
      for (const method of METHODS) {
        const isKnown = isListed(addresses, method, path) || OF_BROWSERS.includes(`${method} ${path}`);
        assert.equal(await isServed(method, path), isKnown, `${method} ${path}`);
      }
    }
  });

  it('matches the document: every address of every route under each mount, and nothing else', () => {
    const expected = Object.values<Route>(ROUTES).flatMap((route) =>
      listAddresses(route).flatMap((address) => {
        const web = isUnderWebPrefix(route, address) ? ['/cognito'] : [];
        const console = isUnderConsolePrefix(route) ? ['/cognito/console/api'] : [];
        const prefixes = route.mount === 'root' ? [''] : ['', '/api/cognito', ...web, ...console];
        return prefixes.map((prefix) => `${address.method} ${prefix}${address.path}`);
      }),
    );
    const ofBrowsers = Object.values<Route>({ ...WEB_ROUTES, ...CONSOLE_ROUTES }).flatMap((route) =>
      listAddresses(route).map(({ method, path }) => `${method} ${findWebRoutePrefix(route, '/cognito')}${path}`),
    );
    assert.deepEqual(listed().toSorted(), [...expected, ...ofBrowsers].toSorted());
  });

  it('decides who may call a route, so both mounts have the same guard', async () => {
    for (const route of Object.values<Route>(ROUTES).filter(({ mount }) => mount === 'routes')) {
      for (const { method, path } of listAddresses(route)) {
        const answers = [
          await service.ask(method, fill(path), {}),
          await service.ask(method, `/api/cognito${fill(path)}`, {}),
        ];
        assert.equal(answers[0]?.status, answers[1]?.status, path);
        if (route.guard !== 'public') assert.equal(answers[0]?.status, 401, path);
      }
    }
  });

  it('covers everything but the pool’s own protocol, and nothing from later phases', async () => {
    for (const path of NOT_SERVED) {
      for (const prefix of ['', '/api/cognito']) {
        for (const method of METHODS)
          assert.equal(await isServed(method, `${prefix}${path}`), false, `${method} ${prefix}${path}`);
      }
    }
    for (const path of OF_THE_WIRE) {
      const isOneServed = await Promise.all(['GET', 'POST'].map((method) => isServed(method, path)));
      assert.ok(isOneServed.includes(true), path);
    }
  });

  it('still serves all routes with POOLGATE_WIRE=false, without the pool’s own protocol', async (t) => {
    const silent = await startTestService({ wire: false });
    t.after(() => silent.close());
    for (const path of ['/', '/idp/']) assert.equal((await silent.post(path, {})).status, 404);
    assert.equal((await silent.get('/login/parameters')).status, 200);
  });
});
