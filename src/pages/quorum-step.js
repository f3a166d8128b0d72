import { bytesToHex } from '@noble/hashes/utils.js';
import { isQuorum } from '../verifier/log/policy.ts';
import { step } from './witness-steps.js';

/** @import { CheckedSignature } from '../verifier/log/check-signatures.ts' */
/** @import { KnownPolicy } from './known-keys.js' */
/** @import { Step } from './step.ts' */

/**
 * The verdict of the reader's witness policy on the signatures of a checkpoint. As for `ops verify`,
 * it fails without a quorum. A witness with an invalid signature does not count.
 *
 * @param {readonly CheckedSignature[]} checked
 * @param {KnownPolicy} policy
 * @returns {Step}
 */
export function quorumStep(checked, { witnesses, quorum }) {
  const cosigned = witnesses.flatMap(({ name, key }) => {
    const own = checked.filter(
      (one) => one.name === key.name && one.keyId === bytesToHex(key.keyId),
    );
    return own.length > 0 && own.every(({ outcome }) => outcome === 'valid') ? [name] : [];
  });
  const values = { witnesses: cosigned.join(', '), count: cosigned.length, all: witnesses.length };
  if (quorum.kind === 'none') return step('logQuorum', 'none', 'logQuorumNone');
  return isQuorum(quorum, new Set(cosigned))
    ? step('logQuorum', 'ok', 'logQuorumReached', values)
    : step(
        'logQuorum',
        'failed',
        cosigned.length > 0 ? 'logQuorumMissed' : 'logQuorumEmpty',
        values,
      );
}
