import type { Bundle } from '../verifier/bundle/bundle.ts';
import { type Check, failed, notChecked, ok } from '../verifier/check/check.ts';
import { type CosignatureFindings, findCosignatures } from '../verifier/log/find-cosignatures.ts';
import type { Policy } from '../verifier/log/policy.ts';

const name = 'log witnesses';

/**
 * Holds the cosignatures of the bundle's checkpoint against the verifier's own policy. Fails without
 * a quorum: the log may show others another history. An invalid cosignature counts for nothing, and
 * takes nothing from others: it may have been recorded before its type could be verified.
 */
export function checkWitnesses(bundle: Bundle, policy: Policy): Check {
  if (bundle.version === 1) {
    return notChecked(name, "a bundle of version 1 contains no entry of the issuer's log");
  }
  const found = findCosignatures(bundle.log.checkpoint, policy);
  if (found === null) return failed(name, 'the checkpoint in the bundle is malformed');
  const words = inWords(found);
  return found.hasQuorum
    ? ok(name, `${words}. This is the quorum of the given policy`)
    : failed(
        name,
        `${words}. This is no quorum of the given policy: the log may have shown others another history`,
      );
}

function inWords({ cosigned, unknown, invalid }: CosignatureFindings): string {
  const by = cosigned.map(({ witness, at }) => `${witness} (${at})`).join(', ');
  const who =
    by === '' ? 'no witness of the given policy cosigned the checkpoint' : `cosigned by ${by}`;
  return [
    who,
    ...(unknown.length > 0
      ? [`This verifier does not know the kind of signature of ${unknown.join(', ')}`]
      : []),
    ...(invalid.length > 0
      ? [
          `The cosignature of ${invalid.join(', ')} does not match the checkpoint, and was not counted`,
        ]
      : []),
  ].join('. ');
}
