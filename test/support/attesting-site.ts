import { randomBytes } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Test } from 'tap';
import type { AttestationEvent } from '../../src/domain/attestation/events.ts';
import { closeTimeIso } from '../../src/domain/ledger/close-time.ts';
import { streams } from '../../src/domain/streams.ts';
import {
  createStandaloneLedger,
  type StandaloneLedger,
} from '../../src/embedded/standalone-ledger/create-standalone-ledger.ts';
import { createEventStore } from '../../src/event-store/create-event-store.ts';
import { openDatabase } from '../../src/event-store/database.ts';
import type { EventStore } from '../../src/event-store/event-store.ts';
import { createKeyring } from '../../src/event-store/keyring.ts';
import type { StoredEvent } from '../../src/event-store/stored-event.ts';
import { fetchValidatorList } from '../../src/ledger/fetch-validator-list.ts';
import { openGateway } from '../../src/ledger/gateway.ts';
import type { ReadLedger } from '../../src/ledger/remember-ledgers.ts';
import { openValidatorFeed, type ValidatorFeed } from '../../src/ledger/validator-feed.ts';
import type { PendingLedger } from '../../src/reactors/attesting/attesting-fold.ts';
import type { ValidatorListSource } from '../../src/reactors/attesting/read-lists.ts';
import { type RunningAttesting, runAttesting } from '../../src/reactors/attesting/run-attesting.ts';
import { openLogSignal } from '../../src/subscriptions/log-signal.ts';
import {
  createReactorCheckpoints,
  type SharedCheckpoints,
} from '../../src/subscriptions/reactor-checkpoint.ts';
import { openWorkLocks } from '../../src/subscriptions/work-locks.ts';
import { readHeader } from '../../src/verifier/evidence/ledger-header.ts';
import { connect } from '../embedded/standalone-ledger/raw-connection.ts';
import { createTestDatabase } from './database.ts';

const patienceMs = 60_000;
const ledgerId = '1-SITE';

/** An attesting process that a test can stop, or cut off as a kill would. */
export interface AttestingProcess {
  readonly running: RunningAttesting;
  readonly errors: unknown[];
  readonly listTroubles: unknown[];
  readonly forked: PendingLedger[];
  readonly falseServers: string[];
  stop(): Promise<void>;
}

export interface StartOptions {
  readonly urls?: readonly string[];
  readonly lists?: readonly ValidatorListSource[];
  readonly checkpoints?: (real: SharedCheckpoints) => SharedCheckpoints;
  readonly ledger?: (real: ReadLedger) => ReadLedger;
  readonly feed?: (real: ValidatorFeed) => ValidatorFeed;
}

/** A log, and a ledger with validators that closes only when the test says so. */
export interface AttestingSite {
  readonly store: EventStore;
  readonly ledger: StandaloneLedger;
  start(options?: StartOptions): Promise<AttestingProcess>;
  /** Closes a ledger; with `anchor`, records a transaction of ours in it. */
  close(anchor?: 'anchor'): Promise<number>;
  /** Records a transaction of ours in a ledger. */
  anchor(ledgerIndex: number, header?: string): Promise<void>;
  attestationOf(ledgerIndex: number): Promise<StoredEvent<AttestationEvent> | null>;
  /** Waits for the attestation of a ledger. */
  attested(ledgerIndex: number): Promise<StoredEvent<AttestationEvent>>;
  /** Waits for a condition. */
  until(condition: () => boolean | Promise<boolean>): Promise<void>;
}

