import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { hexToBytes } from '@noble/hashes/utils.js';
import { type LedgerHeader, readHeader } from '../../src/verifier/evidence/ledger-header.ts';
import type { TreeItem } from '../../src/verifier/evidence/transaction-path.ts';
import { readValidation, type Validation } from '../../src/verifier/evidence/validation.ts';
import type { PublishedList } from '../../src/verifier/evidence/validator-list.ts';

/**
 * Samples of a network of four real validators, described in
 * `test/verifier/samples/validated-network/README.md`.
 */
const folder = join(import.meta.dirname, '../verifier/samples/validated-network');

export const samplePublisher = 'ED9D850DAC3A5C4C333BBC0102AF611DEA4B60DCC04CA220FAF49C87E3E67F0F4F';

export interface SampleXpop {
  readonly file: string;
  readonly publisher_key: string;
  readonly expected: 'accept' | 'reject';
  readonly synthetic: boolean;
  readonly change: string;
  readonly form?: 'list' | 'tree';
  readonly text: string;
}

export function sampleXpops(): readonly SampleXpop[] {
  return lines<SampleXpop>('xpops');
}

export function sampleXpop(file: string): SampleXpop {
  const found = sampleXpops().find((one) => one.file === file);
  if (found === undefined) throw new Error(`there is no sample ${file}`);
  return found;
}

type ListName =
  | 'validator-list'
  | 'validator-list.sequence2'
  | 'validator-list.expired'
  | 'validator-list.other-publisher';

export function sampleList(name: ListName = 'validator-list'): PublishedList {
  return json<Record<string, PublishedList>>('validator-lists.json')[name] ?? {};
}

/** Every manifest of a validator, by the sample's name for it; base64. */
export function sampleManifests(): ReadonlyMap<string, string> {
  const all = json<Record<string, { manifest_base64: string }>>('validator-manifests.json');
  return new Map(Object.entries(all).map(([name, one]) => [name, one.manifest_base64]));
}

export type StreamName =
  | 'validations'
  | 'validations.more'
  | 'validations.api2'
  | 'rotation-and-outage'
  | 'negative-unl'
  | 'manifests';

/** A message of a server's streams, as received. */
export type StreamMessage = Readonly<Record<string, unknown>> & { readonly type: string };

export function sampleMessages(stream: StreamName): readonly StreamMessage[] {
  return lines<StreamMessage>(stream);
}

/** Validations of a ledger, in the order of their arrival. */
export function sampleValidations(stream: StreamName, ledgerIndex: number): Validation[] {
  return sampleMessages(stream)
    .filter(({ type }) => type === 'validationReceived')
    .map(({ data }) => readValidation(hexToBytes(String(data))))
    .filter((validation) => validation.ledgerIndex === ledgerIndex);
}

/** Headers with the hashes that the server stated, in upper-case hex. */
export function sampleHeaders(): readonly (LedgerHeader & { readonly stated: string })[] {
  interface Line {
    readonly ledger_hash: string;
    readonly ledger_data: string;
  }
  return lines<Line>('headers').map(({ ledger_hash, ledger_data }) => ({
    ...readHeader(hexToBytes(ledger_data)),
    stated: ledger_hash,
  }));
}

export function sampleHeader(index: number): LedgerHeader {
  const found = sampleHeaders().find((header) => header.index === index);
  if (found === undefined) throw new Error(`there is no sample of ledger ${index}`);
  return found;
}

/** A whole ledger of a server's answer. */
export interface SampleLedger {
  readonly file: string;
  readonly header: LedgerHeader;
  readonly items: readonly TreeItem[];
}

export function sampleLedgers(): readonly SampleLedger[] {
  interface Held {
    readonly tx_blob: string;
    readonly meta?: string;
    readonly meta_blob?: string;
  }
  interface Line {
    readonly file: string;
    readonly answer: {
      readonly result: {
        readonly ledger: { readonly ledger_data: string; readonly transactions: readonly Held[] };
      };
    };
  }
  return lines<Line>('ledgers').map(({ file, answer }) => {
    const { ledger_data, transactions } = answer.result.ledger;
    const items = transactions.map(({ tx_blob, meta, meta_blob }) => ({
      blob: hexToBytes(tx_blob),
      metadata: hexToBytes(meta ?? meta_blob ?? ''),
    }));
    return { file, header: readHeader(hexToBytes(ledger_data)), items };
  });
}

export function sampleLedger(index: number): SampleLedger {
  const found = sampleLedgers().find(({ header }) => header.index === index);
  if (found === undefined) throw new Error(`there is no sample of ledger ${index}`);
  return found;
}

/** Samples are read once in a process. */
const read = new Map<string, unknown>();

function once<Value>(name: string, parse: () => Value): Value {
  if (!read.has(name)) read.set(name, parse());
  return read.get(name) as Value;
}

function json<Value>(name: string): Value {
  return once(name, () => JSON.parse(readFileSync(join(folder, name), 'utf8')) as Value);
}

function lines<Line>(name: string): readonly Line[] {
  return once(name, () => {
    const text = gunzipSync(readFileSync(join(folder, `${name}.ndjson.gz`))).toString();
    return text.split('\n').flatMap((line) => (line === '' ? [] : (JSON.parse(line) as Line)));
  });
}
