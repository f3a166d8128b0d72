import { once } from 'node:events';
import { createServer } from 'node:http';
import { test } from 'tap';
import { Alerts } from '../../../ops/following/alerts.ts';
import { condition } from '../../../ops/following/condition.ts';
import { newFolder } from '../../support/blobs.ts';

test('an alert that the webhook refuses does not hold up those after it', async (t) => {
  const taken: string[] = [];
  const server = createServer(async (request, response) => {
    const body = Buffer.concat(await request.toArray()).toString();
    const { kind } = JSON.parse(body);
    // As a receiver that takes small bodies only.
    if (body.length > 10_000) return response.writeHead(413).end();
    taken.push(kind);
    return response.end();
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  t.teardown(() => server.close());
  const { port } = server.address() as { port: number };
  const said: string[] = [];
  const alerts = await Alerts.open({
    folder: await newFolder(t),
    log: 'https://log.example',
    webhook: `http://127.0.0.1:${port}/`,
    say: (text) => said.push(text),
  });
  const foreign = condition('foreign-signature', 'large', ['x'.repeat(20_000)]);
  await alerts.update([foreign]);
  t.strictSame(taken, []);
  await alerts.update([foreign, condition('fork', 'two histories')]);
  t.strictSame(taken, ['fork']);
  t.equal(alerts.unsent, 1);
  t.match(said.at(-1), /it answers 413 to foreign-signature|ALERT fork/);
});

test('the number of alerts of one kind has a limit, each kind its own', async (t) => {
  const alerts = await Alerts.open({
    folder: await newFolder(t),
    log: 'https://log.example',
    webhook: null,
    say: () => {},
  });
  const forks = Array.from({ length: 120 }, (_, n) => ({
    ...condition('fork', 'two histories'),
    about: String(n),
  }));
  await alerts.update([...forks, condition('stopped', 'no new checkpoint')]);
  t.equal(alerts.count('fork'), 100);
  t.equal(alerts.count('stopped'), 1);
});
