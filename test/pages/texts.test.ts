import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'tap';
import { fillTexts } from '../../src/http/pages/fill-texts.ts';
import { readTransactionHash } from '../../src/pages/read-transaction-hash.js';

const folder = join(import.meta.dirname, '../../src/pages');
const read = (name: string) => readFileSync(join(folder, name), 'utf8');
const texts: Record<string, Record<string, string>> = JSON.parse(read('texts/en.json'));
const has = (name: string) => {
  const [section = '', key = ''] = name.split('.');
  return texts[section]?.[key] !== undefined;
};
const matches = (text: string, pattern: RegExp) =>
  [...text.matchAll(pattern)].map(([, name]) => String(name));

test('every text named by scripts exists, and no other', async (t) => {
  const scripts = globSync('*.js', { cwd: folder }).map(read).join('\n');
  const pages = globSync('*.html', { cwd: folder }).map(read).join('\n');
  const named = new Set([
    ...matches(
      scripts,
      /'((?:common|home|verify|given|kind|summary|verdict|step|status|outcome|claim|value|chain|log|reference|issuer)\.\w+)'/g,
    ),
    ...matches(pages, /\{\{((?!page\.)\w+\.\w+)\}\}/g),
    ...['home', 'verify', 'log', 'reference', 'problem', 'shared'].flatMap((page) => [
      `${page}.title`,
      `${page}.lead`,
    ]),
  ]);
  const reasons = readFileSync(join(folder, '../verifier/bundle/no-bundle.ts'), 'utf8');
  for (const why of matches(reasons, /\| '(\w+)'/g)) {
    // Reasons with texts of their own, or shown as malformed by `judge-file.js`.
    if (['noBundle', 'unreadablePdf'].includes(why)) continue;
    named.add(`verdict.${why}`).add(`verdict.${why}Body`);
  }
  const steps = ['judge-steps.js', 'certificate-steps.js'].map(read).join('\n');
  const outcomes = matches(steps, /(?:text: |text = .*|\? |: )'(\w+)'/g);
  const failing = [
    ...matches(steps, /status: 'failed', text: '(\w+)'/g),
    ...matches(read('judge-issued.js'), /'failed', '(\w+)'/g),
  ];
  for (const name of outcomes)
    if (texts.outcome?.[name] !== undefined) named.add(`outcome.${name}`);
  for (const network of ['Mainnet', 'Testnet', 'Standalone']) named.add(`outcome.heldBy${network}`);
  const judges = ['judge.js', 'judge-file.js', 'judge-items.js'].map(read).join('\n');
  const verdicts = matches(judges, /'(\w+)'/g).filter((name) => has(`verdict.${name}Body`));
  const asking = ['ask-ledger.js', 'ask-service.js'].map(read).join('\n');
  const states = matches(asking, /'(\w+)'/g).filter((name) => has(`verdict.${name}Body`));
  const wrong = ['hashIsNotAnchored', 'commitmentDiffers', 'fileOrNonceDiffers'];
  for (const name of [...verdicts, ...states, ...failing, ...wrong]) {
    named.add(`verdict.${name}`).add(`verdict.${name}Body`);
  }
  for (const name of ['mainnet', 'testnet', 'standalone', 'retired', 'factsUnknown'])
    named.add(`home.${name}`);
  for (const name of ['keySigns', 'keyRetired', 'keyCompromised']) named.add(`home.${name}`);
  const filling = readFileSync(join(folder, '../http/pages/fill-shared.ts'), 'utf8');
  for (const name of matches(filling, /'(\w+)'/g))
    if (has(`shared.${name}`)) named.add(`shared.${name}`);
  const problems = readFileSync(join(folder, '../http/pages/fill-problem.ts'), 'utf8');
  for (const kind of matches(problems, /[=|] '(\w+)'/g)) {
    for (const part of ['Heading', 'Reason', 'Lead']) {
      if (has(`problem.${kind}${part}`)) named.add(`problem.${kind}${part}`);
    }
  }
  named.add('problem.heading');
  for (const name of ['operatedBy', 'imprint', 'privacyPolicy', 'contact'])
    named.add(`common.${name}`);
  const ofLog = ['show-checkpoint.js', 'show-log-state.js'].map(read).join('\n');
  for (const state of matches(ofLog, /'(\w+)'/g)) {
    if (has(`log.${state}Body`)) named.add(`log.${state}`).add(`log.${state}Body`);
  }
  for (const section of ['kind', 'step', 'status', 'value', 'outcome', 'claim', 'summary']) {
    for (const name of Object.keys(texts[section] ?? {})) {
      if ([`'${name}'`, `${name}:`, ` ${name},`].some((use) => scripts.includes(use)))
        named.add(`${section}.${name}`);
    }
  }
  t.strictSame(
    [...named].filter((name) => !has(name)),
    [],
  );
  const all = Object.entries(texts).flatMap(([section, each]) =>
    Object.keys(each).map((name) => `${section}.${name}`),
  );
  t.strictSame(
    all.filter((name) => !named.has(name)),
    [],
  );
});

test('texts cannot become HTML or end the script around them', async (t) => {
  const filled = fillTexts(
    'verify',
    '<html lang="en"><p title="{{a.b}}">{{a.b}}</p><script>"{{texts}}"</script>',
    { a: { b: '"</script><b>&$&' } },
    'de',
  );
  t.equal(
    filled,
    '<html lang="de"><p title="&quot;&lt;/script>&lt;b>&amp;$&amp;">&quot;&lt;/script>&lt;b>&amp;$&amp;</p>' +
      '<script>{"a":{"b":"\\"\\u003c/script>\\u003cb>&$&"}}</script>',
  );
  const other = { log: { b: 'x' }, home: { c: 'y' } };
  t.equal(fillTexts('log', '"{{texts}}"', other, 'en'), '{"log":{"b":"x"}}', 'of its scripts only');
  t.throws(() => fillTexts('verify', '{{a.c}}', { a: {} }, 'en'), /a\.c/);
});

test('finds a transaction hash in text as people paste it', async (t) => {
  const hash = 'AB'.repeat(32);
  const rows: [string, string | null][] = [
    [hash, hash],
    [` ${hash.toLowerCase()}\n`, hash],
    [`${hash.slice(0, 30)} ${hash.slice(30)}`, hash],
    [`https://livenet.xrpl.org/transactions/${hash}`, hash],
    [`https://x.example/verify/${hash}/?a=b#c`, hash],
    [hash.slice(1), null],
    [`${hash}0`, null],
    [`g${hash.slice(1)}`, null],
    ['', null],
  ];
  for (const [given, expected] of rows) t.equal(readTransactionHash(given), expected, given);
});
