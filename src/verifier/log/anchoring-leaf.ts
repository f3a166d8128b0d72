import { sha256 } from '@noble/hashes/sha2.js';
import { bytesToHex, hexToBytes } from '@noble/hashes/utils.js';
import type { Bundle } from '../bundle/bundle.ts';
import type { ReadCheckpoint } from './checkpoint.ts';
import { canonicalBytes, leafOf } from './leaf.ts';
import { verifyInclusion } from './verify-inclusion.ts';

/** Bundles with an entry of the issuer's log: all since version 2. */
export type LoggedBundle = Exclude<Bundle, { readonly version: 1 }>;

/** The leaf of the log entry in a bundle. */
export function anchoringLeaf({ log }: Pick<LoggedBundle, 'log'>): Uint8Array {
  return leafOf(log.event);
}

/**
 * The reason why the tree of a checkpoint does not have the bundle's anchoring at the stated place;
 * null if it does. `hashes` lead from the leaf to the root. `called` names the checkpoint.
 */
export function reasonAgainstEntry(
  bundle: LoggedBundle,
  { size, root }: Pick<ReadCheckpoint, 'size' | 'root'>,
  { hashes, called }: { readonly hashes: readonly string[]; readonly called: string },
): string | null {
  const stranger = reasonAgainstEvent(bundle);
  if (stranger !== null) return stranger;
  const index = bundle.log.leafIndex;
  const proof = hashes.map((hash) => hexToBytes(hash));
  return verifyInclusion({ leaf: anchoringLeaf(bundle), index, size, proof, root })
    ? null
    : `the log entry is not at position ${index + 1} of the ${size} events that ${called} covers`;
}

/** The reason why the log entry is not of this bundle's anchoring; null if it is. */
function reasonAgainstEvent(bundle: LoggedBundle): string | null {
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
