import { DEFAULT_MESSAGE_LIMITS } from '@poolgate/pool';
import { readVersion } from '../process/version.ts';
import { DEMO_USER } from '../providers/demo-user.ts';
import type { Service } from '../service/start.ts';

type BannerRows = readonly (readonly [name: string, value: string])[];

/**
 * The output of a development start: addresses, ids, the admin key, and a login to paste.
 * @param messagesPerSource how many messages of one kind one network can cause to a user in an hour
 */
export function formatStartBanner(service: Service, messagesPerSource: number): string {
  const { baseUrl, signInUrl, userPoolId, clientId, adminKey, outbox, demoPassword, devToken } = service;
  const rows: BannerRows = [
    ['Service', baseUrl],
    ['Sign in', signInUrl],
    ['User pool ID', userPoolId],
    ['Client ID', clientId],
    ...(adminKey === undefined ? [] : [['Admin key', adminKey.bearer] as const]),
    ...(outbox === undefined ? [] : [['Outbox', `${baseUrl}/dev/mail`] as const]),
    ...(devToken === undefined ? [] : [['Token of /dev', devToken] as const]),
    ...(demoPassword === undefined ? [] : [['Demo user', `${DEMO_USER.email} / ${demoPassword}`] as const]),
  ];
  return [
    `Poolgate ${readVersion()} for development. Do not expose it.`,
    ...(devToken === undefined ? [] : EXPOSED),
    ...(outbox === undefined ? [] : [formatMessageLimit(messagesPerSource)]),
    '',
    ...rows.map(([name, value]) => `  ${name.padEnd(15)}${value}`),
    ...formatTrustInstructions(service),
    ...formatLoginExample(service),
    ...formatOutboxExample(service),
    '',
  ].join('\n');
}

const EXPOSED = [
  'Others can reach this service (POOLGATE_DEVELOPMENT), so its users, messages and secrets are not protected.',
  'Bind the container port to 127.0.0.1.',
] as const;

function formatMessageLimit(messagesPerSource: number): string {
  const { perSourceAndHour } = DEFAULT_MESSAGE_LIMITS;
  return `One network may cause ${messagesPerSource} messages of one kind per user and hour; in production ${perSourceAndHour} (POOLGATE_LIMIT_SOURCE_MESSAGES).`;
}

function formatLoginExample({ baseUrl, demoPassword, tlsAuthority }: Service): readonly string[] {
  if (demoPassword === undefined) return [];
  const cacert = tlsAuthority === undefined ? '' : ` --cacert ${tlsAuthority.file}`;
  const body = JSON.stringify({ username: DEMO_USER.email, password: demoPassword });
  return ['', 'Log in:', '', `  curl -s${cacert} ${baseUrl}/login -H 'Content-Type: application/json' -d '${body}'`];
}

/** How to trust a development start's certificate authority, by client. */
function formatTrustInstructions({ tlsAuthority }: Service): readonly string[] {
  if (tlsAuthority === undefined) return [];
  const { file } = tlsAuthority;
  return [
    '',
    `Trust its certificate authority, ${file}. It is only valid for this host, and its private key is deleted.`,
    '',
    `  curl         --cacert ${file}`,
    `  Node         NODE_EXTRA_CA_CERTS=${file}`,
    `  macOS        security add-trusted-cert -r trustRoot -k ~/Library/Keychains/login.keychain-db ${file}`,
    `  Windows      certutil -user -addstore Root ${file}`,
    `  Debian       sudo cp ${file} /usr/local/share/ca-certificates/poolgate.crt && sudo update-ca-certificates`,
    '  Firefox      Settings, Certificates, Authorities, Import',
  ];
}

function formatOutboxExample({ baseUrl, outbox, devToken }: Service): readonly string[] {
  if (outbox === undefined || devToken === undefined) return [];
  return ['', 'Read the outbox:', '', `  curl -s ${baseUrl}/dev/outbox -H 'Authorization: Bearer ${devToken}'`];
}
