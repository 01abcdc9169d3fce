// biome-ignore-all lint/correctness/noUndeclaredDependencies: they are installed only for the proof
/** next-auth 4 as a route of Express, whose requests it takes like those of the API routes of Next.js. */
import express from 'express';
import nextAuth from 'next-auth';
import cognito from 'next-auth/providers/cognito';

const { ISSUER, CLIENT_ID, CLIENT_SECRET, APPLICATION, PORT } = process.env;
const BASE = '/api/auth/';
const app = express();
app.use(express.urlencoded({ extended: false }), express.json());
app.use(BASE, (request, response) => {
  const nextauth = request.path.split('/').filter(Boolean);
  const pairs = (request.headers.cookie ?? '').split('; ').map((pair) => decodeURIComponent(pair).split(/=(.*)/s, 2));
  const cookies = Object.fromEntries(pairs);
  Object.defineProperty(request, 'query', { value: { ...request.query, nextauth } });
  Object.defineProperty(request, 'cookies', { value: cookies });
  return nextAuth.default(request, response, {
    secret: 'a secret of the application, long enough',
    providers: [cognito.default({ clientId: CLIENT_ID, clientSecret: CLIENT_SECRET, issuer: ISSUER })],
    pages: { signIn: `${APPLICATION}/` },
  });
});
app.get('/', (_request, response) => response.send('signed out'));
app.listen(Number(PORT), '127.0.0.1');
