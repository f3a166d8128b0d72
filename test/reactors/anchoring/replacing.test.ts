import { type Test, test } from 'tap';
import type { ProofState } from '../../../src/domain/proof/state.ts';
import type { ProofId } from '../../../src/domain/ulid.ts';
import type { LedgerGateway } from '../../../src/ledger/contract.ts';
import { LedgerUnavailable } from '../../../src/ledger/ledger-unavailable.ts';
import { outbids } from '../../../src/reactors/anchoring/replacing.ts';
import {
  type AnchoringProcess,
  type AnchoringSite,
  createAnchoringSite,
} from '../../support/anchoring-site.ts';
import { createCrowd } from '../../support/crowd.ts';
import { staleFees } from '../../support/stale-fees.ts';
import { until } from '../../support/until.ts';

const limitsOf = (openLedgerLimit: number) => ({
  openLedgerLimit,
  openLedgerMaximum: openLedgerLimit,
});
type Processing = Extract<ProofState, { status: 'processing' }>;

/** A gateway that counts submissions of each blob, and may refuse them before or after the effect. */
function counting() {
  const submitted: string[] = [];
  const answered: string[] = [];
  const fault = { when: null as 'before' | 'after' | null };
  const of = (real: LedgerGateway): LedgerGateway => ({
    ...real,
    async submit(blob) {
      if (fault.when === 'before') throw new LedgerUnavailable('lost before');
      submitted.push(blob);
      const answer = await real.submit(blob);
      if (fault.when === 'after') throw new LedgerUnavailable('lost after');
      answered.push(blob);
      return answer;
    },
  });
  return { submitted, answered, fault, of };
}

/** A site whose open ledger others fill just before a proof is signed at the base fee. */
async function crowdedSite(
  t: Test,
  gateway?: (real: LedgerGateway) => LedgerGateway,
  openLedgerLimit = 10,
) {
  const site = await createAnchoringSite(t, limitsOf(openLedgerLimit));
  const crowd = await createCrowd(site.ledger.url, 6);
  t.teardown(() => crowd.close());
  await site.fund(crowd.addresses);
  const fees = staleFees();
  const options = {
    gateway: (real: LedgerGateway) => fees.of(gateway === undefined ? real : gateway(real)),
  };
  const process = await site.start(options);
  await site.settle([await site.request()]);
  return { site, crowd, process, options, fees };
}

/** The proof once its transaction was replaced. Others fill each ledger until then. */
async function untilReplaced(
  { site, crowd }: Pick<Awaited<ReturnType<typeof crowdedSite>>, 'site' | 'crowd'>,
  proofId: ProofId,
): Promise<Processing> {
  await site.closeUntil(async () => {
    await crowd.fill(20);
    const state = await site.state(proofId);
    return state.status === 'processing' && state.replaced.length > 0;
  }, 200);
  return (await site.state(proofId)) as Processing;
}

const signatures = async (site: AnchoringSite) =>
  (await site.store.readLog(0, 10_000, ['AnchorPrepared'])).flatMap((event) =>
    event.type === 'AnchorPrepared' ? [event.data] : [],
  );
const anchoredProofs = async (site: AnchoringSite) =>
  (await site.anchored()).filter(({ fileHash }) => fileHash !== null).length;

test('a server wants more than a quarter on top of the fee in its queue', async (t) => {
  t.equal(outbids(12, 10), false);
  t.equal(outbids(13, 10), true);
  t.equal(outbids(125, 100), false);
  t.equal(outbids(126, 100), true);
});

