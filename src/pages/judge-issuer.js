import { bytesToHex } from '@noble/hashes/utils.js';
import { findIssuer } from '../verifier/check/check-issuer.ts';
import { isSigned } from '../verifier/check/issuer-note.ts';
import { step } from './witness-steps.js';

/** @import { Bundle } from '../verifier/bundle/bundle.ts' */
/** @import { SignedBundle } from '../verifier/check/issuer-note.ts' */
/** @import { ReadKey } from '../verifier/log/note-key.ts' */
/** @import { Step } from './step.ts' */

/**
 * A key that this service publishes as its issuer's.
 *
 * @typedef {object} PublishedKey
 * @property {ReadKey} key
 * @property {string | null} compromisedSince Null unless somebody else may have the key.
 */

/**
 * Judges the issuer's signature of a bundle. A bundle without one gets no step. Only the status `ok`
 * makes the claims in the bundle statements of the issuer; `stated` does so on the word of this service.
 * Published keys do not count where the reader knows keys of the same issuer.
 *
 * @param {Bundle} bundle
 * @param {readonly ReadKey[]} known Keys that the reader trusts.
 * @param {readonly PublishedKey[]} [published] Keys that this service publishes.
 * @returns {Step[]}
 */
export function issuerSteps(bundle, known, published = []) {
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
      return [named(found.by, statedStep(bundle, found.by, known, published))];
    case 'forged':
      return [named(found.by, step(name, 'failed', 'issuerForged'))];
  }
}

/**
 * The signature of a key that the reader does not know.
 *
 * @param {SignedBundle} bundle
 * @param {string} by
 * @param {readonly ReadKey[]} known
 * @param {readonly PublishedKey[]} published
 * @returns {Step}
 */
function statedStep(bundle, by, known, published) {
  const name = 'issuer';
  const [issuer] = by.split('+');
  const isPinned = known.some((key) => key.name === issuer);
  const keys = isPinned ? [] : published.map(({ key }) => key);
  const { status } = findIssuer(bundle, keys);
  if (status === 'forged') return step(name, 'failed', 'issuerForged');
  if (status !== 'signed') return step(name, 'notChecked', 'issuerUnknown');
  const signing = published.find(({ key }) => `${key.name}+${bytesToHex(key.keyId)}` === by);
  const since = signing?.compromisedSince ?? null;
  return since === null
    ? step(name, 'stated', 'issuerSignedStated')
    : step(name, 'notChecked', 'issuerCompromised', { time: since });
}

/**
 * @param {string} by Name and id of the key.
 * @param {Step} made
 * @returns {Step}
 */
function named(by, made) {
  return { ...made, values: [{ name: 'issuerKey', value: by }] };
}