export async function createAttestingSite(t: Test): Promise<AttestingSite> {
  const { url } = await createTestDatabase(t);
  const database = openDatabase(url, { maxConnections: 5 });
  t.teardown(() => database.close());
  const { db, pool } = database;
  const store = createEventStore({ pool, keyring: createKeyring(pool, randomBytes(32)) });
  const signal = openLogSignal(url);
  t.teardown(() => signal.close());
  const ledger = await createStandaloneLedger({ closeMs: 0 });
  t.teardown(() => ledger.stop());
  const gateway = openGateway({ network: 'testnet', urls: [ledger.url], silenceMs: 60_000 });
  t.teardown(() => gateway.close());
  const connection = await connect(ledger.url);
  t.teardown(() => connection.close());

  const headerOf = async (ledger_index: number): Promise<string> => {
    const answer = await connection.result({ command: 'ledger', ledger_index, binary: true });
    return String((answer.ledger as { ledger_data: string }).ledger_data);
  };

  const until: AttestingSite['until'] = async (condition) => {
    const deadline = performance.now() + patienceMs;
    while (!(await condition())) {
      if (performance.now() > deadline) throw new Error('no such state was reached');
      await sleep(20);
    }
  };

  const attestationOf = (ledgerIndex: number) =>
    store.readLast(streams.attestation(ledgerId, ledgerIndex));

  const site: AttestingSite = {
    store,
    ledger,
    async start(options = {}) {
      const { urls = [ledger.url], lists = [ledger.validatorList] } = options;
      const { checkpoints = (real) => real, ledger: change = (real) => real } = options;
      const opened = openValidatorFeed({ urls, requestTimeoutMs: 1_000 });
      const feed = options.feed?.(opened) ?? opened;
      const locks = openWorkLocks(url);
      const errors: unknown[] = [];
      const listTroubles: unknown[] = [];
      const forked: PendingLedger[] = [];
      const falseServers: string[] = [];
      const running = await runAttesting({
        ...{ network: 'testnet', store, signal, locks, feed, lists },
        ledger: change((index, hash) => gateway.ledger(index, hash)),
        checkpoints: checkpoints(createReactorCheckpoints(db)),
        fetchList: fetchValidatorList,
        listEveryMs: 200,
        waits: { lateMs: 50, graceMs: 200, retryMs: 200, restMs: 700, turnMs: 20_000 },
        onError: (error) => errors.push(error),
        onListTrouble: (_, error) => listTroubles.push(error),
        onForked: (one) => forked.push(one),
        onGivenUp: () => {},
        onFalseServer: (server) => falseServers.push(server),
      });
      let stopped = false;
      const stop = async () => {
        if (stopped) return;
        stopped = true;
        await running.stop();
        await locks.close();
      };
      t.teardown(stop);
      return { running, errors, listTroubles, forked, falseServers, stop };
    },
    async close(anchor) {
      const { ledgerIndex } = await ledger.close();
      if (anchor) await site.anchor(ledgerIndex);
      return ledgerIndex;
    },
    async anchor(ledgerIndex, header) {
      const ledgerHeader = header ?? (await headerOf(ledgerIndex));
      const { hash, closeTime } = readHeader(Buffer.from(ledgerHeader, 'hex'));
      const data = {
        ...{ ledgerId, ledgerIndex, ledgerHeader, closeTime, metadata: '', transactionIndex: 0 },
        ...{ transactionHash: hash, ledgerHash: hash.toUpperCase() },
        closeTimeIso: closeTimeIso(closeTime),
      };
      const stream = `log-${ledgerIndex}-${randomBytes(4).toString('hex')}`;
      const memo = { origin: 'example.com/log', size: 1, rootHash: '' };
      const events = [{ type: 'CheckpointAnchored', data: { ...memo, ...data } }] as const;
      await store.append([{ organisationId: null, stream, expectedVersion: 0, events }], {});
    },
    attestationOf,
    async attested(ledgerIndex) {
      await until(async () => (await attestationOf(ledgerIndex)) !== null);
      const found = await attestationOf(ledgerIndex);
      if (found === null) throw new Error('unreachable');
      return found;
    },
    until,
  };
  return site;
}

/** Waits until the process has the list and hears validators: the next ledger is then attested. */
export async function listening(site: AttestingSite): Promise<void> {
  const heard = async () => {
    const index = await site.close('anchor');
    await sleep(150);
    return (await site.attestationOf(index)) !== null;
  };
  await site.until(heard);
}
