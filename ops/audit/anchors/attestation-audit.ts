import { bytesToHex, hexToBytes } from '@noble/hashes/utils.js';
import type {
  LedgerAttested,
  LedgerLinked,
  ValidatorListPublished,
  ValidatorManifestPublished,
} from '../../../src/domain/attestation/events.ts';
import type { ValidatedTransaction } from '../../../src/domain/ledger/transaction.ts';
import type { EventRow } from '../../../src/event-store/stored-event.ts';
import { BadEvidence } from '../../../src/verifier/evidence/bad-evidence.ts';
import { decodeBase64 } from '../../../src/verifier/evidence/base64.ts';
import { followChain } from '../../../src/verifier/evidence/header-chain.ts';
import { type LedgerHeader, readHeader } from '../../../src/verifier/evidence/ledger-header.ts';
import { linkBytes, maxManifestBytes } from '../../../src/verifier/evidence/limits.ts';
import { isSignedManifest, readManifest } from '../../../src/verifier/evidence/manifest.ts';
import { readLeaves, rootOfLeaves } from '../../../src/verifier/evidence/path-from-leaves.ts';
import { verifyBlob } from '../../../src/verifier/evidence/validator-list.ts';
import { maxLinks } from '../../ledger/max-links.ts';
import type { Findings } from '../findings/findings.ts';
import { type KnownAnchor, RecordedLedgers } from './recorded-ledgers.ts';
import { RecordedQuorums } from './recorded-quorums.ts';
import { treeLeaf } from './tree-leaf.ts';

/** A transaction of ours that an event records as anchored. */
type Anchor = Pick<
  ValidatedTransaction,
  'ledgerId' | 'ledgerIndex' | 'ledgerHash' | 'ledgerHeader' | 'transactionHash' | 'metadata'
>;

/**
 * Checks the evidence of every attested ledger. Each transaction of ours must lead to the header by
 * the ledger's leaves, and the header to the signed ledger by the links. A quorum of a published
 * list must have signed that ledger, and the publisher the list. Remembers ledgers in a temporary
 * file.
 */
export class AttestationAudit {
  readonly #findings: Findings;
  readonly #ledgers = new RecordedLedgers();
  readonly #quorums = new RecordedQuorums();

  constructor(findings: Findings) {
    this.#findings = findings;
  }

  close(): void {
    this.#ledgers.close();
  }

