import { findIssued } from '../verifier/check/check-issued.ts';
import { keysOfLog } from './known-keys.js';
import { step } from './witness-steps.js';

/** @import { ReadKey } from '../verifier/log/note-key.ts' */
/** @import { IssuedPdf } from './checked-evidence.ts' */
/** @import { Step } from './step.ts' */

/**
 * Judges if a PDF is the one that was issued, byte for byte. No step for anything but a PDF whose bytes
 * are recorded. Only the status `ok` holds without the word of the service.
 *
 * @param {IssuedPdf | null} issued
 * @param {readonly ReadKey[]} known Keys that the reader trusts.
 * @param {readonly ReadKey[]} [published] Keys of its log that this service publishes. They do not count where
 *   the reader knows keys of the same log.
 * @returns {Step[]}
 */
export function issuedSteps(issued, known, published = []) {
  if (issued === null) return [];
  const { pdf, answer } = issued;
  const values = [{ name: 'pdfHash', value: pdf }];
  return [{ ...judged(pdf, answer, known, published), values }];
}

/**
 * @param {string} pdf
 * @param {IssuedPdf['answer']} answer
 * @param {readonly ReadKey[]} known
 * @param {readonly ReadKey[]} published
 * @returns {Step}
 */
function judged(pdf, answer, known, published) {
  const name = 'issued';
  if (answer.found === 'absent') return step(name, 'failed', 'issuedAbsent');
  if (answer.found === 'elsewhere') {
    return step(name, 'notChecked', 'issuedElsewhere', { name: answer.host });
  }
  if (answer.found === 'pending') return step(name, 'notChecked', 'issuedPending');
  if (answer.found !== 'yes') return step(name, 'notChecked', 'issuedNotAsked');
  const found = findIssued(pdf, answer.data, known);
  if (found.status === 'recorded') {
    const { position, size } = found.at;
    return step(name, 'ok', 'issuedRecorded', { position, size });
  }
  if (found.status === 'unsignedByKnown') return step(name, 'failed', 'issuedUnsigned');
  if (found.status === 'unknownKey') {
    return statedStep(
      pdf,
      answer.data,
      keysOfLog(found.origin, known, published).stated,
      found.origin,
    );
  }
  return step(name, 'failed', 'issuedBroken');
}

/**
 * The record of a PDF in a log of which the reader knows no key.
 *
 * @param {string} pdf
 * @param {unknown} record
 * @param {readonly ReadKey[]} published
 * @param {string} origin
 * @returns {Step}
 */
function statedStep(pdf, record, published, origin) {
  const name = 'issued';
  const found = findIssued(pdf, record, published);
  if (found.status === 'recorded') {
    const { position, size } = found.at;
    return step(name, 'stated', 'issuedRecordedStated', { position, size });
  }
  // The page may be older than the key of the log.
  return ['unknownKey', 'unsignedByKnown'].includes(found.status)
    ? step(name, 'stated', 'issuedStated', { name: origin })
    : step(name, 'failed', 'issuedBroken');
}
