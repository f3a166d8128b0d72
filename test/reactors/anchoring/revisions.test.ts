import { type Test, test } from 'tap';
import { Wallet } from 'xrpl';
import { giveUpProof } from '../../../src/commands/give-up-proof.ts';
import type { StoredUpload } from '../../../src/domain/document/upload.ts';
import type { ProofId } from '../../../src/domain/ulid.ts';
import {
  type AnchoredTransaction,
  type AnchoringSite,
  createAnchoringSite,
} from '../../support/anchoring-site.ts';

const meta = { actor: 'operator' } as const;
const idsOf = (uploads: readonly StoredUpload[]) => uploads.map(({ proofId }) => proofId);

/** A document with revisions, oldest first, all queued at once. */
async function chain(site: AnchoringSite, length: number): Promise<StoredUpload[]> {
  const uploads = [await site.upload()];
  const root = uploads[0]?.documentId;
  while (uploads.length < length) uploads.push(await site.upload(root));
  return uploads;
}

/** Transactions from the given one back to the first, newest first, found on the ledger alone. */
function walk(onLedger: readonly AnchoredTransaction[], from: string): AnchoredTransaction[] {
  const found: AnchoredTransaction[] = [];
  for (let next: string | null = from; next !== null; ) {
    const hash: string = next;
    const transaction = onLedger.find((candidate) => candidate.hash === hash);
    if (transaction === undefined) throw new Error(`${hash} is not on the ledger`);
    found.push(transaction);
    next = transaction.previous;
  }
  return found;
}

async function commitment(site: AnchoringSite, proofId: ProofId) {
  const state = await site.state(proofId);
  if (state.status !== 'completed') throw new Error(`${proofId} is ${state.status}`);
  return { hash: state.anchor.transactionHash, fileHash: state.request.commitment };
}

/**
 * Checks that the ledger alone leads from the last proof back to the first, through all of them.
 */
async function checkWalk(
  t: Test,
  site: AnchoringSite,
  proofIds: readonly ProofId[],
  accounts = [site.wallet.address],
): Promise<void> {
  const anchors = await Promise.all(proofIds.map((proofId) => commitment(site, proofId)));
  const walked = walk(await site.anchored(accounts), anchors.at(-1)?.hash ?? '');
  t.strictSame(
    walked.map(({ hash, fileHash }) => ({ hash, fileHash })),
    anchors.reverse(),
  );
}

test('walking back on the ledger alone reaches the first upload', async (t) => {
  const site = await createAnchoringSite(t);
  await site.start();
  const uploads = await chain(site, 6);
  const states = await site.settle(idsOf(uploads));
  t.ok(states.every(({ status }) => status === 'completed'));
  await checkWalk(t, site, idsOf(uploads));
  const ledgers = states.map((state) => state.status === 'completed' && state.anchor.ledgerIndex);
  t.equal(new Set(ledgers).size, uploads.length, 'each in a later ledger than the previous one');
  for (const state of states) {
    if (state.status !== 'completed') continue;
    const { previousTransactionHash } = state.prepared;
    const named = walk(await site.anchored(), state.anchor.transactionHash)[1]?.hash ?? null;
    t.equal(previousTransactionHash, named, 'recorded as on the ledger');
  }
});

test('waiting revisions do not delay other proofs, over several accounts', async (t) => {
  const site = await createAnchoringSite(t);
  const second = Wallet.generate();
  await site.fund([second.address]);
  await site.start({ wallets: [site.wallet, second] });
  await site.settle([await site.request()]);
  const chains = await Promise.all([1, 2, 3].map(() => chain(site, 4)));
  const others = await Promise.all(Array.from({ length: 40 }, () => site.request()));
  // Before another ledger closes, only proofs that wait for no other are signed.
  const firsts = chains.map(([first]) => first?.proofId as ProofId);
  for (const id of [...firsts, ...others]) {
    await site.until(id, ({ status }) => status === 'processing');
  }
  const later = chains.flatMap(([, ...rest]) => idsOf(rest));
  for (const id of later) t.equal((await site.state(id)).status, 'pending');
  const states = await site.settle([...others, ...later]);
  t.ok(states.every(({ status }) => status === 'completed'));
  const accounts = [site.wallet.address, second.address];
  for (const uploads of chains) await checkWalk(t, site, idsOf(uploads), accounts);
  const proofs = (await site.anchored(accounts)).filter(({ fileHash }) => fileHash !== null);
  t.equal(proofs.length, 1 + 40 + 12, 'each proof once');
});