  /** Remembers a transaction of ours. `blob` is null if it could not be decrypted. */
  anchored(row: EventRow, anchor: Anchor, blob: string | null): void {
    const { ledgerHash, ledgerHeader, transactionHash, metadata } = anchor;
    const leaf = blob && treeLeaf(blob, metadata);
    const known = { position: row.position, transaction: transactionHash.toLowerCase() };
    const one: KnownAnchor = { ...known, leaf, header: ledgerHeader, hash: ledgerHash };
    const ledger = nameOf(anchor);
    const attested = this.#ledgers.find(ledger);
    if (attested === null) {
      this.#ledgers.addAnchor(ledger, one);
      return;
    }
    if (attested.hash !== ledgerHash) {
      this.#faultOfOther(one, anchor.ledgerIndex, attested.hash);
      return;
    }
    const leaves = this.#ledgers.leavesOf(ledger);
    if (leaves === null) {
      const what = `the path of ${transactionHash}: its ledger was attested long before in the log`;
      this.#findings.reportUnchecked({
        in: 'ledger',
        position: row.position,
        column: 'data',
        what,
      });
    } else this.#checkPaths([one], leaves, anchor.ledgerIndex);
  }

  /** Checks an event about validators or an attested ledger; ignores all others. */
  add(row: EventRow): void {
    try {
      if (row.type === 'ValidatorListPublished') this.#list(parse(row));
      else if (row.type === 'ValidatorManifestPublished') this.#manifest(parse(row));
      else if (row.type === 'LedgerAttested') this.#attested(row, parse(row));
      else if (row.type === 'LedgerLinked') this.#linked(row, parse(row));
    } catch (error) {
      if (!(error instanceof BadEvidence)) throw error;
      this.#fault(row.position, error.message);
    }
  }

  #list({ publisherKey, sequence, ...signed }: ValidatorListPublished['data']): void {
    const list = verifyBlob(signed);
    if (list.publisherKey !== publisherKey || list.sequence !== sequence) {
      const why = `the validator list is number ${list.sequence} by ${list.publisherKey}, not number ${sequence} by ${publisherKey}`;
      throw new BadEvidence('list', why);
    }
    this.#quorums.addList(list);
  }

  #manifest({ manifest }: ValidatorManifestPublished['data']): void {
    const read = readManifest(decodeBase64(manifest, maxManifestBytes, 'the manifest'));
    if (isSignedManifest(read)) return;
    throw new BadEvidence('manifest', 'the signatures of the manifest do not hold');
  }

  #attested(row: EventRow, data: LedgerAttested['data']): void {
    const header = headerOf(data.ledgerHeader, data);
    this.#findings.compared.attestedLedgers += 1;
    this.#checkLedger(row, data, header, data.ledgerIndex);
    for (const what of this.#quorums.faultsIn(header, data)) this.#fault(row.position, what);
  }

  #linked(row: EventRow, data: LedgerLinked['data']): void {
    const anchors = this.#ledgers.anchorsIn(nameOf(data));
    const first = anchors.find(({ hash }) => hash === data.ledgerHash) ?? anchors[0];
    if (first === undefined) {
      throw new BadEvidence(
        'header',
        `no earlier event has a transaction in ledger ${data.ledgerIndex}`,
      );
    }
    const header = headerOf(first.header, data);
    this.#checkLedger(row, data, header, data.attestedIndex);
    const { next, attestedIndex } = data;
    const links = decodeBase64(data.links, maxLinks * linkBytes, 'the links');
    const last = followChain(header, links, maxLinks);
    if (last.index !== next.ledgerIndex || last.hash.toUpperCase() !== next.ledgerHash) {
      this.#fault(
        row.position,
        `the links lead to ledger ${last.index} (${last.hash.toUpperCase()}), not to ${next.ledgerIndex} (${next.ledgerHash})`,
      );
    }
    const name = nameOf({ ...data, ledgerIndex: next.ledgerIndex });
    const later = this.#ledgers.find(name);
    if (later?.hash !== next.ledgerHash || later.attested !== attestedIndex) {
      this.#fault(
        row.position,
        `ledger ${next.ledgerIndex} (${next.ledgerHash}), to which it is linked, is not attested by ledger ${attestedIndex}`,
      );
    }
  }

  /** Checks the leaves against the header, and our transactions against the leaves. */
  #checkLedger(
    row: EventRow,
    data: LedgerAttested['data'] | LedgerLinked['data'],
    header: LedgerHeader,
    attestedIndex: number,
  ): void {
    const name = nameOf(data);
    const leaves = new Uint8Array(Buffer.from(data.leaves, 'base64'));
    if (rootOfLeaves(leaves) !== header.transactionRoot) {
      this.#fault(
        row.position,
        `the leaves do not lead to the transaction root of ledger ${header.index}`,
      );
    }
    const anchors = this.#ledgers.anchorsIn(name);
    const own = anchors.filter(({ hash }) => hash === data.ledgerHash);
    for (const other of anchors.filter((one) => !own.includes(one)))
      this.#faultOfOther(other, header.index, data.ledgerHash);
    this.#checkPaths(own, leaves, header.index);
    const attested = { hash: data.ledgerHash, attested: attestedIndex };
    this.#ledgers.attest(name, attested, leaves);
  }

  /** A transaction of ours was recorded in another ledger than the attested one of its index. */
  #faultOfOther({ position }: KnownAnchor, index: number, attested: string): void {
    this.#fault(position, `another ledger ${index} is attested: ${attested}`);
  }

  #checkPaths(anchors: readonly KnownAnchor[], leaves: Uint8Array, index: number): void {
    if (anchors.length === 0) return;
    const byKey = new Map(
      readLeaves(leaves).map(({ key, hash }) => [bytesToHex(key), bytesToHex(hash)]),
    );
    for (const { position, transaction, leaf } of anchors) {
      const found = byKey.get(transaction);
      const named = transaction.toUpperCase();
      if (found === undefined) {
        this.#fault(position, `the leaves of ledger ${index} lack transaction ${named}`);
      } else if (leaf !== null && found !== leaf) {
        this.#fault(
          position,
          `the leaves of ledger ${index} have other data or metadata of transaction ${named}`,
        );
      }
    }
  }

  #fault(position: number, what: string): void {
    this.#findings.reportFault({ in: 'ledger', position, column: 'data', what });
  }
}

function nameOf({ ledgerId, ledgerIndex }: Pick<Anchor, 'ledgerId' | 'ledgerIndex'>): string {
  return `${ledgerId} ${ledgerIndex}`;
}

/** All fields of these events are stored in clear text. */
function parse<Data>(row: EventRow): Data {
  return JSON.parse(row.data) as Data;
}

/** The header that has the recorded index and hash. Throws `BadEvidence` for another one. */
function headerOf(
  hex: string,
  { ledgerIndex, ledgerHash }: Pick<Anchor, 'ledgerIndex' | 'ledgerHash'>,
): LedgerHeader {
  const header = readHeader(hexToBytes(hex));
  if (header.index === ledgerIndex && header.hash.toUpperCase() === ledgerHash) return header;
  const why = `the header is that of ledger ${header.index} (${header.hash.toUpperCase()}), not of ${ledgerIndex} (${ledgerHash})`;
  throw new BadEvidence('header', why);
}
