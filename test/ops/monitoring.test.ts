import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'tap';
import { parse } from 'yaml';
import { z } from 'zod';
import { scrapeAll } from '../support/all-metrics.ts';
import { readDocument } from '../support/documents.ts';
import { announcedTypes, readExposition } from '../support/exposition.ts';
import { familyOf, metricNames } from '../support/metric-names.ts';
import { projectRoot } from '../support/run.ts';

const folder = join(projectRoot, 'ops/monitoring');
const read = (name: string) => readFileSync(join(folder, name), 'utf8');

/** Metric that Prometheus itself adds for each target. */
const ofScrapes = 'up';

const rulesSchema = z.strictObject({
  groups: z.array(
    z.strictObject({
      name: z.string(),
      rules: z.array(
        z.strictObject({
          alert: z.string().regex(/^Proofmark[A-Za-z]+$/),
          expr: z.string(),
          for: z.string().regex(/^\d+[smh]$/),
          labels: z.strictObject({ severity: z.enum(['critical', 'warning']) }),
          annotations: z.strictObject({ summary: z.string(), runbook: z.string() }),
        }),
      ),
    }),
  ),
});

/** The part of a panel that the tests check. */
const dashboardSchema = z.object({
  uid: z.string(),
  title: z.string(),
  panels: z.array(
    z.object({
      id: z.number(),
      title: z.string(),
      description: z.string().optional(),
      type: z.string(),
      gridPos: z.object({ x: z.number(), y: z.number(), w: z.number(), h: z.number() }),
      targets: z.array(z.object({ expr: z.string() })).optional(),
    }),
  ),
});

const rules = rulesSchema.parse(parse(read('alerts.yml'))).groups.flatMap((group) => group.rules);
const dashboard = dashboardSchema.parse(JSON.parse(read('dashboard.json')));

test('alert rules and dashboard name only existing metrics, and the dashboard shows every metric of the service', async (t) => {
  const text = await scrapeAll();
  readExposition(text);
  const families = announcedTypes(text);
  const inRules = rules
    .flatMap(({ expr }) => metricNames(expr))
    .filter((name) => name !== ofScrapes);
  const queries = dashboard.panels.flatMap(({ targets = [] }) => targets);
  // Replaces a variable of Grafana by a duration, to get valid PromQL.
  const plain = queries.map(({ expr }) => expr.replaceAll('$__rate_interval', '5m'));
  const inDashboard = plain.flatMap(metricNames);
  for (const name of new Set([...inRules, ...inDashboard])) {
    t.ok(families.has(familyOf(name, families)), `${name} exists`);
  }
  const shown = new Set(inDashboard.map((name) => familyOf(name, families)));
  for (const name of families.keys()) {
    // Followers and witnesses are programs of others, who watch a service from outside.
    const isOwn = /^proofmark_(?!follow_|witness_server_)/.test(name);
    if (isOwn) t.ok(shown.has(name), `${name} is shown`);
  }
});

test('every panel of the dashboard has a description', async (t) => {
  for (const { title, type, description } of dashboard.panels) {
    if (type !== 'row') t.match(description, /^[A-Z0-9].*\.$/, title);
  }
});

test('metric names follow the rules of Prometheus', async (t) => {
  for (const [name, type] of announcedTypes(await scrapeAll())) {
    if (!name.startsWith('proofmark_')) continue;
    t.match(name, /^proofmark(_[a-z0-9]+)+$/);
    t.equal(name.endsWith('_total'), type === 'counter', `${name}: counters alone end with _total`);
    t.notMatch(name, /_(ms|millis|milliseconds|minutes|kb|percent)(_|$)/, 'base units');
    t.notMatch(name, /_(count|sum|bucket)$/, 'no suffix of histograms');
  }
});

test('every alert links to a section of the runbook, and no panel overlaps another', async (t) => {
  const { anchors } = readDocument('docs/runbook.md');
  for (const { alert, annotations } of rules) {
    const [, anchor = ''] = /^docs\/runbook\.md#(.+)$/.exec(annotations.runbook) ?? [];
    t.ok(anchors.has(anchor), `${alert}: ${annotations.runbook}`);
  }
  t.equal(new Set(rules.map(({ alert }) => alert)).size, rules.length);
  const { panels } = dashboard;
  t.equal(new Set(panels.map(({ id }) => id)).size, panels.length);
  for (const [index, { gridPos: a, title }] of panels.entries()) {
    t.ok(a.x + a.w <= 24, title);
    for (const { gridPos: b } of panels.slice(index + 1)) {
      const apart = a.x + a.w <= b.x || b.x + b.w <= a.x || a.y + a.h <= b.y || b.y + b.h <= a.y;
      t.ok(apart, `${title} overlaps no other`);
    }
  }
});

/** Runs Prometheus' own tool if it is installed. The tests above cover most of its checks. */
test('promtool accepts rules, configuration and metrics', async (t) => {
  if (spawnSync('promtool', ['--version']).error) {
    t.comment('promtool is not installed: skipped');
    return;
  }
  const asked = (args: readonly string[], input?: string) => {
    const { status, stdout, stderr } = spawnSync('promtool', args, { encoding: 'utf8', input });
    t.equal(status, 0, `${stdout}${stderr}`);
  };
  asked(['check', 'rules', join(folder, 'alerts.yml')]);
  asked(['check', 'config', join(folder, 'prometheus.yml')]);
  asked(['check', 'metrics'], await scrapeAll());
  asked(['test', 'rules', join(folder, 'alerts.test.yml')]);
});
