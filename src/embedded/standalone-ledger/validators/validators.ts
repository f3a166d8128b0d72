import { randomBytes } from 'node:crypto';
import type { FinalTransaction } from '../chain/build-ledger.ts';
import type { StoredLedger } from '../chain/history.ts';
import { upperHex } from '../codec/hashes.ts';
import { rippleSeconds } from '../codec/ripple-time.ts';
import { ShaMap } from '../codec/sha-map.ts';
import { type Manifest, signManifest } from './manifest.ts';
import { signValidation, type Validation, type ValidatorLie } from './validation.ts';
import { newValidatorKeys, rotated, type ValidatorKeys } from './validator-keys.ts';

/** A validation with the manifest of its validator. */
export interface SentValidation {
  readonly validation: Validation;
  readonly manifest: Manifest;
}

interface ValidatorsOptions {
  /** Unix time in milliseconds. */
  readonly clock: () => number;
  /** Keys from a file; without them, new ones are made when they are needed. */
  readonly keys?: ValidatorKeys;
  /** Keeps changed keys durably. */
  readonly keep?: (keys: ValidatorKeys) => Promise<void>;
}

/**
 * The validators of a standalone ledger, and the publisher of their list. They prove nothing to
 * others: whoever runs the ledger has their keys. Keys are derived and manifests signed at first
 * use.
 */
export class Validators {
  readonly #options: ValidatorsOptions;
  readonly #cookies = new Map<number, bigint>();
  readonly #missing = new Map<number, number>();
  readonly #lies = new Map<number, ValidatorLie>();
  #keys: ValidatorKeys | undefined;
  #signed: { readonly publisher: Manifest; readonly validators: readonly Manifest[] } | undefined;
  #list: string | undefined;

  constructor(options: ValidatorsOptions) {
    this.#options = options;
    this.#keys = options.keys;
  }

  /** Master key of the publisher, in hex. */
  get publisherKey(): string {
    return this.#manifests().publisher.masterKey;
  }

  /** Present manifests of the validators. */
  get manifests(): readonly Manifest[] {
    return this.#manifests().validators;
  }

  /** The published list. Its manifests are those of its publication. */
  get list(): string {
    const { publisher, validators } = this.#manifests();
    const { listSequence: sequence } = this.#known();
    this.#list ??= validatorListText({ publisher, sequence, validators });
    return this.#list;
  }

  /** The validations of a closed ledger, of all validators that do not miss it. */
  validate(ledger: StoredLedger, transactions: readonly FinalTransaction[]): SentValidation[] {
    const consensusHash = transactionSetHash(transactions);
    const signingTime = rippleSeconds(this.#options.clock());
    return this.manifests.flatMap((manifest, validator) => {
      if (this.#misses(validator)) return [];
      const { signingKey, sign } = manifest;
      const keys = { signingKey, sign, cookie: this.#cookie(validator) };
      const lie = this.#lies.get(validator);
      const validation = signValidation({ ledger, consensusHash, signingTime, lie, ...keys });
      return [{ validation, manifest }];
    });
  }

  /** Lets the validator miss that many ledgers from now on. */
  miss(validator: number, ledgers: number): void {
    this.#missing.set(validator, ledgers);
  }

  /** Lets the validator lie; undefined ends this. */
  lie(validator: number, lie: ValidatorLie | undefined): void {
    if (lie === undefined) this.#lies.delete(validator);
    else this.#lies.set(validator, lie);
  }

  /** Gives the validator a new signing key, and returns its manifest. The list stays as it is. */
  async rotate(validator: number): Promise<Manifest> {
    const { list } = this;
    await this.#change((keys) => ({
      ...keys,
      validators: keys.validators.map((each, index) =>
        index === validator ? rotated(each) : each,
      ),
    }));
    this.#list = list;
    const manifest = this.manifests[validator];
    if (manifest === undefined) throw new Error(`there is no validator ${validator}`);
    return manifest;
  }

  /** Publishes the next list, with the present manifests. */
  async publish(): Promise<void> {
    await this.#change((keys) => ({ ...keys, listSequence: keys.listSequence + 1 }));
  }

  async #change(change: (keys: ValidatorKeys) => ValidatorKeys): Promise<void> {
    const changed = change(this.#known());
    await this.#options.keep?.(changed);
    this.#keys = changed;
    this.#signed = undefined;
    this.#list = undefined;
  }

  #known(): ValidatorKeys {
    this.#keys ??= newValidatorKeys();
    return this.#keys;
  }

  #manifests() {
    const { publisher, validators } = this.#known();
    this.#signed ??= {
      publisher: signManifest(publisher),
      validators: validators.map(signManifest),
    };
    return this.#signed;
  }

  #misses(validator: number): boolean {
    const left = this.#missing.get(validator) ?? 0;
    if (left > 0) this.#missing.set(validator, left - 1);
    return left > 0;
  }

  /** Stays the same while the validator runs. */
  #cookie(validator: number): bigint {
    const known = this.#cookies.get(validator) ?? randomBytes(8).readBigUInt64BE() | 1n;
    this.#cookies.set(validator, known);
    return known;
  }
}

/** Root of the transaction set that was agreed on: without metadata, a leaf's hash is its id. */
function transactionSetHash(transactions: readonly FinalTransaction[]): string {
  const tree = new ShaMap();
  for (const { transaction } of transactions) {
    const id = Buffer.from(transaction.hash, 'hex');
    tree.put(id, id);
  }
  return upperHex(tree.root());
}

/** 2040-01-01, in seconds since 2000-01-01. */
const expiration = 1_262_304_000;

/** A published list of validators, in the form of version 1. */
function validatorListText(options: {
  readonly publisher: Manifest;
  readonly sequence: number;
  readonly validators: readonly Manifest[];
}): string {
  const { publisher, sequence, validators } = options;
  const blob = Buffer.from(
    JSON.stringify({
      sequence,
      expiration,
      validators: validators.map(({ masterKey, bytes }) => ({
        validation_public_key: masterKey,
        manifest: bytes.toString('base64'),
      })),
    }),
  );
  return JSON.stringify({
    public_key: publisher.masterKey,
    manifest: publisher.bytes.toString('base64'),
    blob: blob.toString('base64'),
    signature: publisher.sign(blob),
    version: 1,
  });
}
