import { request } from 'node:http';
import { ERRORS } from '@poolgate/contract';
import { type BadRequest, generateBadRequests } from '../support/requests/bad-requests.ts';

/** The results of the invalid requests. */
interface BadRequestsFigure {
  readonly sent: number;
  /** The number of responses by status. */
  readonly statuses: Readonly<Record<number, number>>;
  /** Forbidden responses: 500 and above, none at all, or an error that is not a problem of the contract. */
  readonly faults: readonly string[];
}

/** Sends generated invalid requests to a service, the same for the same seed. */
export async function sendBadRequests(url: string, seed: number, count: number): Promise<BadRequestsFigure> {
  const statuses: Record<number, number> = {};
  const faults: string[] = [];
  for (const bad of generateBadRequests(seed).take(count)) {
    const answer = await send(url, bad);
    statuses[answer.status] = (statuses[answer.status] ?? 0) + 1;
    const fault = findFault(answer);
    if (fault) faults.push(`${fault} for ${bad.fault}: ${bad.method} ${bad.path.slice(0, 80)} (seed ${seed})`);
  }
  return { sent: count, statuses, faults };
}

interface BadAnswer {
  /** 0 if the connection ended without a response. */
  readonly status: number;
  readonly contentType: string;
  readonly text: string;
}

function findFault({ status, contentType, text }: BadAnswer): string | undefined {
  if (status === 0) return `no answer (${text})`;
  if (status >= 500) return `${status} ${text.slice(0, 200)}`;
  if (status < 400 || text === '') return undefined;
  if (!contentType.startsWith('application/problem+json')) return `${status} as ${contentType}`;
  const problem = JSON.parse(text) as { readonly code: string; readonly status: number };
  const row = Object.entries(ERRORS).find(([code]) => code === problem.code)?.[1];
  return problem.status === status && row?.status === status ? undefined : `${status} ${problem.code}`;
}

/** `fetch` sends no body with GET and no custom Host. */
function send(url: string, { method, path, headers, body }: BadRequest): Promise<BadAnswer> {
  return new Promise((resolve) => {
    const unanswered = (error: Error): void => resolve({ status: 0, contentType: '', text: error.message });
    const length = body === undefined ? {} : { 'content-length': String(Buffer.byteLength(body)) };
    const sent = request(new URL(url), { method, path, headers: { ...headers, ...length } }, (answer) => {
      const parts: Buffer[] = [];
      answer.on('data', (part: Buffer) => parts.push(part));
      answer.on('error', unanswered);
      answer.on('end', () => {
        const contentType = String(answer.headers['content-type'] ?? '');
        resolve({ status: answer.statusCode ?? 0, contentType, text: Buffer.concat(parts).toString('utf8') });
      });
    });
    sent.on('error', unanswered);
    sent.end(body);
  });
}
