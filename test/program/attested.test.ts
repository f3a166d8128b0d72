import { test } from 'tap';
import { readBundle } from '../../src/verifier/bundle/read-bundle.ts';
import { query } from '../embedded/run-service.ts';
import { hashOf, postProof } from '../support/api-client.ts';
import { plain } from '../support/interrupted-posts.ts';
import { startHosted } from '../support/ledger-process.ts';
import { openOrganisation } from '../support/open-organisation.ts';
import { startProgram, stop } from '../support/program.ts';
import { isThorough } from '../support/run-count.ts';
import { createTimestampAuthority, serveTimestamps } from '../support/timestamp-authority.ts';
import { until } from '../support/until.ts';

interface Stamped {
  readonly checkpointText: string;
  readonly token: string;
}

test('every ledger with a proof is attested, and its time stamped, once, although services are killed', async (t) => {
  const { env: hosted, databaseUrl, ledger } = await startHosted(t, { closeMs: 250 });
  const { url, publisherKey } = ledger.validatorList;
  const authority = await createTimestampAuthority(t);
  const stamping = await serveTimestamps(t, (asked) => authority.answer(asked));
  const env = {
    ...{ ...hosted, XRPL_TESTNET_VALIDATOR_LISTS: `${url}=${publisherKey}` },
    ...{ TSA_URL: stamping.url, TSA_CERTIFICATES: authority.rootFile },
    CHECKPOINT_ANCHOR_INTERVAL_MS: '500',
  };
  const organisation = await openOrganisation(env);
  const count = async (what: string) => {
    const [row] = await query(databaseUrl, `SELECT count(*) AS n FROM events WHERE ${what}`);
    return Number(row?.n);
  };
  const listed = () => count(`type = 'ValidatorListPublished'`);
  let posted = 0;
  const post = async (address: string) => {
    posted += 1;
    return postProof({ address, ...organisation }, hashOf(String(posted)), plain);
  };
  /** As clients do: on a slow machine a transaction of these fast ledgers may expire. */
  const postAgain = async (address: string) => {
    for (let left = 4; ; left -= 1) {
      const answer = await post(address);
      if (answer.status !== 502 || left === 0) return answer;
    }
  };
  const rounds = isThorough ? 3 : 2;
  for (let round = 1; round <= rounds; round += 1) {
    const one = await startProgram(t, { ...env, LOG_LEVEL: 'fatal' });
    await until('the list is on record', async () => (await listed()) > 0);
    t.match(await postAgain(one.address), { status: 201 }, `round ${round}`);
    const last = post(one.address).catch(() => null);
    await until('the second proof is signed', async () =>
      (await count(`type = 'AnchorPrepared'`)) > posted - 1 ? true : null,
    );
    one.kill('SIGKILL');
    await last;
    await one.ended;
  }
  const final = await startProgram(t, { ...env, LOG_LEVEL: 'fatal' });
  const { status, body } = await postAgain(final.address);
  t.equal(status, 201);
  const get = (path: string) =>
    fetch(`${final.address}/api/v1/proofs/${body.data?.proofId}${path}`, {
      headers: { Authorization: `Bearer ${organisation.key}` },
    });
  t.equal((await get('/bundle')).status, 200);
  const unattested = `type = 'Anchored' AND NOT EXISTS (
    SELECT FROM events AS one WHERE one.stream =
      'attestation-' || (events.data::json->>'ledgerId') || '-' || (events.data::json->>'ledgerIndex'))`;
  await until('every ledger is attested', async () =>
    (await count(unattested)) === 0 ? true : null,
  );
  t.equal(await listed(), 1, 'the list is on record once');
  t.ok((await count(`type = 'Anchored'`)) > rounds);
  const [twice] = await query(
    databaseUrl,
    `SELECT stream FROM events WHERE stream ~ '^(attestation|timestamp)-' AND version > 1`,
  );
  t.equal(twice, undefined, 'a ledger is attested once, and a checkpoint stamped once');
  const linked = await count(`type = 'LedgerLinked'`);
  t.comment(`${await count(`type = 'LedgerAttested'`)} attested, ${linked} linked`);
  const stamped = await until('the time is stamped', async () => {
    const response = await get('/timestamp');
    const { data } = (await response.json()) as { readonly data: Stamped };
    return response.ok && data;
  });
  const bundle = await until('a certificate has the token, without a request', async () => {
    const listed = (await (await get('/certificates')).json()) as { readonly data: unknown[] };
    const newest = readBundle(await (await get(`/bundle?number=${listed.data.length}`)).text());
    if (newest.version !== 6 || newest.timestamp === null) return null;
    return { timestamp: newest.timestamp, attestation: newest.attestation };
  });
  t.equal(bundle.timestamp.token, stamped.token);
  t.ok(bundle.attestation);
  const token = Buffer.from(stamped.token, 'base64');
  t.ok(await authority.accepts(token, Buffer.from(stamped.checkpointText)));
  await stop(final);
});
