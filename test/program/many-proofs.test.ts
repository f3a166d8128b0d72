import { test } from 'tap';
import { readLedgerProofs } from '../../ops/crash/ledger-history.ts';
import { dataOf, hashOf, postProof, recipe, verify } from '../support/api-client.ts';
import { openOrganisation } from '../support/open-organisation.ts';
import { ledgerOf } from '../support/own-ledger.ts';
import { newDataDir, startProgram, stop } from '../support/program.ts';
import { runCount } from '../support/run-count.ts';

const schemes = [undefined, 'sha256-plain-v1', 'hmac-sha256-nonce-v2', 'hmac-sha256-nonce-v3'];

/** Different hashes, and as many posts of one more. */
const count = runCount(40, 100);

test('many hashes and many posts of one more become a transaction each, which verify after a restart', async (t) => {
  const dataDir = await newDataDir(t);
  const env = { DATA_DIR: dataDir };
  const first = await startProgram(t, env);
  const caller = { address: first.address, ...(await openOrganisation(env)) };

  const hashes = Array.from({ length: count }, (_, index) => hashOf(`file ${index}`));
  const posts = hashes.map((hash, index) => {
    const hashScheme = schemes[index % schemes.length];
    return postProof(caller, hash, { hashScheme });
  });
  const copies = Array.from({ length: count }, () => postProof(caller, hashOf('copied')));
  const [different, same] = await Promise.all([Promise.all(posts), Promise.all(copies)]);

  t.strictSame(new Set(different.map(({ status }) => status)), new Set([201]));
  const created = same.filter(({ status }) => status === 201);
  const joined = same.filter(({ status, body }) => status === 200 && body.alreadyProven === true);
  t.equal(created.length, 1, 'one post of the same hash created the proof');
  t.equal(joined.length, count - 1, 'the others got the existing proof');
  t.notOk(created.some(({ body }) => 'alreadyProven' in body));
  t.equal(new Set(same.map((answer) => dataOf(answer).txHash)).size, 1);
  t.strictSame(new Set(joined.map((answer) => dataOf(answer).proofNonce)), new Set([null]));
  t.match(await stop(first), { code: 0, stderr: '' });

  const { address } = await startProgram(t, env);
  const proofs = [...different, ...created].map(dataOf);
  t.strictSame(
    new Set(proofs.map(({ hashScheme }) => hashScheme)),
    new Set(schemes.slice(1)),
    'every scheme was used',
  );
  const expected = proofs.map((proof, index) => ({
    txHash: proof.txHash,
    ledgerIndex: proof.ledgerIndex,
    fileHash: recipe(hashes[index] ?? hashOf('copied'), proof),
    hashScheme: proof.hashScheme,
  }));
  const shown = await Promise.all(
    proofs.map(async ({ txHash, ledgerIndex, timestamp }) => {
      const { status, body } = await verify(address, txHash);
      t.match(body.data, { verified: true, ledgerIndex, ledgerCloseTime: timestamp });
      return { status, txHash: body.data?.transactionHash, ledgerIndex, ...body.data?.memo };
    }),
  );
  t.strictSame(
    shown,
    expected.map((proof) => ({ status: 200, ...proof })),
    'the anchored value can be recomputed from digest and nonce',
  );

  const { url, account } = await ledgerOf(dataDir);
  const anchored = await readLedgerProofs(url, [account]);
  t.equal(anchored.length, count + 1, 'the ledger holds one transaction for each hash');
  const byHash = (a: { txHash: string | null }, b: { txHash: string | null }) =>
    String(a.txHash) < String(b.txHash) ? -1 : 1;
  t.strictSame(
    anchored.toSorted(byHash),
    expected.map((proof) => ({ ...proof, result: 'tesSUCCESS' })).sort(byHash),
  );
});
