import { request } from 'node:http';
import { type BadRequest, badRequests } from '../support/bad-requests.ts';

/** What came of the bad requests. */
export interface BadRequestsFigure {
  readonly sent: number;
  /** How often each status was answered. */
  readonly statuses: Readonly<Record<number, number>>;
  /** Answers of 500 and above, and connections that ended without an answer. None may be. */
  readonly faults: readonly string[];
}

/** Sends generated bad requests to a service, the same for the same seed. */
export async function sendBadRequests(url: string, seed: number, count: number): Promise<BadRequestsFigure> {
  const statuses: Record<number, number> = {};
  const faults: string[] = [];
  for (const bad of badRequests(seed).take(count)) {
    const { status, code } = await sendBadRequest(url, bad);
    statuses[status] = (statuses[status] ?? 0) + 1;
    if (status >= 500 || status === 0) {
      faults.push(`${status} ${code} for ${bad.fault}: ${bad.method} ${bad.path.slice(0, 80)} (seed ${seed})`);
    }
  }
  return { sent: count, statuses, faults };
}

/** What was answered to a bad request. */
export interface BadAnswer {
  /** 0 where the connection ended without an answer. */
  readonly status: number;
  /** The code of the problem, or of the connection's error; empty where there is none. */
  readonly code: string;
  readonly contentType: string;
  readonly text: string;
}

/** `fetch` sends no body with GET and no Host of one's own. */
export function sendBadRequest(url: string, { method, path, headers, body }: BadRequest): Promise<BadAnswer> {
  return new Promise((resolve) => {
    const length = body === undefined ? {} : { 'content-length': String(Buffer.byteLength(body)) };
    const sent = request(new URL(url), { method, path, headers: { ...headers, ...length } }, (answer) => {
      const parts: Buffer[] = [];
      answer.on('data', (part: Buffer) => parts.push(part));
      answer.on('error', unanswered);
      answer.on('end', () => {
        const text = Buffer.concat(parts).toString('utf8');
        const contentType = String(answer.headers['content-type'] ?? '');
        const code = contentType.startsWith('application/problem+json') ? codeOf(text) : '';
        resolve({ status: answer.statusCode ?? 0, code, contentType, text });
      });
    });
    const unanswered = (error: NodeJS.ErrnoException): void =>
      resolve({ status: 0, code: error.code ?? error.message, contentType: '', text: '' });
    sent.on('error', unanswered);
    sent.end(body);
  });
}

function codeOf(text: string): string {
  return text === '' ? '' : String((JSON.parse(text) as { readonly code?: unknown }).code);
}
