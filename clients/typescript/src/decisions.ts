import { sha256 } from '@noble/hashes/sha2.js';
import { bytesToHex, concatBytes, hexToBytes } from '@noble/hashes/utils.js';
import { ProofmarkError } from './errors.ts';
import type { components } from './generated/openapi.ts';

/** `data` of the answer of `GET /agent/runs/{id}/decisions/{index}`. */
export type ShownDecision = components['schemas']['DecisionProof'];

/**
 * Checks that a decision belongs to the statement of its run, without asking anybody. Returns the SHA-256
 * of the statement (64 lower-case hexadecimal characters), which a proof must show to be anchored. Throws
 * a ProofmarkError with DECISION_NOT_IN_RUN if anything differs.
 */
export function verifyDecision(shown: ShownDecision): string {
  const { canonicalDecision, decision, statement } = shown;
  const leaf = parsed(canonicalDecision);
  if (sorted(leaf) !== sorted(decision)) throw notInRun('the decision is not the one in the leaf');
  const stated = parsed(statement) as Partial<Stated> | null;
  const node = rootOf(shown);
  if (stated?.decisionsStored !== shown.treeSize || stated.decisionsRootHash !== node) {
    throw notInRun('the decision is not in the tree of the run');
  }
  return bytesToHex(sha256(utf8.encode(statement)));
}

interface Stated {
  readonly decisionsStored: number;
  readonly decisionsRootHash: string;
}

const utf8 = new TextEncoder();

/** Root of the tree that the inclusion proof leads to, in hexadecimal (RFC 6962, section 2.1). */
function rootOf({ canonicalDecision, decisionIndex, treeSize, hashes }: ShownDecision): string {
  if (!Number.isSafeInteger(treeSize) || !(decisionIndex >= 0 && decisionIndex < treeSize)) {
    throw notInRun('the tree has no such leaf');
  }
  let node = sha256(concatBytes(Uint8Array.of(0), utf8.encode(canonicalDecision)));
  let [index, last] = [decisionIndex, treeSize - 1];
  for (const hash of hashes) {
    // No sibling on this level.
    while (index % 2 === 0 && index === last && last > 0) [index, last] = [index / 2, last / 2];
    if (last === 0) throw notInRun('the inclusion proof is too long');
    const sibling = /^[0-9a-f]{64}$/.test(hash) ? hexToBytes(hash) : new Uint8Array();
    const pair = index % 2 === 1 ? [sibling, node] : [node, sibling];
    node = sha256(concatBytes(Uint8Array.of(1), ...pair));
    [index, last] = [Math.floor(index / 2), Math.floor(last / 2)];
  }
  if (last !== 0) throw notInRun('the inclusion proof is too short');
  return bytesToHex(node);
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (cause) {
    throw new ProofmarkError('DECISION_NOT_IN_RUN', 'the answer is not JSON', { cause });
  }
}

/** JSON with the members of each object in one order. */
function sorted(value: unknown): string {
  return JSON.stringify(value, (_, member) =>
    typeof member === 'object' && member !== null && !Array.isArray(member)
      ? Object.fromEntries(Object.entries(member).sort(([a], [b]) => (a < b ? -1 : 1)))
      : member,
  );
}

function notInRun(message: string): ProofmarkError {
  return new ProofmarkError('DECISION_NOT_IN_RUN', message);
}