test('a transaction that others outbid is replaced, and one of both is on the ledger', async (t) => {
  const { submitted, of } = counting();
  const { site, crowd, process, fees } = await crowdedSite(t, of);
  fees.hold();
  await crowd.fill(20);
  const proofId = await site.request({ queued: true });
  // The fee is an old one only until the ledger closes.
  await until('the first submission', async () => submitted.length === 2);
  const { prepared, replaced } = await untilReplaced({ site, crowd }, proofId);
  const [first] = replaced;
  t.match(first, { feeDrops: 10, replaces: null });
  t.match(prepared, {
    feeDrops: 1_000,
    replaces: first?.transactionHash,
    sequence: first?.sequence,
    lastLedgerSequence: first?.lastLedgerSequence,
  });
  const [state] = await site.settle([proofId]);
  t.match(state, { status: 'completed', prepared: { transactionHash: prepared.transactionHash } });
  t.equal(await anchoredProofs(site), 2);
  t.equal(submitted.filter((blob) => blob === prepared.blob).length, 1);
  t.equal(process.running.replacements(), 1);
  t.strictSame(await site.store.readLog(0, 1, ['AnchorExpired', 'GapFillPrepared']), []);
  t.strictSame(process.errors, []);
});

test('the first transaction anchors the proof if the server never gets its replacement', async (t) => {
  const { answered, fault, of } = counting();
  const { site, crowd, fees } = await crowdedSite(t, of);
  fees.hold();
  await crowd.fill(20);
  const proofId = await site.request({ queued: true });
  await until('the answer to the first submission', async () => answered.length === 2);
  fault.when = 'before';
  const { replaced } = await untilReplaced({ site, crowd }, proofId);
  const [state] = await site.settle([proofId]);
  t.match(state, {
    status: 'completed',
    prepared: { transactionHash: replaced[0]?.transactionHash, feeDrops: 10 },
  });
  t.equal(await anchoredProofs(site), 2);
});

test('a process that takes over recognises either transaction', async (t) => {
  const { answered, fault, of } = counting();
  const { site, crowd, process, options, fees } = await crowdedSite(t, of);
  fees.hold();
  await crowd.fill(20);
  const ids = await Promise.all([1, 2, 3].map(() => site.request({ queued: true })));
  const last = ids.at(-1) as ProofId;
  await until('the answers to all submissions', async () => answered.length === ids.length + 1);
  fault.when = 'after';
  await untilReplaced({ site, crowd }, last);
  await process.stop();
  fault.when = null;
  const next: AnchoringProcess = await site.start(options);
  const states = await site.settle(ids);
  t.ok(states.every(({ status }) => status === 'completed'));
  t.equal(await anchoredProofs(site), ids.length + 1);
  t.strictSame(next.errors, []);
});

test('replacements have the places of what they replace, before all that was signed ahead', async (t) => {
  const { submitted, of } = counting();
  const { site, crowd, process, fees } = await crowdedSite(t, of, 20);
  fees.hold();
  await crowd.fill(20);
  const ids = await Promise.all(Array.from({ length: 25 }, () => site.request({ queued: true })));
  await until('all are signed for', async () => (await signatures(site)).length === 26);
  await site.closeUntil(async () => {
    await crowd.fill(20);
    const states = await Promise.all(ids.map((id) => site.state(id)));
    return states.every(({ status }) => status === 'completed');
  }, 200);
  t.ok(process.running.replacements() > 0);
  t.equal(await anchoredProofs(site), ids.length + 1);
  t.strictSame(await site.store.readLog(0, 1, ['AnchorExpired', 'GapFillPrepared']), []);
  const replacing = (await signatures(site)).filter(({ replaces }) => replaces !== null);
  t.ok(replacing.every(({ blob }) => submitted.includes(blob)));
  t.strictSame(process.errors, []);
});

test('transactions that pay the highest permitted fee are not replaced', async (t) => {
  const { site, crowd } = await crowdedSite(t);
  await crowd.fill(20);
  await site.ledger.close();
  await crowd.fill(20);
  await site.ledger.close();
  const proofId = await site.request({ queued: true });
  await site.closeUntil(async () => {
    await crowd.fill(2_000);
    const state = await site.state(proofId);
    return state.status === 'processing';
  }, 200);
  for (let ledgers = 0; ledgers < 3; ledgers += 1) {
    await crowd.fill(2_000);
    await site.ledger.close();
  }
  const own = (await signatures(site)).slice(1);
  t.ok(own.every(({ feeDrops, replaces }) => feeDrops === 1_000 && replaces === null));
  await site.settle([proofId]);
});
