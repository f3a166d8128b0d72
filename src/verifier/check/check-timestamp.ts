import { sha256 } from '@noble/hashes/sha2.js';
import { bytesToHex } from '@noble/hashes/utils.js';
import { closeTimeIso } from '../../domain/ledger/close-time.ts';
import type { Bundle, BundleTimestamp } from '../bundle/bundle.ts';
import { BadEvidence } from '../evidence/bad-evidence.ts';
import { decodeBase64 } from '../evidence/base64.ts';
import { maxTokenBytes } from '../evidence/limits.ts';
import { reasonAgainstEntry } from '../log/anchoring-leaf.ts';
import { readCheckpointText } from '../log/checkpoint.ts';
import { readToken } from '../timestamp/read-token.ts';
import { type Check, failed, ok } from './check.ts';

/** Bundles with a time-stamp token: all of version 5, and some since version 6. */
export type StampedBundle = Extract<Bundle, { readonly timestamp: unknown }> & {
  readonly timestamp: BundleTimestamp;
};

export function isStamped(bundle: Bundle): bundle is StampedBundle {
  return 'timestamp' in bundle && bundle.timestamp !== null;
}

/** The token of a bundle, with the text that it is of. */
export interface StampedCheckpoint {
  /** DER. */
  readonly token: Uint8Array;
  /** Text of the checkpoint, as stamped. */
  readonly text: Uint8Array;
  /** Time in the token, ISO 8601. Nobody vouches for it before the signature is verified. */
  readonly time: string;
  /** Number of events that the checkpoint covers. */
  readonly size: number;
}

/**
 * Checks the way from the log entry to the time-stamp token: the entry is in the tree of the
 * checkpoint, and the token is of the checkpoint. The authority's signature is not verified. Returns
 * no check for a bundle without a token.
 */
export function checkTimestamp(bundle: Bundle): Check[] {
  if (!isStamped(bundle)) return [];
  try {
    const { time, size } = stampedCheckpoint(bundle);
    const detail = `the log entry is one of the ${size} events of a checkpoint, and the token is of this checkpoint. The token states the time ${time}`;
    return [ok('timestamp', detail)];
  } catch (error) {
    if (!(error instanceof BadEvidence)) throw error;
    return [failed('timestamp', error.message)];
  }
}

/** Throws `BadEvidence` unless the token is of a checkpoint that covers the log entry. */
export function stampedCheckpoint(bundle: StampedBundle): StampedCheckpoint {
  const { checkpointText, hashes, token: base64 } = bundle.timestamp;
  // The form of the bundle demands a checkpoint.
  const checkpoint = readCheckpointText(checkpointText);
  if (checkpoint === null)
    throw new BadEvidence('timestamp', 'the stamped checkpoint is malformed');
  const called = 'the stamped checkpoint';
  const reason = reasonAgainstEntry(bundle, checkpoint, { hashes, called });
  if (reason !== null) throw new BadEvidence('timestamp', reason);
  const text = new TextEncoder().encode(checkpointText);
  const token = decodeBase64(base64, maxTokenBytes, 'the token');
  const { imprint, time } = readToken(token);
  if (imprint !== bytesToHex(sha256(text))) {
    throw new BadEvidence(
      'timestamp',
      'the token is of other data than the checkpoint in the bundle',
    );
  }
  demandOrder(bundle, time);
  return { token, text, time, size: checkpoint.size };
}

/** Clocks of ledger and authority may differ so much. */
const maxClockDifferenceMs = 300_000;

/**
 * The log entry names the ledger, so the checkpoint with it is younger. The clock of a standalone
 * ledger may be ahead by any time.
 */
function demandOrder({ anchor }: StampedBundle, time: string): void {
  if (anchor.standalone) return;
  const closed = closeTimeIso(anchor.closeTime);
  if (Date.parse(time) >= Date.parse(closed) - maxClockDifferenceMs) return;
  throw new BadEvidence(
    'timestamp',
    `the token states the time ${time}, but the log entry names a ledger that closed later, at ${closed}: one of these times is false`,
  );
}
