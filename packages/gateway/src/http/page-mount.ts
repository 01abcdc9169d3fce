import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { GatewayError } from '../kernel/gateway-errors.ts';
import type { ContentCoding, PageFacts, PageFile, Pages } from '../kernel/pages.ts';
import { createLoginParameters } from '../login/login-parameters.ts';
import { findProvidersPath } from '../oauth/provider-sign-in.ts';
import { selectShell } from '../pages/page-answer.ts';
import type { RenderedShell } from '../pages/rendered-shell-cache.ts';
import { formatSitePrefix, type GatewayRuntime } from '../runtime/runtime.ts';
import { readCookie, SESSION_COOKIE, toCookieName } from '../web/cookies.ts';
import { type RouteDeps, selectRuntime } from './mount.ts';
import { findPageScope } from './page-scope.ts';

const YEAR_SECONDS = 31_536_000;

/** Mounts the pages, and their files under names that change with their content. */
export function mountPages(app: FastifyInstance, shared: RouteDeps, pages: Pages): void {
  const { runtime, readClientAddress } = shared;
  const { webPrefix } = runtime.settings;
  const admit = (request: FastifyRequest): void => runtime.rateLimit.admit(readClientAddress(request), 'read');
  for (const name of pages.names) {
    app.get(`${webPrefix}/${name}`, PAGE, async (request, reply) => {
      admit(request);
      const served = selectRuntime(shared, request);
      const scope = await findPageScope(shared, request);
      const [shells, known] = await Promise.all([pages.shells(name, scope), readPageFacts(request, served, name)]);
      const shell = selectShell(readPreferredLanguage(request), shells);
      return sendShell(request, reply, shell.language, served.renderedShells.of(shell, known));
    });
  }
  app.get<FileRequest>(`${webPrefix}/assets/:file`, FILE, async (request, reply) => {
    admit(request);
    return sendImmutableFile(request, reply, await pages.file(request.params.file));
  });
}

const SVG = 'image/svg+xml';

/** An SVG that is opened by itself is a document. It can have its own styles and nothing else. */
const SVG_POLICY = "default-src 'none'; style-src 'unsafe-inline'; sandbox";

/** Link checkers and caches request only the headers (RFC 9110 §9.3.2). */
const PAGE = { exposeHeadRoute: true, config: { servesPools: true, needs: 'federated' } } as const;

/** The pages that links in messages open need them too, and every pool sends messages. */
const FILE = { exposeHeadRoute: true, config: { servesPools: true } };

interface FileRequest {
  Params: { readonly file: string };
}

/** Without parameters, a page is still shown. Its script requests them again and reports errors. */
async function readPageFacts({ headers }: FastifyRequest, runtime: GatewayRuntime, page: string): Promise<PageFacts> {
  const parameters = await createLoginParameters(runtime).catch(() => undefined);
  const hasSession = readCookie(headers.cookie, toCookieName(SESSION_COOKIE, runtime)) !== undefined;
  const providersPath = page === 'login' ? await findProvidersPath(runtime).catch(() => undefined) : undefined;
  return {
    ...formatSitePrefix(runtime),
    hasSession,
    ...(parameters !== undefined && { parameters }),
    ...(providersPath !== undefined && { providersPath }),
  };
}

/** A language that the user chose has priority over the browser's preferences. */
export function readPreferredLanguage({ headers, query }: FastifyRequest): string | undefined {
  const { lang } = query as { readonly lang?: unknown };
  return typeof lang === 'string' ? lang : headers['accept-language'];
}

/** Sends a page, compressed where the client accepts it. */
export async function sendShell(
  { headers }: FastifyRequest,
  reply: FastifyReply,
  language: string,
  written: RenderedShell,
): Promise<FastifyReply> {
  const coding = negotiateCoding(headers['accept-encoding']);
  const etag = `"${written.digest}${coding === undefined ? '' : `-${coding}`}"`;
  reply.headers({
    'cache-control': 'no-cache',
    'content-language': language,
    etag,
    vary: 'Accept-Encoding, Accept-Language, Cookie',
  });
  // The type adds the headers of pages, which a browser also takes from a 304.
  reply.type('text/html; charset=utf-8');
  if (headers['if-none-match'] === etag) return reply.code(304).send();
  if (coding === undefined) return reply.send(written.html);
  return reply.header('content-encoding', coding).send(await written.encoded(coding));
}

/**
 * Sends a file whose name changes with its content.
 * @throws {GatewayError} not_found
 */
export function sendImmutableFile(
  request: FastifyRequest,
  reply: FastifyReply,
  file: PageFile | undefined,
): FastifyReply {
  if (file === undefined) throw new GatewayError('not_found');
  reply.header('cache-control', `public, max-age=${YEAR_SECONDS}, immutable`);
  if (file.type === SVG) reply.header('content-security-policy', SVG_POLICY);
  return sendFile(request, reply, file);
}

/** Sends a file, compressed where the client accepts it. */
export function sendFile({ headers }: FastifyRequest, reply: FastifyReply, file: PageFile): FastifyReply {
  const coding = negotiateCoding(headers['accept-encoding']);
  // The service checked the file as UTF-8. Without a charset, the file itself could name another encoding.
  reply.header('vary', 'Accept-Encoding').type(file.type === SVG ? `${SVG}; charset=utf-8` : file.type);
  if (coding === undefined) return reply.send(file.bytes);
  return reply.header('content-encoding', coding).send(file.encoded[coding]);
}

/** The smaller one first. */
const CODINGS: readonly ContentCoding[] = ['br', 'gzip'];

/** RFC 9110 §12.4.2: a weight of 0 means not acceptable. */
const REFUSED = /;\s*q=0(?:\.0*)?\s*$/;

function negotiateCoding(accepted: string | string[] | undefined): ContentCoding | undefined {
  const wishes = [accepted ?? ''].flat().join(',').toLowerCase().split(',');
  const wanted = new Set(wishes.filter((wish) => !REFUSED.test(wish)).map((wish) => wish.replace(/;.*/, '').trim()));
  return CODINGS.find((coding) => wanted.has(coding));
}
