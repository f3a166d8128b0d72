import { hexToBytes } from '@noble/hashes/utils.js';
import { closeTimeIso } from '../../domain/ledger/close-time.ts';
import type { Bundle } from '../bundle/bundle.ts';
import { type Check, check } from './check.ts';
import { ledgerHash } from './ledger-hash.ts';

/** Compares the ledger header with the ledger and the close time stated in the bundle. */
export function checkHeader(bundle: Bundle): Check[] {
  return [checkIndex(bundle), checkCloseTime(bundle)];
}

/** Layout of a header (rippled, LedgerHeader.cpp): index at byte 0, close time at byte 112. */
const headerBytes = 118;
const closeTimeAt = 112;

function checkIndex({ anchor, evidence: { ledgerHeader } }: Bundle): Check {
  const header = hexToBytes(ledgerHeader);
  const hash = ledgerHash('ledger', ledgerHeader);
  const reason = () => {
    if (header.length !== headerBytes)
      return `the ledger header has ${header.length} bytes instead of ${headerBytes}`;
    if (hash !== anchor.ledgerHash) {
      return `the hash of the ledger header is ${hash} instead of the stated ${anchor.ledgerHash}`;
    }
    const index = uint32At(header, 0);
    return index === anchor.ledgerIndex
      ? null
      : `the ledger header belongs to ledger ${index} instead of the stated ledger ${anchor.ledgerIndex}`;
  };
  return check(
    'ledger header',
    reason(),
    `the ledger header belongs to ledger ${anchor.ledgerIndex} and has the hash ${hash}`,
  );
}

function checkCloseTime({ anchor, evidence }: Bundle): Check {
  const header = hexToBytes(evidence.ledgerHeader);
  const reason = () => {
    const stated = closeTimeIso(anchor.closeTime);
    if (stated !== anchor.closeTimeIso) {
      return `the stated close times contradict each other: closeTime ${anchor.closeTime} means ${stated}, but closeTimeIso is ${anchor.closeTimeIso}`;
    }
    if (header.length !== headerBytes)
      return 'the close time cannot be compared, because the ledger header has a wrong length';
    const closeTime = uint32At(header, closeTimeAt);
    return closeTime === anchor.closeTime
      ? null
      : `the close time in the ledger header is ${closeTimeIso(closeTime)} instead of the stated ${stated}`;
  };
  return check(
    'close time',
    reason(),
    `the close time in the ledger header is ${anchor.closeTimeIso}. Ledger close times are rounded`,
  );
}

/** Big-endian. */
function uint32At(bytes: Uint8Array, at: number): number {
  return new DataView(bytes.buffer, bytes.byteOffset).getUint32(at);
}
