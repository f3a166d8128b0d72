import { findIssuer } from '../verifier/check/check-issuer.ts';
import { isSigned } from '../verifier/check/issuer-note.ts';
import { step } from './witness-steps.js';

/** @import { Bundle } from '../verifier/bundle/bundle.ts' */
/** @import { ReadKey } from '../verifier/log/note-key.ts' */
/** @import { Step } from './judge-steps.js' */

/**
 * Judges the issuer's signature of a bundle. A bundle without one gets no step. Only the status `ok`
 * makes the claims in the bundle statements of the issuer.
 *
 * @param {Bundle} bundle
 * @param {readonly ReadKey[]} known Keys that the reader trusts.
 * @returns {Step[]}
 */
export function issuerSteps(bundle, known) {
  if (!isSigned(bundle)) return [];
  const name = 'issuer';
  const found = findIssuer(bundle, known);
  switch (found.status) {
    case 'malformed':
      return [step(name, 'failed', 'issuerMalformed')];
    case 'altered':
      return [step(name, 'failed', 'issuerAltered')];
    case 'signed':
      return [named(found.by, step(name, 'ok', 'issuerSigned'))];
    case 'unknownKey':
      return [named(found.by, step(name, 'notChecked', 'issuerUnknown'))];
    case 'forged':
      return [named(found.by, step(name, 'failed', 'issuerForged'))];
  }
}

/**
 * @param {string} by Name and id of the key.
 * @param {Step} made
 * @returns {Step}
 */
function named(by, made) {
  return { ...made, values: [{ name: 'issuerKey', value: by }] };
}
