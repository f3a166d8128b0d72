import type { Test } from 'tap';
import { completeLedgers } from '../../ops/ledger/complete-ledgers.ts';
import { findUnattested } from '../../ops/ledger/find-unattested.ts';
import { openLedgerHistory } from '../../ops/ledger/ledger-history.ts';
import { storeDocument } from '../../src/commands/store-document.ts';
import { streams } from '../../src/domain/streams.ts';
import {
  type AnchoredLedger,
  anchorInLedger,
  recordAttested,
  recordList,
} from './attested-ledger.ts';
import { createTestStore } from './event-store.ts';
import { startHistoryServer } from './history-server.ts';
import { syntheticNetwork } from './synthetic-network.ts';
import { createUploadSite, uploadMeta } from './uploads.ts';

export const ledgerId = '1-HISTORY';
export const firstIndex = 1_000;
export const attestedAt = 1_009;
/** Ledgers with proofs, and the number of proofs. */
export const provenLedgers = new Map([
  [1_001, 2],
  [1_004, 1],
  [1_006, 1],
]);

/** A log whose ledgers are not attested, apart from the last one, and a server with the history. */
export async function createHistorySite(t: Test) {
  const { store, pool } = await createTestStore(t);
  const site = await createUploadSite(store);
  const facts = { network: 'testnet', networkId: 1, standalone: false, hash: 'AA', closeTime: 1 };
  const joined = { type: 'LedgerJoined', data: { ledgerId, index: 1, ...facts } } as const;
  const stream = streams.ledger(ledgerId);
  const entry = { organisationId: null, stream, expectedVersion: 0, events: [joined as never] };
  await store.append([entry], {});
  const chain: AnchoredLedger[] = [];
  for (let index = firstIndex; index <= attestedAt; index += 1) {
    const proofIds = [];
    for (let n = 0; n < (provenLedgers.get(index) ?? 0); n += 1) {
      proofIds.push((await storeDocument(site.deps, site.order(), uploadMeta)).proofId);
    }
    const parentHash = chain.at(-1)?.header.hash ?? 'b3'.repeat(32);
    const closeTime = 848_531_013 + 4 * (index - firstIndex);
    const place = { ledgerId, index, parentHash, closeTime, others: proofIds.length > 0 ? 20 : 0 };
    chain.push(await anchorInLedger(store, proofIds, place));
  }
  const network = syntheticNetwork(4);
  const lists = [await recordList(store, network.list())];
  await recordAttested(store, chain.at(-1) as AnchoredLedger, network, { lists });
  const server = await startHistoryServer(t, chain);
  const complete = async (urls = [server.url], mostHeaders = 100, graceMs = 0) => {
    const [found] = await findUnattested(store, () => {});
    if (found === undefined) throw new Error('the chain is not in the log');
    const history = openLedgerHistory(urls, { timeoutMs: 2_000, attempts: 2, pauseMs: 10 });
    const progress: number[] = [];
    const options = {
      ...{ store, history, mostHeaders, cancelled: new AbortController().signal, graceMs },
      onHeaders: (done: number, total: number) => progress.push(done, total),
    };
    const result = await completeLedgers(found, options).finally(() => history.close());
    return { ...result, progress };
  };
  const linkOf = async (index: number) => store.readLast(streams.attestation(ledgerId, index));
  return { store, pool, chain, server, complete, linkOf };
}

export type HistorySite = Awaited<ReturnType<typeof createHistorySite>>;
