import { Agent, request } from 'node:http';

const agent = new Agent({ keepAlive: true });

/** Asks over a kept connection and gives the JSON of a 2xx answer. Anything else is an error. */
export function get(url: string, headers: Readonly<Record<string, string>> = {}): Promise<unknown> {
  return new Promise((resolve, reject) => {
    const sent = request(url, { agent, headers }, (answer) => {
      const parts: Buffer[] = [];
      answer.on('data', (part: Buffer) => parts.push(part));
      answer.on('error', reject);
      answer.on('end', () => {
        const received = Buffer.concat(parts).toString('utf8');
        const status = answer.statusCode ?? 0;
        if (status >= 200 && status < 300) resolve(JSON.parse(received));
        else reject(new Error(`${status} from ${url}: ${received.slice(0, 300)}`));
      });
    });
    sent.on('error', reject);
    sent.end();
  });
}
