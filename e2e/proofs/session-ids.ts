import { decodeTokenPart } from '../../packages/pool/src/testing/test-tokens.ts';
import { openReplicas } from '../support/services/replicas.ts';
import { addUser, PASSWORD, type TestService } from '../support/services/test-service.ts';

/** The results of many logins. */
interface SessionIdsFigure {
  readonly logins: number;
  /** The number of different ids, tokens and keys. */
  readonly ids: number;
  /** Duplicates, and tokens of another user. */
  readonly faults: readonly string[];
}

const USERS = 20;
const AT_ONCE = 20;
const TOLD_EVERY = 5_000;

/** Logs in many users concurrently at two services on one database, and checks every id that they receive. */
export async function sessionIds(logins: number, tell: (line: string) => void = () => {}): Promise<SessionIdsFigure> {
  const replicas = await openReplicas();
  try {
    return await logInOften([replicas.one, replicas.other], logins, tell);
  } finally {
    await replicas.close();
  }
}

async function logInOften(
  services: readonly TestService[],
  logins: number,
  tell: (line: string) => void,
): Promise<SessionIdsFigure> {
  const [one] = services;
  if (one === undefined) throw new RangeError('services: at least one');
  const subs = new Map<string, string>();
  for (let index = 0; index < USERS; index += 1) {
    const email = `ids-${index}@example.com`;
    subs.set(email, await addUser(one, email));
  }
  const users = [...subs];
  const seen = new Set<string>();
  const faults: string[] = [];
  let next = 0;
  const client = async (): Promise<void> => {
    while (next < logins) {
      const [email = '', sub = ''] = users[next % USERS] ?? [];
      const service = services[next % services.length] ?? one;
      next += 1;
      if (next % TOLD_EVERY === 0) tell(`${next} of ${logins} logins`);
      for (const id of idsIn(await logIn(service, email), sub, faults)) {
        if (seen.has(id)) faults.push(`${id} came twice`);
        seen.add(id);
      }
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, client));
  return { logins: next, ids: seen.size, faults };
}

interface Result {
  readonly AccessToken: string;
  readonly IdToken: string;
  readonly RefreshToken: string;
  readonly NewDeviceMetadata: { readonly DeviceKey: string };
}

async function logIn(service: TestService, email: string): Promise<Result> {
  const answer = await service.call('InitiateAuth', {
    ClientId: service.clientId,
    AuthFlow: 'USER_PASSWORD_AUTH',
    AuthParameters: { USERNAME: email, PASSWORD },
  });
  if (answer.status !== 200) throw new Error(answer.text);
  return answer.body.AuthenticationResult as Result;
}

function idsIn({ AccessToken, IdToken, RefreshToken, NewDeviceMetadata }: Result, sub: string, faults: string[]) {
  const [access, id] = [decodeTokenPart(AccessToken, 1), decodeTokenPart(IdToken, 1)];
  for (const claims of [access, id]) if (claims.sub !== sub) faults.push(`${claims.sub} in a token of ${sub}`);
  if (access.origin_jti !== id.origin_jti) faults.push(`two logins in one answer: ${access.origin_jti}`);
  return [access.jti, id.jti, access.origin_jti, access.event_id, RefreshToken, NewDeviceMetadata.DeviceKey].map(
    String,
  );
}
