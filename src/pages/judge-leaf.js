import { hexToBytes } from '@noble/hashes/utils.js';
import { verifyInclusion } from '../verifier/log/verify-inclusion.ts';
import { isGood, judgeNote } from './judge-checkpoint.js';
import { step } from './witness-steps.js';

/** @import { ReadKey } from '../verifier/log/note-key.ts' */
/** @import { Roots } from './judge-checkpoint.js' */
/** @import { Leaf } from './read-log.js' */
/** @import { Step } from './step.ts' */

/**
 * @typedef {{position: number} | {proofId: string}} Wanted
 *   The first event has position 1.
 *
 * @typedef {object} JudgedLeaf
 * @property {number} position
 * @property {number} size Number of events in the tree.
 * @property {boolean} isGood
 * @property {boolean} isKnown True if the reader knows keys of the log.
 * @property {Step[]} steps
 */

/**
 * Judges that a leaf is in the tree of a signed checkpoint.
 *
 * @param {Leaf} leaf
 * @param {Wanted} wanted
 * @param {readonly ReadKey[]} known Keys that the reader knows.
 * @param {Roots} roots
 * @returns {JudgedLeaf}
 */
export function judgeLeaf(leaf, wanted, known, roots) {
  const position = leaf.leafIndex + 1;
  const note = judgeNote(leaf, known, roots);
  const shown = {
    ...step('logLeaf', 'noted', 'logLeafShown', { position }),
    values: [
      { name: 'logLeaf', value: leaf.leafHash },
      { name: 'logIndex', value: String(leaf.leafIndex) },
    ],
  };
  const proof =
    'proofId' in wanted
      ? [step('logProof', 'claimed', 'logProofStated', { name: wanted.proofId })]
      : [];
  const steps = [shown, inclusionStep(leaf, wanted, note.checkpoint), ...proof, ...note.steps];
  const { checkpoint, isKnown } = note;
  return { position, size: checkpoint?.size ?? 0, isGood: isGood(steps), isKnown, steps };
}

/**
 * @param {Leaf} leaf
 * @param {Wanted} wanted
 * @param {ReturnType<typeof judgeNote>['checkpoint']} checkpoint
 * @returns {Step}
 */
function inclusionStep({ leafHash, leafIndex, hashes }, wanted, checkpoint) {
  const name = 'logInclusion';
  if ('position' in wanted && wanted.position !== leafIndex + 1) {
    return step(name, 'failed', 'logOtherLeaf');
  }
  const isIncluded =
    checkpoint !== null &&
    verifyInclusion({
      leaf: hexToBytes(leafHash),
      index: leafIndex,
      proof: hashes.map((hash) => hexToBytes(hash)),
      ...checkpoint,
    });
  return isIncluded
    ? step(name, 'ok', 'logIncluded', { count: hashes.length })
    : step(name, 'failed', 'logNotIncluded');
}
