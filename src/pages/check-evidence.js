import { bytesToHex, hexToBytes } from '@noble/hashes/utils.js';
import { attestedAnchor } from '../verifier/check/attested-anchor.ts';
import { isStamped, stampedCheckpoint } from '../verifier/check/check-timestamp.ts';
import { checkTransactionSignature } from '../verifier/check/check-transaction-signature.ts';
import { BadEvidence } from '../verifier/evidence/bad-evidence.ts';
import { anchoringLeaf, reasonAgainstEntry } from '../verifier/log/anchoring-leaf.ts';
import { checkSignatures } from '../verifier/log/check-signatures.ts';
import { readCheckpointText } from '../verifier/log/checkpoint.ts';
import { logSignature } from '../verifier/log/note-key.ts';
import { readSignedNote } from '../verifier/log/signed-note.ts';
import { verifyInclusion } from '../verifier/log/verify-inclusion.ts';
import { issuedSteps } from './judge-issued.js';
import { issuerSteps } from './judge-issuer.js';
import { readKnownKeys } from './known-keys.js';
import { quorumStep } from './quorum-step.js';
import { samplePublisher } from './sample-proof.js';
import { step, witnessSteps } from './witness-steps.js';

/** @import { Bundle } from '../verifier/bundle/bundle.ts' */
/** @import { AttestedAnchor } from '../verifier/check/attested-anchor.ts' */
/** @import { ReadKey } from '../verifier/log/note-key.ts' */
/** @import { LoggedBundle } from '../verifier/log/anchoring-leaf.ts' */
/** @import { IssuedPdf } from './issued-records.js' */
/** @import { KnownPolicy } from './known-keys.js' */
/** @import { Step } from './judge-steps.js' */

/**
 * @typedef {'txSignature' | 'logEntry' | 'logCheckpoint' | 'logQuorum' | 'issued'} EvidenceStepName
 * @typedef {AttestedAnchor & {isSample?: boolean}} Validators `isSample`: of a made-up network, so nothing is
 *   proven.
 * @typedef {object} Checked
 * @property {Step[]} steps
 * @property {Validators | null} validators Word of the ledger's validators.
 * @property {{time: string | null} | null} timestamp The time that a token for the proof states; null in it if
 *   the token is not for the proof. Null without a token.
 */

/**
 * Verifies the signatures in a bundle, and its place in the issuer's log. The reading thread runs this.
 *
 * @param {Bundle} bundle
 * @param {string} entered Keys that the reader knows, one on each line, or a witness policy.
 * @param {IssuedPdf | null} [issued] The PDF with the bundle, and the record of its bytes.
 * @returns {Checked}
 */
export function checkEvidence(bundle, entered, issued = null) {
  const { keys, policy } = readKnownKeys(entered);
  const steps = [
    signatureStep(bundle),
    ...logSteps(bundle, keys, policy),
    ...issuerSteps(bundle, keys),
    ...issuedSteps(issued, keys),
  ];
  return { steps, validators: validatorsOf(bundle), timestamp: timestampOf(bundle) };
}

/**
 * The word of a known network's validators, or of those of the sample.
 *
 * @param {Bundle} bundle
 * @returns {Validators | null}
 */
function validatorsOf(bundle) {
  const known = attestedAnchor(bundle);
  if (known !== null) return known;
  const sample = attestedAnchor(bundle, [samplePublisher]);
  return sample && { ...sample, isSample: true };
}

/**
 * @param {Bundle} bundle
 * @returns {Step}
 */
function signatureStep(bundle) {
  const { outcome, publicKey } = checkTransactionSignature(bundle);
  const values = publicKey === null ? [] : [{ name: 'signingKey', value: publicKey }];
  const name = 'txSignature';
  if (outcome === 'own') return { ...step(name, 'ok', 'txSigned'), values };
  // A regular key or a signer that only the ledger knows to be allowed.
  if (outcome === 'other') return { ...step(name, 'noted', 'txSignedByOther'), values };
  return { ...step(name, 'failed', 'txForged'), values };
}

/**
 * @param {Bundle} bundle
 * @param {readonly ReadKey[]} keys Keys that the reader knows.
 * @param {KnownPolicy | null} policy
 * @returns {Step[]}
 */
function logSteps(bundle, keys, policy) {
  if (bundle.version === 1) return [step('logEntry', 'none', 'logEntryNone')];
  const note = readSignedNote(bundle.log.checkpoint);
  const checkpoint = note && readCheckpointText(note.text);
  if (note === null || checkpoint === null) return [step('logEntry', 'failed', 'logEntryBroken')];
  const { origin } = checkpoint;
  const known = keys.filter(({ type, name }) => type === logSignature && name === origin);
  const others = keys.filter(({ type }) => type !== logSignature);
  const checked = checkSignatures(note, [...known, ...others]);
  const witnesses = checked.filter(({ name }) => name !== origin);
  return [
    entryStep(bundle, checkpoint),
    checkpointStep(checked, origin, known.length > 0),
    ...witnessSteps(witnesses),
    ...(policy === null ? [] : [quorumStep(checked, policy)]),
  ];
}

/**
 * @param {LoggedBundle} bundle
 * @param {{origin: string, size: number, root: Uint8Array}} checkpoint
 * @returns {Step}
 */
function entryStep(bundle, { origin, size, root }) {
  const { leafIndex: index, hashes } = bundle.log;
  const leaf = anchoringLeaf(bundle);
  const proof = hashes.map((hex) => hexToBytes(hex));
  const holds =
    reasonAgainstEntry(bundle) === null && verifyInclusion({ leaf, index, size, proof, root });
  const values = [
    { name: 'logOrigin', value: origin },
    { name: 'logRoot', value: bytesToHex(root) },
    { name: 'logLeaf', value: bytesToHex(leaf) },
  ];
  if (!holds) return { ...step('logEntry', 'failed', 'logEntryBroken'), values };
  const where = { position: index + 1, size };
  return { ...step('logEntry', 'noted', 'logEntryHolds', where), values };
}

/**
 * @param {ReturnType<typeof checkSignatures>} checked
 * @param {string} origin
 * @param {boolean} isKnown True if the reader knows a key of this log.
 * @returns {Step}
 */
function checkpointStep(checked, origin, isKnown) {
  const name = 'logCheckpoint';
  if (!isKnown) return step(name, 'notChecked', 'logKeyUnknown', { name: origin });
  const own = checked.filter((one) => one.name === origin && one.key !== null);
  if (own.some(({ outcome }) => outcome === 'invalid')) return step(name, 'failed', 'logForged');
  return own.some(({ outcome }) => outcome === 'valid')
    ? step(name, 'ok', 'logSignedKnown')
    : step(name, 'failed', 'logUnsignedByKnown');
}

/**
 * Checks that the token of a bundle is for its proof. The authority's signature is not checked.
 *
 * @param {Bundle} bundle
 * @returns {{time: string | null} | null}
 */
function timestampOf(bundle) {
  if (!isStamped(bundle)) return null;
  try {
    return { time: stampedCheckpoint(bundle).time };
  } catch (error) {
    if (error instanceof BadEvidence) return { time: null };
    throw error;
  }
}
