/**
 * Logs in with the client SDK: every step that the service asks for has its own methods.
 *
 *     npm run node -- examples/login-with-the-client.ts
 */
import { createClient, type LoginStep } from '@poolgate/client';

const baseUrl = process.env.POOLGATE_URL ?? 'http://localhost:3000';
const username = process.env.POOLGATE_USERNAME ?? 'demo@poolgate.test';
const password = process.env.POOLGATE_PASSWORD ?? 'Demo-Passw0rd!';
const client = createClient({ baseUrl, mode: 'tokens' });

/** What this program can answer by itself; a page would show a form for each kind. */
function explain(step: LoginStep): string {
  switch (step.kind) {
    case 'done':
      return `${username} is logged in as ${step.username}`;
    case 'refused':
      return `${username} is not logged in: ${step.error.code}`;
    default:
      return `${username} is asked for: ${step.kind}`;
  }
}

const step = await client.login.withPassword({ username, password });
console.log(explain(step));
if (step.kind !== 'done') process.exitCode = 1;
await client.logOut();
