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
    if (header.length !== headerBytes) return `it has ${header.length} bytes, not ${headerBytes}`;
    if (hash !== anchor.ledgerHash) {
      return `its hash is ${hash}, the bundle says ${anchor.ledgerHash}`;
    }
    const index = uint32At(header, 0);
    return index === anchor.ledgerIndex
      ? null
      : `it is of ledger ${index}, the bundle says ${anchor.ledgerIndex}`;
  };
  return check(
    'ledger header',
    reason(),
    `it is of ledger ${anchor.ledgerIndex}, with hash ${hash}`,
  );
}

function checkCloseTime({ anchor, evidence }: Bundle): Check {
  const header = hexToBytes(evidence.ledgerHeader);
  const reason = () => {
    const stated = closeTimeIso(anchor.closeTime);
    if (stated !== anchor.closeTimeIso) {
      return `${anchor.closeTime} is ${stated}, the bundle says ${anchor.closeTimeIso}`;
    }
    if (header.length !== headerBytes) return 'there is no ledger header to compare with';
    const closeTime = uint32At(header, closeTimeAt);
    return closeTime === anchor.closeTime
      ? null
      : `the ledger header says ${closeTimeIso(closeTime)}, the bundle says ${stated}`;
  };
  return check(
    'close time',
    reason(),
    `the header says ${anchor.closeTimeIso} (ledger close times are rounded)`,
  );
}

/** Big-endian. */
function uint32At(bytes: Uint8Array, at: number): number {
  return new DataView(bytes.buffer, bytes.byteOffset).getUint32(at);
}
