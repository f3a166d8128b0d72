import { test } from 'tap';
import { findEmbeddedPostgres } from '../../src/embedded/postgres/find-embedded-postgres.ts';
import { query } from '../embedded/run-service.ts';
import { hashOf, postProof, queueProof } from '../support/api-client.ts';
import { liftLimits } from '../support/lift-limits.ts';
import { firstKey, newDataDir, startProgram, stop } from '../support/program.ts';
import { until } from '../support/until.ts';
import { callWebhooks, developmentRules } from '../support/webhook-client.ts';
import { startReceiver, status } from '../support/webhook-receiver.ts';

test('a program killed between sending and recording a delivery sends it again with the same id', async (t) => {
  const dataDir = await newDataDir(t);
  const env = { ...developmentRules, DATA_DIR: dataDir };
  const killed = await startProgram(t, env);
  const caller = { address: killed.address, ...(await firstKey(killed)) };
  await liftLimits(dataDir);
  const receiver = await startReceiver(t, {
    script(request, response, count) {
      // The receiver has the delivery, and the service does not know it yet.
      killed.kill('SIGKILL');
      status(204)(request, response, count);
    },
  });
  const json = { url: `${receiver.url}/in`, events: ['proof.completed'] };
  const { id } = (await callWebhooks(caller, 'POST', '', json)).body.data;
  const hashes = [1, 2, 3].map((each) => hashOf(`told of ${each}`));
  await Promise.allSettled(hashes.map((hash) => queueProof(caller, hash)));
  t.match(await killed.ended, { signal: 'SIGKILL' });
  const before = receiver.received.map(({ headers }) => headers['webhook-id']);
  t.ok(before.length > 0);

  receiver.answer(status(200));
  const program = await startProgram(t, env);
  const again = { ...caller, address: program.address };
  await Promise.all(hashes.map((hash) => postProof(again, hash)));
  // Expire the leases of the killed process, as if a minute had passed.
  const postgres = await findEmbeddedPostgres({ dataDir });
  await query(postgres?.url ?? '', 'UPDATE webhook_deliveries SET leased_until = now()');
  const log = await until('all deliveries are recorded', async () => {
    const { data } = (await callWebhooks(again, 'GET', `/${id}/deliveries`)).body;
    const delivered = data.filter((item: { status: string }) => item.status === 'delivered');
    return delivered.length === 3 && data;
  });
  t.equal(log.length, 3, 'one delivery for each proof');
  const ids = log.map((item: { id: string }) => item.id).toSorted();
  const received = receiver.received.map(({ headers }) => headers['webhook-id']);
  t.strictSame(
    [...new Set(received)].toSorted(),
    ids,
    'the receiver got each delivery and nothing else',
  );
  const repeated = received.slice(before.length);
  t.strictSame(
    before.filter((one) => !repeated.includes(one)),
    [],
    'with the same ids',
  );
  t.match(await stop(program), { code: 0 });
});
