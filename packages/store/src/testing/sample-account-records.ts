import type { IdempotencyRecord, WebhookRecord } from '@poolgate/gateway/records';
import type { EventRecord, GroupRecord, NotMeLinkRecord } from '@poolgate/pool/store';

/** A group without precedence and role. */
export function sampleGroup(poolId: string, name: string): GroupRecord {
  return {
    poolId,
    name,
    description: 'Köche',
    precedence: null,
    roleArn: null,
    createdAtMs: 1_700_000_000_030,
    modifiedAtMs: 1_700_000_000_031,
  };
}

/** A "this wasn't me" link that expires at 100. */
export function sampleNotMeLink(poolId: string, username: string, digestHex: string): NotMeLinkRecord {
  return { poolId, username, digestHex, expiresAtMs: 100 };
}

/** A login of `ada` at 100, kept until 1 000. */
export function sampleEvent(userPoolId: string, id: string): EventRecord {
  return {
    id,
    atMs: 100,
    type: 'login.succeeded',
    outcome: 'success',
    userPoolId,
    clientId: 'client',
    actor: { kind: 'user', id: 'sub-ada' },
    user: { sub: 'sub-ada', username: 'ada' },
    requestId: 'request',
    sourceAddress: '2001:db8::7',
    details: { challenge: 'SMS_MFA', device: 'Läptop "1"' },
    expiresAtMs: 1_000,
  };
}

/** A webhook that subscribes to everything. */
export function sampleWebhook(id: string): WebhookRecord {
  return {
    id,
    url: `https://${id}.test/hook?a=1`,
    events: [],
    secretEncrypted: `sealed-secret-of-${id}`,
    description: 'Büro',
    createdAtMs: 1_700_000_000_040,
  };
}

/** A claim without a response that expires at 100. */
export function sampleIdempotencyClaim(digestHex: string): IdempotencyRecord {
  return { digestHex, requestDigestHex: 'request-digest', answerEncrypted: null, expiresAtMs: 100 };
}
