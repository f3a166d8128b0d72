import { ReplaySubject } from 'rxjs';
import { createKnownPeople } from '../../loading/known-people.ts';
import { createKnownLedgers, type KnownLedgers } from '../../views/known-ledgers.ts';
import { createStoredBytes } from '../documents/stored-bytes.ts';
import { handleOrder, parseOrder } from '../offload/handle-order.ts';
import type { Offload } from '../offload/offload.ts';
import { handOverReply } from '../offload/offload-answer.ts';
import type { OffloadedDeps } from '../offload/offloaded-deps.ts';
import { createPublicFacts } from '../pages/public-facts.ts';
import { watchLedgerAbsence } from '../proofs/ledger-absence.ts';
import { createProofSettling } from '../proofs/settle-proof.ts';
import { readPublicFacts } from '../quickstart/get-docs.ts';
import type { Services } from '../services.ts';
import { createShares } from '../shares/create-shares.ts';
import type { Shared } from './shared.ts';

const defaultDrainGraceMs = 4_000;

/** Creates the parts that rooms share; each once. */
export function createShared(services: Services): Shared {
  const { events, calls, ledger, lifecycle, publishedLog, certification } = services;
  const { store, db, signal, watch } = events;
  const ledgers = createKnownLedgers({ store, db });
  const ledgerAbsence = watchLedgerAbsence(ledger.gateways, ledger.ledgerAwayMs);
  const { ownAccounts } = ledger;
  const { logKeys } = publishedLog;
  const facts = { db, ledgers, ownAccounts, logKeys, issuer: certification.issuer };
  return {
    shares: calls.shares ?? createShares(),
    offload: calls.offload ?? offloadNowhere(services, ledgers),
    ledgers,
    people: createKnownPeople(store),
    storedBytes: createStoredBytes({ db, signal }),
    ledgerAbsence,
    settleProof: createProofSettling({
      ...{ store, watch, ledgerAbsence, drained: drainedOf(lifecycle) },
      proofWaitMs: calls.proofWaitMs,
    }),
    publicFacts: createPublicFacts(
      () => readPublicFacts(facts),
      () => performance.now(),
    ),
  };
}

/** Emits once, also to late subscribers, when waits must end because the service stops. */
function drainedOf({ draining, drainGraceMs = defaultDrainGraceMs }: Services['lifecycle']) {
  const drained = new ReplaySubject<void>(1);
  const drain = () => setTimeout(() => drained.next(), drainGraceMs).unref();
  if (draining.aborted) drain();
  else draining.addEventListener('abort', drain, { once: true });
  return drained;
}

/** Runs offloaded work on the main thread. */
function offloadNowhere(services: Services, ledgers: KnownLedgers): Offload {
  const { events, ledger, webhooks, site, sources, calls } = services;
  const deps: OffloadedDeps = {
    ...{ db: events.db, store: events.store, ledgers, publicUrl: site.publicUrl },
    ...{ newId: sources.newId, randomBytes: sources.randomBytes },
    ...{ network: ledger.network, webhooks, answerWaitMs: calls.answerWaitMs },
  };
  return {
    handle: async (order) => handOverReply(await handleOrder(order, deps)).answer,
    parse: parseOrder,
  };
}
