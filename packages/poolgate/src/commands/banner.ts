import { DEMO_USER } from '../demo-user.ts';
import type { Service } from '../start.ts';
import { version } from '../version.ts';

/** What a development start prints: addresses, ids, the admin key, and a login that can be pasted. */
export function banner({ baseUrl, userPoolId, clientId, adminKey, outbox, demoUser }: Service): string {
  const { email, password } = DEMO_USER;
  const rows: (readonly [string, string])[] = [
    ['Service', baseUrl],
    ['User pool id', userPoolId],
    ['Client id', clientId],
    ...(adminKey === undefined ? [] : [['Admin key', adminKey.bearer] as const]),
    ...(outbox === undefined ? [] : [['Outbox', `${baseUrl}/dev/outbox`] as const]),
    ...(demoUser ? [['Demo user', `${email} / ${password}`] as const] : []),
  ];
  const body = JSON.stringify({ username: email, password });
  return [
    `Poolgate ${version()} for development. Do not expose it.`,
    '',
    ...rows.map(([name, value]) => `  ${name.padEnd(14)}${value}`),
    ...(demoUser
      ? ['', 'Log in:', '', `  curl -s ${baseUrl}/login -H 'Content-Type: application/json' -d '${body}'`]
      : []),
    '',
  ].join('\n');
}
