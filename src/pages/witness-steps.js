import { checkSignatures } from '../verifier/log/check-signatures.ts';
import { cosignedAt } from '../verifier/log/cosignature.ts';
import { logSignature } from '../verifier/log/note-key.ts';

/** @import { CheckpointNote } from '../verifier/log/checkpoint.ts' */
/** @import { ReadKey } from '../verifier/log/note-key.ts' */
/** @import { EvidenceStepName, LogStepName, Step } from './step.ts' */

/**
 * A step for each signature of a witness; one step if there is none. A witness may have the name of the
 * log: its cosignature is no signature of the log.
 *
 * @param {CheckpointNote} note
 * @param {readonly ReadKey[]} known Keys that the reader knows.
 * @returns {Step[]}
 */
export function witnessSteps(note, known) {
  const keys = known.filter(({ type }) => type !== logSignature);
  const witnesses = checkSignatures(note, keys).filter(
    ({ name, key }) => key !== null || name !== note.checkpoint.origin,
  );
  if (witnesses.length === 0) return [step('logWitness', 'none', 'logWitnessNone')];
  return witnesses.map(({ name, keyId, outcome, seconds }) => {
    const values = [{ name: 'witnessKey', value: `${name}+${keyId}` }];
    const time = seconds === null ? '' : cosignedAt(seconds);
    const made = {
      valid: () => step('logWitness', 'ok', 'logWitnessValid', { name, time }),
      invalid: () => step('logWitness', 'notChecked', 'logWitnessForged', { name }),
      unknownKey: () => step('logWitness', 'notChecked', 'logWitnessUnknown', { name }),
      unknownType: () => step('logWitness', 'notChecked', 'logWitnessType', { name }),
    };
    return { ...made[outcome](), values };
  });
}

/**
 * Makes a step without values.
 *
 * @param {LogStepName | EvidenceStepName} name
 * @param {Step['status']} status
 * @param {string} text
 * @param {Record<string, string | number>} [values]
 * @returns {Step}
 */
export function step(name, status, text, values = {}) {
  return { name, status, text, with: values };
}
