import { sha256 } from '@noble/hashes/sha2.js';
import { bytesToHex, utf8ToBytes } from '@noble/hashes/utils.js';
import { checkpointMemo, memoOf } from '../domain/log/checkpoint-memo.ts';
import { canonicalBase64 } from '../verifier/log/canonical-base64.ts';
import { readCheckpointNote } from '../verifier/log/checkpoint.ts';
import { readNoteKey } from '../verifier/log/note-key.ts';
import { readTimeStampToken } from '../verifier/log/time-stamp-token.ts';
import { verifyCheckpoint } from '../verifier/log/verify-checkpoint.ts';
import { keysOfLog } from './known-keys.js';
import { step, witnessSteps } from './witness-steps.js';

/** @import { ReadCheckpoint } from '../verifier/log/checkpoint.ts' */
/** @import { ReadKey } from '../verifier/log/note-key.ts' */
/** @import { VerifiedCheckpoint } from '../verifier/log/verify-checkpoint.ts' */
/** @import { Listed } from './read-log.js' */
/** @import { Step } from './step.ts' */

/**
 * @typedef {object} JudgedNote
 * @property {ReadCheckpoint | null} checkpoint Null if the note is no checkpoint.
 * @property {string} text Signed text.
 * @property {Step[]} steps
 * @property {boolean} isKnown True if the reader knows keys of the log.
 *
 * @typedef {JudgedNote & {listed: Listed, isGood: boolean}} JudgedCheckpoint
 *   `isGood`: the signature of the log is valid, and no step failed.
 */

/**
 * Judges a checkpoint with all its evidence.
 *
 * @param {Listed} listed
 * @param {readonly ReadKey[]} known Keys that the reader knows.
 * @param {Roots} roots
 * @returns {JudgedCheckpoint}
 */
export function judgeCheckpoint(listed, known, roots) {
  const note = judgeNote(listed, known, roots);
  const { checkpoint } = note;
  const steps = checkpoint
    ? [...note.steps, anchorStep(listed, checkpoint), tokenStep(listed, note.text)]
    : note.steps;
  return { ...note, listed, steps, isGood: isGood(steps) };
}

/**
 * True if the signature of the log is valid, and no step failed.
 * @param {readonly Step[]} steps
 */
export function isGood(steps) {
  const isSigned = steps.some(({ name, status }) => name === 'logSignature' && status === 'ok');
  return isSigned && steps.every(({ status }) => status !== 'failed');
}

/** Roots of the signed checkpoints that this page has seen, to notice a second history. */
export class Roots {
  /** @type {Map<string, {root: string, vkey: string}[]>} */
  #roots = new Map();

  /**
   * False if another root was seen for the same number of events. Roots under keys that only the service
   * stated do not count if the reader knows keys of the log. Call it for signed checkpoints only.
   *
   * @param {ReadCheckpoint} checkpoint
   * @param {{signing: readonly ReadKey[], pinned: readonly ReadKey[]}} keys `signing`: those whose signatures
   *   are valid. `pinned`: those that the reader knows.
   */
  agree({ origin, size, root: bytes }, { signing, pinned }) {
    const root = bytesToHex(bytes);
    const place = `${origin} ${size}`;
    const seen = this.#roots.get(place) ?? [];
    this.#roots.set(place, seen);
    for (const vkey of signing.map((key) => key.vkey)) {
      if (!seen.some((one) => one.root === root && one.vkey === vkey)) seen.push({ root, vkey });
    }
    const relied = pinned.map(({ vkey }) => vkey);
    const first = seen.find(({ vkey }) => relied.length === 0 || relied.includes(vkey));
    return first === undefined || first.root === root;
  }
}

/**
 * Judges the signatures of a checkpoint.
 *
 * @param {Pick<Listed, 'checkpoint' | 'logKeys'>} stated
 * @param {readonly ReadKey[]} known
 * @param {Roots} roots
 * @returns {JudgedNote}
 */
