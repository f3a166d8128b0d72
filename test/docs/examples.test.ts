import { Webhook } from 'standardwebhooks';
import { test } from 'tap';
import { loadConfig } from '../../src/config.ts';
import { sign } from '../../src/webhooks/sign.ts';
import { closedDocument, type Json } from '../support/contract/closed-document.ts';
import { createSchemaChecks, pointerTo } from '../support/contract/schemas.ts';
import { type Block, readDocument, readGuides } from '../support/documents.ts';

const document = closedDocument();
const check = createSchemaChecks(document);
const blocks = readGuides().flatMap((guide) => guide.blocks);
const ofLanguage = (language: string) => blocks.filter((block) => block.language === language);

/** Placeholder in an example for omitted members. */
const omitted = '…';

test('every JSON example matches the schema of its call or webhook', async (t) => {
  const examples = ofLanguage('json');
  for (const block of examples) t.equal(faultOf(block), null, `${block.place}: ${block.info}`);
  t.ok(examples.length > 14);
});

function faultOf({ info, text }: Block): string | null {
  const shown: Json = JSON.parse(text);
  const [method = '', subject = '', status] = info.split(' ');
  if (method === 'webhook') return webhookFault(subject, shown);
  const place = ['paths', subject, method.toLowerCase()];
  const operation = place.reduce((at: Json, name) => at?.[name], document);
  if (operation === undefined) return 'a JSON example names its call, as in json POST /proofs 201';
  if (status === undefined) {
    const pointer = pointerTo(...place, 'requestBody', 'content', 'application/json', 'schema');
    return check(pointer, shown);
  }
  const response = operation.responses[status];
  if (response === undefined) return `${status} is no answer`;
  const at = response.$ref ?? pointerTo(...place, 'responses', status);
  const found = response.$ref
    ? document.components.responses[String(response.$ref).split('/').at(-1) ?? '']
    : response;
  const { example } = found.content['application/json'];
  const whole = complete(shown, example);
  return check(`${at}/${pointerTo('content', 'application/json', 'schema').slice(2)}`, whole);
}

/** The example completed with omitted members from the documented one. */
function complete(shown: Json, example: Json): Json {
  if (Array.isArray(shown)) return shown.map((each) => complete(each, example?.[0]));
  if (typeof shown !== 'object' || shown === null) return shown;
  const { [omitted]: isOpen, ...visible } = shown;
  const members = Object.entries(visible).map(([name, value]) => [
    name,
    complete(value, example?.[name]),
  ]);
  return { ...(isOpen === undefined ? {} : example), ...Object.fromEntries(members) };
}

function webhookFault(kind: string, shown: Json): string | null {
  const at = ['webhooks', kind, 'post', 'requestBody', 'content', 'application/json'];
  const media = at.reduce((from: Json, name) => from?.[name], document);
  if (media === undefined) return 'there is no such kind';
  return check(pointerTo(...at, 'schema'), complete(shown, media.example));
}

test('the verification snippet accepts only a genuine delivery', async (t) => {
  const [block] = ofLanguage('js').filter(({ info }) => info === 'standardwebhooks');
  const [first = '', ...rest] = (block?.text ?? '').split('\n');
  t.equal(first, "import { Webhook } from 'standardwebhooks';");
  const body = `${rest.join('\n')}\nreturn { type, timestamp, data };`;
  const snippet = new Function('Webhook', 'secret', 'rawBody', 'headers', body);
  const { secret } =
    document.paths['/webhooks'].post.responses[201].content['application/json'].example.data;
  const [example] = ofLanguage('json').filter(({ info }) => info === 'webhook proof.completed');
  const message = { id: 'msg', timestampSeconds: Math.floor(Date.now() / 1_000) };
  const rawBody = JSON.stringify(JSON.parse(example?.text ?? ''));
  const headers = sign({ ...message, body: rawBody }, [secret]);
  t.match(snippet(Webhook, secret, rawBody, headers), { type: 'proof.completed' });
  t.throws(() => snippet(Webhook, secret, `${rawBody} `, headers));
});

test('every configuration example is accepted', async (t) => {
  const folder = t.testdir();
  const secrets: Readonly<Record<string, string>> = {
    DATABASE_URL: 'postgres://proofmark:secret@db:5432/proofmark',
    MASTER_KEY: Buffer.alloc(32, 1).toString('base64'),
    LOG_KEY: Buffer.alloc(32, 2).toString('base64'),
    XRPL_MAINNET_ACCOUNTS: 'sEdTM1uX8pu2do5XvTnutH6HsouMaM2',
  };
  const examples = ofLanguage('ini');
  t.ok(examples.length > 0);
  for (const { text } of examples) {
    const given = text.split('\n').flatMap((line) => {
      const [, name = '', value = ''] = /^(\w+)=(.+)$/.exec(line) ?? [];
      const plain = name.replace(/_FILE$/, '');
      return name === '' ? [] : [plain === name ? [name, value] : [plain, secrets[plain]]];
    });
    t.equal(loadConfig({ ...Object.fromEntries(given), DATA_DIR: folder }).port, 3000);
  }
});

test('the checkpoint in the audit guide is signed and matches the documented inclusion proof', async (t) => {
  const { content } = document.paths['/proofs/{proofId}/inclusion'].get.responses[200];
  const { checkpoint } = content['application/json'].example.data;
  const shown = readDocument('docs/audit.md').blocks.find(({ language }) => language === 'text');
  t.equal(shown?.text, checkpoint);
});

test('the rate limit headers in the API guide are those of the default limits', async (t) => {
  const [block] = ofLanguage('http');
  const fields = Object.fromEntries(
    (block?.text ?? '')
      .trim()
      .split('\n')
      .map((line) => line.split(/: (.*)/s).slice(0, 2)),
  );
  const example = (name: string) => document.components.headers[name].example;
  t.equal(fields['RateLimit-Policy'], example('RateLimit-Policy'));
  const windows = (text: string) => [...text.matchAll(/"([\w-]+)"/g)].map(([, name]) => name);
  t.strictSame(windows(fields.RateLimit), windows(example('RateLimit')));
});

test('sequence diagrams name their participants, and every block ends', async (t) => {
  const diagrams = ofLanguage('mermaid');
  t.ok(diagrams.length > 4);
  for (const { place, text } of diagrams) {
    const [kind, ...lines] = text
      .trim()
      .split('\n')
      .map((line) => line.trim());
    t.match(kind, /^(flowchart (LR|TB)|sequenceDiagram)$/, place);
    if (kind !== 'sequenceDiagram') continue;
    const names = lines.flatMap((line) => /^participant (\w+) as .+$/.exec(line)?.[1] ?? []);
    // In Mermaid a semicolon ends a line at any place.
    t.notMatch(text, /;/, place);
    let depth = 0;
    for (const line of lines) {
      const [, from, to] = /^(\w+)--?>>(\w+): .+$/.exec(line) ?? [];
      const [, over] = /^Note over (\w+): .+$/.exec(line) ?? [];
      const isFrame = /^(alt|else|end|participant)\b/.test(line);
      if (/^alt /.test(line)) depth += 1;
      if (line === 'end') depth -= 1;
      t.ok(isFrame || [from, to, over].some((name) => name !== undefined), `${place}: ${line}`);
      for (const name of [from, to, over])
        if (name) t.ok(names.includes(name), `${place}: ${name}`);
    }
    t.equal(depth, 0, place);
  }
});
