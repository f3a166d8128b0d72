import { sha256 } from '@noble/hashes/sha2.js';
import { bytesToHex, concatBytes } from '@noble/hashes/utils.js';
import canonicalize from 'canonicalize';
import type { Bundle } from '../bundle/bundle.ts';

/** Bundles with an entry of the issuer's log: all since version 2. */
export type LoggedBundle = Exclude<Bundle, { readonly version: 1 }>;

/** The leaf of the log entry in a bundle. */
export function anchoringLeaf({ log }: Pick<LoggedBundle, 'log'>): Uint8Array {
  return sha256(concatBytes(Uint8Array.of(0), canonicalBytes(log.event)));
}

/** The reason why the log entry is not of this bundle's anchoring; null if it is. */
export function reasonAgainstEntry(bundle: LoggedBundle): string | null {
  const { event } = bundle.log;
  if (event.stream !== `proof-${bundle.certificate.proofId}`) {
    return 'the log entry belongs to another proof';
  }
  return event.dataHash === bytesToHex(sha256(canonicalBytes(anchoringOf(bundle))))
    ? null
    : 'the log entry does not match the transaction and the ledger that the bundle states';
}

/** Data of the Anchored event, rebuilt from the ledger data in the bundle. */
function anchoringOf({ anchor, evidence, log }: LoggedBundle): object {
  const { transactionHash, ledgerIndex, ledgerHash, transactionIndex } = anchor;
  const { closeTime, closeTimeIso } = anchor;
  const { metadata, ledgerHeader } = evidence;
  return {
    ...{ ledgerId: log.ledgerId, transactionHash, ledgerIndex, ledgerHash, transactionIndex },
    ...{ closeTime, closeTimeIso, metadata, ledgerHeader },
  };
}

function canonicalBytes(value: object): Uint8Array {
  return new TextEncoder().encode(canonicalize(value) ?? '');
}
