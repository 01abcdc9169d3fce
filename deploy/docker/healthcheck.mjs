// Whether the service of this container answers. Whoever asks is in the container, so the certificate needs no looking at.
import { request as http } from 'node:http';
import { request as https } from 'node:https';

const { PORT: port = '3000', POOLGATE_TLS: tls = 'off', POOLGATE_TLS_CERT: certificate = '' } = process.env;
const request = tls === 'dev' || certificate !== '' ? https : http;
const options = { host: '127.0.0.1', port, path: '/healthz', timeout: 4_000, rejectUnauthorized: false };

request(options, (answer) => {
  process.exitCode = answer.statusCode === 200 ? 0 : 1;
  answer.resume();
})
  .on('timeout', () => process.exit(1))
  .on('error', () => process.exit(1))
  .end();
