import { enableCompileCache } from 'node:module';

// A static import would be read before the cache is on.
if (process.env.ECHO_COMPILE_CACHE === 'true') enableCompileCache();
const { fastify } = await import('fastify');

/** The minimum of a Fastify service: it returns the request body. */
const app = fastify();
app.post('/echo', { schema: { body: { type: 'object' } } }, async ({ body }) => body);
app.get('/readyz', async () => ({ status: 'ok' }));
await app.listen({ port: Number(process.env.PORT), host: '127.0.0.1' });
