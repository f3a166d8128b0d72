import { bytesToHex } from '@noble/hashes/utils.js';
import { attestedAnchor } from '../verifier/check/attested-anchor.ts';
import { isStamped, stampedCheckpoint } from '../verifier/check/check-timestamp.ts';
import { checkTransactionSignature } from '../verifier/check/check-transaction-signature.ts';
import { BadEvidence } from '../verifier/evidence/bad-evidence.ts';
import { anchoringLeaf, reasonAgainstEntry } from '../verifier/log/anchoring-leaf.ts';
import { readCheckpointNote } from '../verifier/log/checkpoint.ts';
import { logSignature, readNoteKey } from '../verifier/log/note-key.ts';
import { verifyCheckpoint } from '../verifier/log/verify-checkpoint.ts';
import { issuedSteps } from './judge-issued.js';
import { issuerSteps } from './judge-issuer.js';
import { keysOfLog, readKnownKeys } from './known-keys.js';
import { quorumStep } from './quorum-step.js';
import { samplePublisher } from './sample-proof.js';
import { step, witnessSteps } from './witness-steps.js';

/** @import { Bundle } from '../verifier/bundle/bundle.ts' */
/** @import { ReadKey } from '../verifier/log/note-key.ts' */
/** @import { LoggedBundle } from '../verifier/log/anchoring-leaf.ts' */
/** @import { Policy } from '../verifier/log/policy.ts' */
/** @import { CheckpointNote, ReadCheckpoint } from '../verifier/log/checkpoint.ts' */
/** @import { Checked, IssuedPdf, ServiceKeys } from './checked-evidence.ts' */
/** @import { Step } from './step.ts' */
/** @import { Validators } from './verification.ts' */

/**
 * Verifies the signatures in a bundle, and its place in the issuer's log. The reading thread runs this.
 *
 * @param {Bundle} bundle
 * @param {string} entered Keys that the reader knows, one on each line, or a witness policy.
 * @param {IssuedPdf | null} [issued] The PDF with the bundle, and the record of its bytes.
 * @param {ServiceKeys} [service] Keys that this service publishes.
 * @returns {Checked}
 */
export function checkEvidence(bundle, entered, issued = null, service = { log: [], issuer: [] }) {
  const { keys, policy, mistake } = readKnownKeys(entered);
  const published = readServiceKeys(service);
  const steps = [
    signatureStep(bundle),
    ...logSteps(bundle, { known: keys, published: published.log, policy }),
    // No witness counts under a policy with a mistake: `ops verify` refuses it.
    ...(mistake === null ? [] : [step('logQuorum', 'failed', 'logPolicyWrong', { mistake })]),
    ...issuerSteps(bundle, keys, published.issuer),
    ...issuedSteps(issued, keys, published.log),
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
 * @param {{known: readonly ReadKey[], published: readonly ReadKey[], policy: Policy | null}} given `known`:
 *   keys that the reader knows. `published`: keys of its log that this service publishes.
 * @returns {Step[]}
 */
function logSteps(bundle, { known, published, policy }) {
  if (bundle.version === 1) return [step('logEntry', 'none', 'logEntryNone')];
  const note = readCheckpointNote(bundle.log.checkpoint);
  if (note === null) return [step('logEntry', 'failed', 'logEntryBroken')];
  return [
    entryStep(bundle, note.checkpoint),
    checkpointStep(note, known, published),
    ...witnessSteps(note, known),
    ...(policy === null ? [] : [quorumStep(bundle.log.checkpoint, policy)]),
  ];
}

/**
 * @param {LoggedBundle} bundle
 * @param {ReadCheckpoint} checkpoint
 * @returns {Step}
 */
function entryStep(bundle, checkpoint) {
  const { leafIndex: index, hashes } = bundle.log;
  const { origin, size, root } = checkpoint;
  const leaf = anchoringLeaf(bundle);
  const holds = reasonAgainstEntry(bundle, checkpoint, { hashes, called: origin }) === null;
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
 * The signature of the log. The service states its keys only where the reader knows none of this log.
 *
 * @param {CheckpointNote} note
 * @param {readonly ReadKey[]} known
 * @param {readonly ReadKey[]} published
 * @returns {Step}
 */
function checkpointStep(note, known, published) {
  const name = 'logCheckpoint';
  const { origin } = note.checkpoint;
  const { pinned, stated } = keysOfLog(origin, known, published);
  const opened = verifyCheckpoint(note, [...pinned, ...stated]);
  const isPinned = pinned.length > 0;
  switch (opened.status) {
    case 'forged':
      return step(name, 'failed', 'logForged');
    case 'verified': {
      const values = opened.by.map(({ vkey }) => ({ name: 'logKey', value: vkey }));
      const made = isPinned
        ? step(name, 'ok', 'logSignedKnown')
        : step(name, 'stated', 'logSignedStated');
      return { ...made, values };
    }
  }
  // A reader who knows a key of any log expects a signature by the one that the checkpoint names.
  if (opened.status === 'unsigned' && known.some(({ type }) => type === logSignature)) {
    return step(name, 'failed', 'logUnsignedByLog');
  }
  return isPinned
    ? step(name, 'failed', 'logUnsignedByKnown')
    : step(name, 'notChecked', 'logKeyUnknown', { name: origin });
}

/** @param {ServiceKeys} service */
function readServiceKeys({ log, issuer }) {
  return {
    log: log.flatMap((vkey) => readNoteKey(vkey) ?? []),
    issuer: issuer.flatMap(({ key: vkey, compromisedSince }) => {
      const key = readNoteKey(vkey);
      return key === null ? [] : [{ key, compromisedSince }];
    }),
  };
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
