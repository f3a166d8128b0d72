import type { Socket } from 'node:net';
import { test } from 'tap';
import { readResponse } from '../../src/timestamps/read-response.ts';
import { readBundle } from '../../src/verifier/bundle/read-bundle.ts';
import { hashOf, prove } from '../support/api-client.ts';
import { fetchBundle } from '../support/certificate-client.ts';
import { startHosted } from '../support/ledger-process.ts';
import { openOrganisation } from '../support/open-organisation.ts';
import { opsJson } from '../support/operator.ts';
import { countEventsAt, startProgram, stop } from '../support/program.ts';
import {
  createTimestampAuthority,
  granting,
  serveTimestamps,
} from '../support/timestamp-authority.ts';
import { until } from '../support/until.ts';
import { withAccuracy } from '../support/with-accuracy.ts';

test('an authority that accepts and hangs delays nothing and is told; one token then covers two proofs', async (t) => {
  const { env: hosted, databaseUrl } = await startHosted(t, { closeMs: 250 });
  const authority = await createTimestampAuthority(t);
  const hanging: Socket[] = [];
  const served = await serveTimestamps(t, (_query, { socket }) => {
    hanging.push(socket);
    return null;
  });
  const env = {
    ...hosted,
    ...{ TSA_URL: served.url, TSA_CERTIFICATES: authority.rootFile, METRICS_PORT: '0' },
    ...{ LOG_LEVEL: 'info', CHECKPOINT_INTERVAL_MS: '50' },
  };
  const organisation = await openOrganisation(env);
  const program = await startProgram(t, env);
  const caller = { ...organisation, address: program.address };
  const [, port] = await program.said(/"port":(\d+),"msg":"metrics are served"/, 'stderr');
  const metric = async (name: string) => {
    const text = await (await fetch(`http://127.0.0.1:${port}/metrics`)).text();
    return Number(new RegExp(`^proofmark_timestamp_${name} (\\S+)$`, 'm').exec(text)?.[1]);
  };
  const bundleOf = async (proofId: string) => {
    const { status, bytes } = await fetchBundle(caller, proofId);
    t.equal(status, 200);
    const bundle = readBundle(bytes.toString());
    return 'timestamp' in bundle ? bundle.timestamp : null;
  };
  const checkpoint = () => opsJson(t, env, 'log', 'checkpoint');

  const first = await prove(caller, hashOf('first'));
  await checkpoint();
  await until('the authority is asked', async () => served.asked === 1);
  const second = await prove(caller, hashOf('second'));
  const covering = await checkpoint();
  t.match(covering, { isNew: true, size: Number });
  t.equal(await bundleOf(first.proofId), null, 'a bundle does not wait for the token');
  t.equal((await fetch(`${program.address}/readyz`)).status, 200);
  t.equal(served.asked, 1, 'it still hangs');
  await until('the missing token shows', async () => (await metric('pending_seconds')) > 0);
  t.equal(await metric('requests_total{outcome="failed"}'), 0);

  served.respond = (query) => authority.answer(query);
  for (const socket of hanging) socket.destroy();
  await program.said(/time-stamping authority issued no token; trying again/, 'stderr');
  t.equal(await metric('requests_total{outcome="failed"}'), 1);
  await until('the token is recorded', async () => {
    return (await countEventsAt(databaseUrl, 'CheckpointTimestamped')) === 1;
  });
  const tokens = await until('both bundles have a token', async () => {
    const found = [await bundleOf(first.proofId), await bundleOf(second.proofId)];
    return found.every((one) => one !== null) && found;
  });
  const [one, other] = tokens;
  t.equal(one?.token, other?.token, 'one token for both');
  t.equal(one?.checkpointText, other?.checkpointText);
  t.equal(Number(one?.checkpointText.split('\n')[1]), Number(covering.size));
  t.notSame(one?.hashes, other?.hashes, 'each with its own path to the root');
  const text = Buffer.from(one?.checkpointText ?? '');
  t.ok(await authority.accepts(Buffer.from(one?.token ?? '', 'base64'), text));
  t.equal(served.asked, 2);
  t.equal(await metric('pending_seconds'), 0);
  t.match(await stop(program), { code: 0 });
});

test('an inaccurate token is not recorded; a program ends at once while an authority hangs', async (t) => {
  const { env: hosted, databaseUrl } = await startHosted(t, { closeMs: 250 });
  const authority = await createTimestampAuthority(t);
  const served = await serveTimestamps(t, async (query) => {
    if (served.asked > 1) return null;
    const content = await authority.contentOf(readResponse(await authority.answer(query)));
    return granting(await authority.sign(withAccuracy(content, '300402020258')));
  });
  const env = {
    ...hosted,
    ...{ TSA_URL: served.url, TSA_CERTIFICATES: authority.rootFile, CHECKPOINT_INTERVAL_MS: '50' },
  };
  const organisation = await openOrganisation(env);
  const program = await startProgram(t, env);
  await prove({ ...organisation, address: program.address }, hashOf('one'));
  await opsJson(t, env, 'log', 'checkpoint');
  await program.said(/may be wrong by 600 s, more than the 300 s/, 'stderr');
  await until('the authority is asked again', async () => served.asked === 2);
  t.equal(await countEventsAt(databaseUrl, 'CheckpointTimestamped'), 0);
  t.match(await stop(program), { code: 0 });
});