test('a revision names a previous revision settled long ago', async (t) => {
  const site = await createAnchoringSite(t);
  const process = await site.start();
  const first = await site.upload();
  await site.settle([first.proofId]);
  await process.stop();
  await site.start();
  const second = await site.upload(first.documentId);
  await site.settle([second.proofId]);
  await checkWalk(t, site, idsOf([first, second]));
});

test('after a process stops in the middle of a chain, another one completes the chain', async (t) => {
  const site = await createAnchoringSite(t);
  const uploads = await chain(site, 6);
  const ids = idsOf(uploads);
  for (const last of [1, 3]) {
    const process = await site.start();
    await site.closeUntil(async () => {
      const { status } = await site.state(ids[last] as ProofId);
      return status === 'completed' || status === 'processing';
    });
    await process.stop();
  }
  await site.start();
  const states = await site.settle(ids);
  t.ok(states.every(({ status }) => status === 'completed'));
  await checkWalk(t, site, ids);
  t.equal((await site.anchored()).length, ids.length, 'each proof once');
});

test('memos skip revisions that were given up, and name none if none is left', async (t) => {
  const site = await createAnchoringSite(t);
  const uploads = await chain(site, 6);
  const [first, second, third, fourth, fifth, sixth] = idsOf(uploads) as ProofId[];
  for (const id of [third, fourth]) await giveUpProof(site.store, id as ProofId, meta);
  const process = await site.start();
  await site.settle([fifth as ProofId]);
  await checkWalk(t, site, [first, second, fifth] as ProofId[]);
  await site.settle([sixth as ProofId]);
  await process.stop();
  // Give up while no process runs, so that the next start finds out.
  const others = await chain(site, 3);
  const [gone, alsoGone, left] = idsOf(others) as ProofId[];
  for (const id of [gone, alsoGone]) await giveUpProof(site.store, id as ProofId, meta);
  await site.start();
  await site.settle([left as ProofId]);
  await checkWalk(t, site, [left] as ProofId[]);
});

test('giving up a revision lets the revisions that wait for it proceed', async (t) => {
  const site = await createAnchoringSite(t);
  const process = await site.start({ maxFeeDrops: 5 });
  const uploads = await chain(site, 4);
  const [first, second, third, fourth] = idsOf(uploads) as ProofId[];
  await site.closeUntil(() => process.running.backlogSize() === 4);
  await giveUpProof(site.store, second as ProofId, meta);
  await site.closeUntil(() => process.running.backlogSize() === 3);
  await process.stop();
  await site.start();
  const states = await site.settle([first, third, fourth] as ProofId[]);
  t.ok(states.every(({ status }) => status === 'completed'));
  await checkWalk(t, site, [first, third, fourth] as ProofId[]);
});

test('a revision whose transaction expired names the same previous one again', async (t) => {
  const site = await createAnchoringSite(t);
  const lossless = await site.start();
  const first = await site.upload();
  await site.settle([first.proofId]);
  await lossless.stop();
  const second = await site.upload(first.documentId);
  const lost = await site.start({
    gateway: (real) => ({ ...real, submit: () => Promise.reject(new Error('lost')) }),
  });
  const before = await site.until(second.proofId, ({ status }) => status === 'processing');
  await site.closeUntil(async () => {
    const state = await site.state(second.proofId);
    return state.status !== 'completed' && 'failures' in state && state.failures > 0;
  });
  await lost.stop();
  await site.start();
  const [after] = await site.settle([second.proofId]);
  const { hash } = await commitment(site, first.proofId);
  t.match(before, { prepared: { previousTransactionHash: hash } });
  t.match(after, { prepared: { previousTransactionHash: hash } });
  await checkWalk(t, site, idsOf([first, second]));
});

test('while the ledger is away uploads are stored, and anchored when it returns', async (t) => {
  const site = await createAnchoringSite(t);
  const uploads = await chain(site, 3);
  for (const { proofId } of uploads) await site.endWait(proofId);
  for (const { proofId } of uploads) {
    t.match(await site.state(proofId), { status: 'pending', queued: true });
  }
  await site.start();
  const states = await site.settle(idsOf(uploads));
  t.ok(states.every(({ status }) => status === 'completed'));
  await checkWalk(t, site, idsOf(uploads));
});
