import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { parse } from 'yaml';
import { createMetrics } from '../packages/poolgate/src/observability/metrics.ts';

const read = (path: string): string => readFileSync(new URL(`../${path}`, import.meta.url), 'utf8');

/** Suffixes of metric names in PromQL. */
const SUFFIX = /_(bucket|sum|count)$/;

async function servedNames(): Promise<ReadonlySet<string>> {
  const text = await createMetrics().text();
  return new Set([...text.matchAll(/^# TYPE (\S+)/gm)].map(([, name = '']) => name));
}

function metricsIn(expression: string): readonly string[] {
  return [...expression.matchAll(/\b(?:poolgate|nodejs|process)_\w+/g)].map(([name]) => name);
}

async function requireServed(expressions: readonly string[]): Promise<void> {
  const served = await servedNames();
  for (const expression of expressions) {
    for (const name of metricsIn(expression)) {
      assert.ok(served.has(name) || served.has(name.replace(SUFFIX, '')), `${name} is not served: ${expression}`);
    }
  }
}

interface Rules {
  readonly groups: readonly { readonly rules: readonly Rule[] }[];
}

interface Rule {
  readonly alert: string;
  readonly expr: string;
  readonly labels: { readonly severity: string };
  readonly annotations: { readonly summary: string };
}

test('alerts ask for metrics that are served, and each is in the guide', async () => {
  const { groups } = parse(read('deploy/prometheus/alerts.yml')) as Rules;
  const rules = groups.flatMap((group) => group.rules);
  assert.ok(rules.length > 10);
  assert.equal(new Set(rules.map(({ alert }) => alert)).size, rules.length);
  await requireServed(rules.map(({ expr }) => expr));
  const guide = read('docs/reference/monitoring.md');
  for (const { alert, labels, annotations } of rules) {
    assert.ok(guide.includes(`\`${alert}\``), `docs/reference/monitoring.md says nothing of ${alert}`);
    assert.match(labels.severity, /^(critical|warning)$/);
    assert.ok(annotations.summary.length > 10);
  }
});

test('what the service serves without is a warning, not a critical alert', () => {
  const { groups } = parse(read('deploy/prometheus/alerts.yml')) as Rules;
  const rules = groups.flatMap((group) => group.rules).filter(({ expr }) => expr.includes('poolgate_ready'));
  const [critical, ...others] = rules.filter(({ labels }) => labels.severity === 'critical');
  assert.deepEqual(others, []);
  assert.match(critical?.expr ?? '', /poolgate_ready\{check!~"senders\|triggers"\}/);
  for (const check of ['senders', 'triggers']) {
    const severities = rules
      .filter(({ expr }) => expr.includes(`check="${check}"`))
      .map(({ labels }) => labels.severity);
    assert.deepEqual(severities, ['warning'], check);
  }
});

interface Dashboard {
  readonly panels: readonly {
    readonly id: number;
    readonly title: string;
    readonly targets: readonly { expr: string }[];
  }[];
}

test('panels of the dashboard ask for metrics that are served', async () => {
  const { panels } = JSON.parse(read('deploy/grafana/poolgate.json')) as Dashboard;
  assert.ok(panels.length > 10);
  assert.equal(new Set(panels.map(({ id }) => id)).size, panels.length);
  const expressions = panels.flatMap(({ targets }) => targets.map(({ expr }) => expr));
  for (const expression of expressions) assert.ok(metricsIn(expression).length > 0, expression);
  await requireServed(expressions);
});
