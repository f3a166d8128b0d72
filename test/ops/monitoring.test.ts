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

/** What Prometheus adds to each target by itself. */
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

/** A panel, as far as it is looked at. */
const dashboardSchema = z.object({
  uid: z.string(),
  title: z.string(),
  panels: z.array(
    z.object({
      id: z.number(),
      title: z.string(),
      type: z.string(),
      gridPos: z.object({ x: z.number(), y: z.number(), w: z.number(), h: z.number() }),
      targets: z.array(z.object({ expr: z.string() })).optional(),
    }),
  ),
});

const rules = rulesSchema.parse(parse(read('alerts.yml'))).groups.flatMap((group) => group.rules);
const dashboard = dashboardSchema.parse(JSON.parse(read('dashboard.json')));

test('every metric that the alert rules and the dashboard name is there, and every one is shown', async (t) => {
  const text = await scrapeAll();
  readExposition(text);
  const families = announcedTypes(text);
  const inRules = rules
    .flatMap(({ expr }) => metricNames(expr))
    .filter((name) => name !== ofScrapes);
  const queries = dashboard.panels.flatMap(({ targets = [] }) => targets);
  // Grafana's own variables stand where a duration or a label's value is to be.
  const plain = queries.map(({ expr }) => expr.replaceAll('$__rate_interval', '5m'));
  const inDashboard = plain.flatMap(metricNames);
  for (const name of new Set([...inRules, ...inDashboard])) {
    t.ok(families.has(familyOf(name, families)), `${name} is told`);
  }
  const shown = new Set(inDashboard.map((name) => familyOf(name, families)));
  for (const name of families.keys()) {
    if (name.startsWith('proofmark_')) t.ok(shown.has(name), `${name} is shown`);
  }
});

test('metrics are named as Prometheus advises', async (t) => {
  for (const [name, type] of announcedTypes(await scrapeAll())) {
    if (!name.startsWith('proofmark_')) continue;
    t.match(name, /^proofmark(_[a-z0-9]+)+$/);
    t.equal(name.endsWith('_total'), type === 'counter', `${name}: counters alone end with _total`);
    t.notMatch(name, /_(ms|millis|milliseconds|minutes|kb|percent)(_|$)/, 'base units');
    t.notMatch(name, /_(count|sum|bucket)$/, 'the suffixes of histograms');
  }
});

test('every alert leads to a place in the runbook, and no panel lies over another', async (t) => {
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
      t.ok(apart, `${title} is covered`);
    }
  }
});

/** Prometheus' own tool, where the machine has it: the tests above say most of the same without it. */
test('promtool finds nothing wrong with rules, configuration and metrics', async (t) => {
  if (spawnSync('promtool', ['--version']).error) {
    t.comment('promtool is not installed: not asked');
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
