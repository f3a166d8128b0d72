import { encodeBase64 } from '../../../src/verifier/evidence/base64.ts';
import { readValidation } from '../../../src/verifier/evidence/validation.ts';
import { sampleAttested } from '../sample-bundle.ts';
import type { Random } from '../seed.ts';
import { validationBytes } from '../synthetic-network.ts';
import { pick, upTo } from './mutated-bytes.ts';
import { type Draft, sealed } from './vector-bases.ts';

/** A bundle in which a listed validator signed its validation with other fields; null if it has no such validator. */
export function withOtherValidation(draft: Draft, random: Random): string | null {
  const validations: string[] = draft.attestation?.validations ?? [];
  try {
    const place = upTo(validations.length, random);
    const { ledgerHash, ledgerIndex, signingKey } = readValidation(
      Buffer.from(validations[place] ?? '', 'base64'),
    );
    const { signing } = sampleAttested.network.validators.find(
      (one) => Buffer.compare(one.signing.publicKey, signingKey) === 0,
    ) ?? { signing: null };
    if (signing === null) return null;
    const ledger = { index: ledgerIndex, hash: Buffer.from(ledgerHash).toString('hex') };
    const size = pick([1, 2, 4, 8, 16, 20, 32, 33], random);
    const value = Array.from({ length: size - 1 }, () => upTo(256, random));
    const first = pick([size - 1, 0, 64], random);
    const written = Buffer.from([...pick(headers, random), first, ...value]).toString('hex');
    const drops = pick(['00', '40', '41', '416345785D8A', '5F', '7F', 'C0'], random);
    const fields =
      random() < 0.3 ? { amounts: `6016${drops.padEnd(16, pick(['0', 'F'], random))}` } : null;
    validations[place] = encodeBase64(
      validationBytes(signing, ledger, fields ?? { last: written }),
    );
    return sealed(draft);
  } catch {
    return null;
  }
}

/** Headers of fields that come after the signature, of every type and in every length. */
const headers = Array.from({ length: 20 }, (_, type) => type + 1).flatMap((type) =>
  type < 16
    ? [[16 * type + 15], [16 * type, 16], [16 * type, 15]]
    : [
        [15, type],
        [0, type, 16],
        [0, type, 15],
      ],
);
