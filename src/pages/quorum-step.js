import { findCosignatures } from '../verifier/log/find-cosignatures.ts';
import { step } from './witness-steps.js';

/** @import { Policy } from '../verifier/log/policy.ts' */
/** @import { Step } from './step.ts' */

/**
 * The verdict of the reader's witness policy on the signatures of a checkpoint. As for `ops verify`,
 * it fails without a quorum. A witness with an invalid signature does not count.
 *
 * @param {string} note
 * @param {Policy} policy
 * @returns {Step}
 */
export function quorumStep(note, policy) {
  if (policy.quorum.kind === 'none') return step('logQuorum', 'none', 'logQuorumNone');
  const { cosigned = [], hasQuorum = false } = findCosignatures(note, policy) ?? {};
  const count = cosigned.length;
  const witnesses = cosigned.map(({ witness }) => witness).join(', ');
  const values = { witnesses, count, all: policy.witnesses.length };
  if (hasQuorum) return step('logQuorum', 'ok', 'logQuorumReached', values);
  return step('logQuorum', 'failed', count > 0 ? 'logQuorumMissed' : 'logQuorumEmpty', values);
}
