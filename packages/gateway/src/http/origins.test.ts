import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { START_MS, testDeps } from '../testing/gateway-deps.ts';
import { originLog } from './origins.ts';

/** What is logged of answers to requests of these origins, of which a page of the one that is allowed may read. */
function linesOf(origins: readonly (string | undefined)[], allowed?: string, logLevel = 'info'): readonly unknown[] {
  const lines: unknown[] = [];
  const logStream = { write: (line: string) => void lines.push(line) };
  const log = originLog(testDeps({ logStream }, { logLevel }));
  for (const origin of origins) {
    const request = { id: 'r1', headers: { origin } } as FastifyRequest;
    const reply = { getHeader: () => (origin === allowed ? origin : undefined) } as unknown as FastifyReply;
    log(request, reply);
  }
  return lines;
}

const originOf = (line: unknown) => (JSON.parse(String(line)) as { origin: string }).origin;

test('an origin whose page could not read an answer is told once, as a warning that says what to set', () => {
  const msg =
    'A page of another origin was kept from reading an answer. If it is yours, add it to POOLGATE_CORS_ORIGINS.';
  const line = { level: 40, time: START_MS, requestId: 'r1', origin: 'https://a.example', msg };
  assert.deepEqual(linesOf(['https://a.example', 'https://a.example']), [`${JSON.stringify(line)}\n`]);
});

test('nothing is told of an origin that may read, our own, or none', () => {
  const none = [
    undefined,
    'null',
    'http://localhost:3000',
    'https://allowed.example',
    'ftp://a.example',
    'https://a.example/',
    'https://a.example/path',
    'https://A.example',
    'https://[',
    'http://a b',
    `https://${'a'.repeat(60)}.${'b'.repeat(60)}`,
  ];
  assert.equal(none.at(-1)?.length, 129);
  assert.deepEqual(linesOf(none, 'https://allowed.example'), []);
  const longest = `https://${'a'.repeat(60)}.${'b'.repeat(59)}`;
  assert.deepEqual(linesOf([longest]).map(originOf), [longest]);
});

test('made-up origins fill no log', () => {
  const origins = Array.from({ length: 30 }, (_, number) => `https://made-up-${number}.example`);
  assert.deepEqual(linesOf(origins).map(originOf), origins.slice(0, 20));
});

test('no warning is written where the log has none', () => {
  for (const [logLevel, count] of [
    ['warn', 1],
    ['error', 0],
    ['fatal', 0],
    ['silent', 0],
  ] as const) {
    assert.equal(linesOf(['https://a.example'], undefined, logLevel).length, count, logLevel);
  }
});
