import { cosignedAt, readCosignature } from '../verifier/log/cosignature.ts';
import { readSignedNote } from '../verifier/log/signed-note.ts';

/** @import { Bundle } from '../verifier/bundle/bundle.ts' */

const maxNameShown = 200;

/**
 * Cosignatures of the checkpoint in a bundle, each as the key's name and the stated time. Nothing of
 * them is verified.
 *
 * @param {Bundle} bundle
 * @returns {readonly string[]}
 */
export function cosignaturesIn(bundle) {
  if (bundle.version === 1) return [];
  const note = readSignedNote(bundle.log.checkpoint);
  const origin = note?.text.slice(0, note.text.indexOf('\n'));
  return (note?.signatures ?? []).flatMap(({ name, signature }) => {
    const read = name === origin ? null : readCosignature(signature);
    if (read === null) return [];
    const time = cosignedAt(read.seconds);
    // Untrusted: other characters may change how the line is read.
    const shown = name.slice(0, maxNameShown).replace(/[^\x21-\x7e]/g, '\ufffd');
    return [`${shown}, ${time}`];
  });
}
