import { randomBytes } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import { openOrganisation } from '../../src/commands/open-organisation.ts';
import { registerWebhook } from '../../src/commands/register-webhook.ts';
import { createTurns } from '../../src/commands/turns.ts';
import type { DomainEvent } from '../../src/domain/events.ts';
import type { OrganisationId } from '../../src/domain/ulid.ts';
import { createEventStore } from '../../src/event-store/create-event-store.ts';
import { openDatabase } from '../../src/event-store/database.ts';
import type { StreamAppend } from '../../src/event-store/event-store.ts';
import { createKeyring } from '../../src/event-store/keyring.ts';
import { newUlid } from '../../src/event-store/new-ulid.ts';
import { serveOrders } from './helper-process.ts';
import { createRequestedEvents } from './requested-events.ts';

const meta = { actor: 'operator' } as const;
const maxConnections = 4;

/** Fills the log beside the service, as other processes of the service would. */
const orders = {
  open: ({ url, masterKey }: { readonly url: string; readonly masterKey: string }): void => {
    const { pool } = openDatabase(url, { maxConnections });
    const keyring = createKeyring(pool, Buffer.from(masterKey, 'base64'));
    opened = createEventStore({ pool, keyring });
  },
  /** An organisation with endpoints that are told of completed proofs. */
  organisation: async ({ urls }: { readonly urls: readonly string[] }): Promise<void> => {
    const deps = { store: store(), newId: newUlid, randomBytes, turns: createTurns() };
    const order = { name: 'Benchmark', plan: 'professional' } as const;
    const organisationId = await openOrganisation(deps, order, meta);
    for (const url of urls) {
      const endpoint = { organisationId, url, events: ['proof.completed'] as const };
      const webhooks = { checkUrl: async () => null };
      await registerWebhook({ ...deps, webhooks }, { ...endpoint, description: null }, meta);
    }
    completed.push(createCompletedProofs(organisationId));
  },
  /** Appends completed proofs, of the organisations in turn, as fast as it goes. */
  fill: async ({ proofs }: { readonly proofs: number }): Promise<void> => {
    for (let made = 0; made < proofs; made += batchSize) {
      const count = Math.min(batchSize, proofs - made);
      await Promise.all(Array.from({ length: count }, () => append()));
    }
  },
  /** Appends so many a second, whatever becomes of them. */
  feed: async (rate: { readonly perSecond: number; readonly seconds: number }): Promise<number> => {
    const startedAt = performance.now();
    const total = rate.perSecond * rate.seconds;
    const appending: Promise<unknown>[] = [];
    for (let n = 0; n < total; n += 1) {
      const dueAt = startedAt + (n * 1_000) / rate.perSecond;
      await delay(Math.max(0, dueAt - performance.now()));
      appending.push(append());
    }
    await Promise.all(appending);
    return total;
  },
};
export type FeederOrders = typeof orders;

const batchSize = 200;
const completed: (() => StreamAppend)[] = [];
let opened: ReturnType<typeof createEventStore> | null = null;
let turn = 0;

function store() {
  if (opened === null) throw new Error('the database is not open');
  return opened;
}

function append() {
  const next = completed[turn % completed.length];
  if (next === undefined) throw new Error('there is no organisation');
  turn += 1;
  return store().append([next()], meta);
}

/** A proof from its request to its anchor, in one append: no ledger has part in it. */
function createCompletedProofs(organisationId: OrganisationId): () => StreamAppend {
  const next = createRequestedEvents(organisationId);
  const ledgerId = `1-${'0'.repeat(64)}`;
  return () => {
    const entry = next();
    const transactionHash = randomBytes(32).toString('hex').toUpperCase();
    const settled: DomainEvent[] = [
      {
        type: 'AnchorPrepared',
        data: {
          ...{ ledgerId, transactionHash, blob: '', hashScheme: 'hmac-sha256-nonce-v3' },
          ...{ previousTransactionHash: null, account: 'r', sequence: 1, feeDrops: 10 },
          ...{ minLedger: 1, lastLedgerSequence: 9 },
        },
      },
      {
        type: 'Anchored',
        data: {
          ...{ ledgerId, transactionHash, ledgerIndex: 5, ledgerHash: '', closeTime: 1 },
          closeTimeIso: '2000-01-01T00:00:01.000Z',
          ...{ transactionIndex: 0, metadata: '', ledgerHeader: '' },
        },
      },
    ];
    return { ...entry, events: [...entry.events, ...settled] };
  };
}

serveOrders(orders);