export function judgeNote({ checkpoint: written, logKeys }, known, roots) {
  const note = readCheckpointNote(written);
  if (note === null) {
    const steps = [step('logSignature', 'failed', 'logMalformed')];
    return { checkpoint: null, text: '', steps, isKnown: false };
  }
  const { checkpoint, text } = note;
  const { origin } = checkpoint;
  const published = logKeys.flatMap((vkey) => readNoteKey(vkey) ?? []);
  const { pinned, stated } = keysOfLog(origin, known, published);
  const opened = verifyCheckpoint(note, [...pinned, ...stated]);
  const signature = signatureStep(opened, pinned.length > 0);
  const signing = opened.status === 'verified' ? opened.by : [];
  /** @type {Step[]} */
  const steps = [
    {
      ...signature,
      values: [
        { name: 'logOrigin', value: origin },
        { name: 'logSize', value: String(checkpoint.size) },
        { name: 'logRoot', value: bytesToHex(checkpoint.root) },
        ...(signature.values ?? []),
      ],
    },
  ];
  if (signing.length > 0 && !roots.agree(checkpoint, { signing, pinned })) {
    steps.push(step('logHistory', 'failed', 'logForked'));
  }
  steps.push(...witnessSteps(note, known));
  return { checkpoint, text, steps, isKnown: pinned.length > 0 };
}

/**
 * @param {VerifiedCheckpoint} opened
 * @param {boolean} isPinned True if the reader knows keys of the log.
 */
function signatureStep(opened, isPinned) {
  const name = 'logSignature';
  if (opened.status === 'forged') return step(name, 'failed', 'logForged');
  if (opened.status !== 'verified') {
    return step(name, 'failed', isPinned ? 'logUnsignedByKnown' : 'logUnsigned');
  }
  const values = opened.by.map(({ vkey }) => ({ name: 'logKey', value: vkey }));
  return { ...step(name, 'ok', isPinned ? 'logSignedKnown' : 'logSignedStated'), values };
}

/**
 * @param {Listed} listed
 * @param {ReadCheckpoint} checkpoint
 * @returns {Step}
 */
function anchorStep({ anchor }, checkpoint) {
  const name = 'logAnchor';
  if (anchor === null) return step(name, 'none', 'logAnchorNone');
  const memo = checkpointMemo(memoOf(checkpoint)).data;
  const values = [
    { name: 'transaction', value: anchor.transactionHash },
    { name: 'ledgerIndex', value: String(anchor.ledgerIndex) },
    { name: 'time', value: anchor.ledgerCloseTime },
    { name: 'logMemo', value: memo },
  ];
  if (anchor.memo !== memo) return { ...step(name, 'failed', 'logAnchorDiffers'), values };
  const { standalone, network } = anchor;
  const made = standalone
    ? step(name, 'claimed', 'logAnchorStandalone')
    : step(name, 'claimed', 'logAnchorStated', { network });
  return { ...made, values };
}

/**
 * @param {Listed} listed
 * @param {string} signedText
 * @returns {Step}
 */
function tokenStep({ timestamp }, signedText) {
  const name = 'logToken';
  if (timestamp === null) return step(name, 'none', 'logTokenNone');
  const { token, authority } = timestamp;
  const der = canonicalBase64(token);
  const read = der && readTimeStampToken(der);
  const computed = bytesToHex(sha256(utf8ToBytes(signedText)));
  const values = [
    { name: 'logHash', value: computed },
    { name: 'logToken', value: token, brief: `${token.slice(0, 60)}…` },
  ];
  if (read === null) return { ...step(name, 'notChecked', 'logTokenUnreadable'), values };
  if (read.imprint !== computed) return { ...step(name, 'failed', 'logTokenDiffers'), values };
  const { time } = read;
  return { ...step(name, 'notChecked', 'logTokenFits', { time, name: authority }), values };
}
