import { type Random, randomFrom } from '../seed.ts';
import { attestationVectors } from './attestation-vectors.ts';
import { alteredVectors, contradictionVectors, genuineVectors } from './form-vectors.ts';
import { issuerVectors } from './issuer-vectors.ts';
import { limitVectors } from './limit-vectors.ts';
import { logVectors } from './log-vectors.ts';
import { otherLogVectors } from './other-log-vectors.ts';
import { pdfBlankVectors } from './pdf-blank-vectors.ts';
import { pdfStrictVectors } from './pdf-strict-vectors.ts';
import { pdfVectors } from './pdf-vectors.ts';
import { pdfWritingVectors } from './pdf-writing-vectors.ts';
import { timestampVectors } from './timestamp-vectors.ts';
import { transactionVectors } from './transaction-vectors.ts';
import type { VectorInput } from './vector.ts';

/** All vectors without their verdicts. The same seed gives the same vectors. */
export function everyVector(seed: number): VectorInput[] {
  const random: Random = randomFrom(seed);
  const vectors = [
    ...genuineVectors(),
    ...contradictionVectors(),
    ...transactionVectors(),
    ...attestationVectors(),
    ...logVectors(),
    ...alteredVectors(random),
    ...pdfVectors(),
    ...pdfWritingVectors(),
    ...timestampVectors(random),
    ...issuerVectors(random),
    ...pdfBlankVectors(),
    ...pdfStrictVectors(),
    ...otherLogVectors(),
    ...limitVectors(),
  ];
  const ids = new Set(vectors.map(({ id }) => id));
  if (ids.size !== vectors.length) throw new Error('two vectors have the same id');
  return vectors;
}
