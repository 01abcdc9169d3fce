import type { Picker } from '../requests/picker.ts';
import type { ProxiedReply } from '../services/fault-proxy.ts';

/** Part of mutated replies; the service's own texts never contain it. */
export const PROVIDER_WORDS = 'words-of-the-provider';

const JUNK: readonly unknown[] = [
  null,
  PROVIDER_WORDS,
  '',
  0,
  -1,
  1e308,
  true,
  [],
  {},
  [[]],
  { [PROVIDER_WORDS]: PROVIDER_WORDS },
  ['a', null],
  { toString: 1, valueOf: 2 },
  'ä'.repeat(70_000),
  '\u0000\u001b[2J',
];
const NAMES: readonly unknown[] = [
  'NotAuthorizedException',
  'InternalErrorException',
  'TooManyRequestsException',
  'UserNotFoundException',
  'CodeMismatchException',
  '__proto__',
  'constructor',
  'a#b',
  '',
  PROVIDER_WORDS,
  7,
  null,
];
const STATUSES = [201, 204, 302, 400, 403, 404, 418, 429, 500, 502, 503] as const;

type Mutation = (reply: ProxiedReply, pick: Picker) => ProxiedReply | 'reset' | 'cut';

/** Ways to corrupt a reply. */
const MUTATIONS: readonly Mutation[] = [
  replaceMember,
  replaceMember,
  replaceMember,
  (reply, pick) => ({ ...reply, body: reply.body.slice(0, pick.below(reply.body.length)) }),
  (reply, pick) => ({ ...reply, body: insertText(reply.body, pick) }),
  (reply, pick) => ({ ...reply, body: JSON.stringify(pick.of(JUNK)) }),
  (reply) => ({ ...reply, body: `<html><body>${PROVIDER_WORDS}</body></html>` }),
  (reply, pick) => ({ ...reply, status: pick.of(STATUSES) }),
  replaceWithError,
  replaceWithError,
  () => 'reset',
  () => 'cut',
];

/** Returns a corrupted reply, the same for the same choices. */
export function mutateReply(reply: ProxiedReply, pick: Picker): ProxiedReply | 'reset' | 'cut' {
  return pick.of(MUTATIONS)(reply, pick);
}

/** Changes or removes one member anywhere in the body. */
function replaceMember(reply: ProxiedReply, pick: Picker): ProxiedReply {
  let members = 0;
  let value: unknown;
  try {
    value = JSON.parse(reply.body, (_key, member: unknown) => {
      members += 1;
      return member;
    });
  } catch {
    return { ...reply, body: PROVIDER_WORDS };
  }
  let left = pick.below(members);
  const [junk, isRemoved] = [pick.of(JUNK), pick.below(3) === 0];
  const body = JSON.stringify(value, (_key, member: unknown) => {
    left -= 1;
    if (left !== -1) return member;
    return isRemoved ? undefined : junk;
  });
  return { ...reply, body: body ?? '' };
}

function insertText(body: string, pick: Picker): string {
  const at = pick.below(body.length + 1);
  return body.slice(0, at) + pick.of(['{', '"', '\\', ',', 'null', '\u0000', PROVIDER_WORDS]) + body.slice(at);
}

/** Replaces the reply with an error that the service never returned. */
function replaceWithError(reply: ProxiedReply, pick: Picker): ProxiedReply {
  const error = { __type: pick.of(NAMES), message: pick.of([PROVIDER_WORDS, ...JUNK]) };
  const headers =
    pick.below(2) === 0 ? { 'x-amzn-errortype': `${pick.of([PROVIDER_WORDS, 'NotAuthorizedException'])}:` } : {};
  return { status: pick.of(STATUSES), headers: { ...reply.headers, ...headers }, body: JSON.stringify(error) };
}
