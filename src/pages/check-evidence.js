import { bytesToHex, hexToBytes } from '@noble/hashes/utils.js';
import { attestedAnchor } from '../verifier/check/attested-anchor.ts';
import { isStamped, stampedCheckpoint } from '../verifier/check/check-timestamp.ts';
import { checkTransactionSignature } from '../verifier/check/check-transaction-signature.ts';
import { BadEvidence } from '../verifier/evidence/bad-evidence.ts';
import { anchoringLeaf, reasonAgainstEntry } from '../verifier/log/anchoring-leaf.ts';
import { checkSignatures } from '../verifier/log/check-signatures.ts';
import { readCheckpointText } from '../verifier/log/checkpoint.ts';
import { logSignature, readNoteKey } from '../verifier/log/note-key.ts';
import { readSignedNote } from '../verifier/log/signed-note.ts';
import { verifyInclusion } from '../verifier/log/verify-inclusion.ts';
import { issuedSteps } from './judge-issued.js';
import { issuerSteps } from './judge-issuer.js';
import { keysOfLog, readKnownKeys } from './known-keys.js';
import { quorumStep } from './quorum-step.js';
import { samplePublisher } from './sample-proof.js';
import { vkeyOf } from './vkey-of.js';
import { step, witnessSteps } from './witness-steps.js';

/** @import { Bundle } from '../verifier/bundle/bundle.ts' */
/** @import { ReadKey } from '../verifier/log/note-key.ts' */
/** @import { LoggedBundle } from '../verifier/log/anchoring-leaf.ts' */
/** @import { Checked, IssuedPdf, ServiceKeys } from './checked-evidence.ts' */
/** @import { KnownPolicy } from './known-keys.js' */
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
  const { keys, policy } = readKnownKeys(entered);
  const published = readServiceKeys(service);
  const steps = [
    signatureStep(bundle),
    ...logSteps(bundle, { known: keys, published: published.log, policy }),
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
 * @param {{known: readonly ReadKey[], published: readonly ReadKey[], policy: KnownPolicy | null}} given `known`:
 *   keys that the reader knows. `published`: keys of its log that this service publishes.
 * @returns {Step[]}
 */
function logSteps(bundle, { known, published, policy }) {
  if (bundle.version === 1) return [step('logEntry', 'none', 'logEntryNone')];
  const note = readSignedNote(bundle.log.checkpoint);
  const checkpoint = note && readCheckpointText(note.text);
  if (note === null || checkpoint === null) return [step('logEntry', 'failed', 'logEntryBroken')];
  const { origin } = checkpoint;
  const { pinned, stated } = keysOfLog(origin, known, published);
  const others = known.filter(({ type }) => type !== logSignature);
  const checked = checkSignatures(note, [...pinned, ...stated, ...others]);
  const witnesses = checked.filter(({ name, key }) =>
    key === null ? name !== origin : key.type !== logSignature,
  );
  const knowsLogs = known.some(({ type }) => type === logSignature);
  return [
    entryStep(bundle, checkpoint),
    checkpointStep(checked, origin, { isPinned: pinned.length > 0, knowsLogs }),
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
 * @param {{isPinned: boolean, knowsLogs: boolean}} reader `isPinned`: knows a key of this log. Otherwise the
 *   service states the keys. `knowsLogs`: knows a key of any log.
 * @returns {Step}
 */
function checkpointStep(checked, origin, { isPinned, knowsLogs }) {
  const name = 'logCheckpoint';
  if (knowsLogs && checked.every((one) => one.name !== origin)) {
    return step(name, 'failed', 'logUnsignedByLog');
  }
  // A witness may have the name of the log. Its cosignature is no signature of the log.
  const own = checked.filter(({ key }) => key?.type === logSignature);
  if (own.some(({ outcome }) => outcome === 'invalid')) return step(name, 'failed', 'logForged');
  const valid = own.filter(({ outcome }) => outcome === 'valid');
  if (valid.length === 0) {
    return isPinned
      ? step(name, 'failed', 'logUnsignedByKnown')
      : step(name, 'notChecked', 'logKeyUnknown', { name: origin });
  }
  const values = valid.flatMap(({ key }) => (key ? [{ name: 'logKey', value: vkeyOf(key) }] : []));
  const made = isPinned
    ? step(name, 'ok', 'logSignedKnown')
    : step(name, 'stated', 'logSignedStated');
  return { ...made, values };
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
