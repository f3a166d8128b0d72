import { affectedAccounts } from '../chain/affected-accounts.ts';
import type { FinalTransaction } from '../chain/build-ledger.ts';
import type { StoredLedger } from '../chain/history.ts';
import type { LedgerNode, NodeListener } from '../chain/ledger-node.ts';
import type { JsonObject } from '../codec/json.ts';
import type { Transaction } from '../codec/parse-transaction.ts';
import type { Result } from '../engine/result.ts';
import type { Manifest } from '../validators/manifest.ts';
import type { SentValidation, Validators } from '../validators/validators.ts';
import { ledgerSummary } from './ledger-summary.ts';
import { loadOf } from './server-load.ts';
import type { Stream, Subscriptions } from './subscriptions.ts';
import { proposedMessage, validatedMessage } from './transaction-messages.ts';
import { manifestMessage, validationMessage } from './validation-messages.ts';

/** A client that may have subscriptions. */
export interface Subscriber {
  readonly subscriptions: Subscriptions;
  send(text: string): void;
}

/** A message that is serialised once per API version, for any number of subscribers. */
type Written = (apiVersion: number) => string;

/** Sends events to subscribers in rippled's order: the ledger first, then its transactions. */
export class Broadcaster implements NodeListener {
  readonly #subscribers: ReadonlySet<Subscriber>;
  readonly #node: () => LedgerNode;
  readonly #validators: Validators;
  /** Time in milliseconds by which validations arrive late. */
  validationDelayMs = 0;
  #lastStatus = '';

  constructor(
    subscribers: ReadonlySet<Subscriber>,
    node: () => LedgerNode,
    validators: Validators,
  ) {
    this.#subscribers = subscribers;
    this.#node = node;
    this.#validators = validators;
  }

  applied(transaction: Transaction, result: Result, ledgerIndex: number): void {
    this.publishStatus();
    const message = written((version) =>
      proposedMessage(transaction, result, ledgerIndex, version),
    );
    this.#toStream('transactions_proposed', message);
    const { account, json } = transaction;
    const mentioned = new Set([account, String(json.Destination ?? account)]);
    for (const subscriber of this.#subscribers) {
      const version = versionFor(subscriber.subscriptions.accountsProposed, mentioned);
      if (version !== undefined) subscriber.send(message(version));
    }
  }

  closed(ledger: StoredLedger, transactions: readonly FinalTransaction[]): void {
    const summary = {
      ...ledgerSummary(ledger, this.#node().history.completeLedgers),
      txn_count: transactions.length,
      type: 'ledgerClosed',
    };
    this.#toStream(
      'ledger',
      written(() => summary),
    );
    for (const final of transactions) this.#validated(final, ledger);
    this.publishStatus();
    this.#validate(ledger, transactions);
  }

  /** Publishes a changed fee requirement to the `server` stream, if it has subscribers. */
  publishStatus(): void {
    if (!this.#hasSubscriber('server')) return;
    const load = loadOf(this.#node());
    const status = {
      base_fee: 10,
      load_base: 256,
      load_factor: load.factor,
      load_factor_fee_escalation: load.escalation,
      load_factor_fee_queue: load.queue,
      load_factor_fee_reference: 256,
      load_factor_server: load.server,
      server_status: 'full',
      type: 'serverStatus',
    };
    const text = JSON.stringify(status);
    if (text === this.#lastStatus) return;
    this.#lastStatus = text;
    this.#toStream('server', () => text);
  }

  /** Publishes a new manifest to the `manifests` stream. */
  publishManifest(manifest: Manifest): void {
    this.#toStream(
      'manifests',
      written(() => manifestMessage(manifest)),
    );
  }

  /**
   * Signs for the `validations` stream if it has subscribers. Signing takes time, so the messages
   * follow those about the ledger, as some do on a real network.
   */
  #validate(ledger: StoredLedger, transactions: readonly FinalTransaction[]): void {
    if (!this.#hasSubscriber('validations')) return;
    const send = () => {
      for (const each of this.#validators.validate(ledger, transactions)) this.#validation(each);
    };
    if (this.validationDelayMs === 0) setImmediate(send);
    else setTimeout(send, this.validationDelayMs).unref();
  }

  #validation(sent: SentValidation): void {
    this.#toStream(
      'validations',
      written((version) => validationMessage(sent, version)),
    );
  }

  #hasSubscriber(stream: Stream): boolean {
    return [...this.#subscribers].some(({ subscriptions }) => subscriptions.streams.has(stream));
  }

  #validated(final: FinalTransaction, ledger: StoredLedger): void {
    const message = written((version) => validatedMessage(final, ledger, version));
    this.#toStream('transactions', message);
    this.#toStream('transactions_proposed', message);
    const affected = affectedAccounts(final.metadata);
    for (const { subscriptions, send } of this.#subscribers) {
      const version =
        versionFor(subscriptions.accounts, affected) ??
        versionFor(subscriptions.accountsProposed, affected);
      if (version !== undefined) send(message(version));
    }
  }

  #toStream(stream: Stream, message: Written): void {
    for (const { subscriptions, send } of this.#subscribers) {
      const version = subscriptions.streams.get(stream);
      if (version !== undefined) send(message(version));
    }
  }
}

function written(compose: (apiVersion: number) => JsonObject): Written {
  const texts = new Map<number, string>();
  return (apiVersion) => {
    const known = texts.get(apiVersion);
    if (known !== undefined) return known;
    const text = JSON.stringify(compose(apiVersion));
    texts.set(apiVersion, text);
    return text;
  };
}

function versionFor(
  wanted: ReadonlyMap<string, number>,
  accounts: ReadonlySet<string>,
): number | undefined {
  if (wanted.size === 0) return undefined;
  for (const account of accounts) {
    const version = wanted.get(account);
    if (version !== undefined) return version;
  }
  return undefined;
}
