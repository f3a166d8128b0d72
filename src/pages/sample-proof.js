/** @import { Publisher } from '../verifier/evidence/known-publishers.ts' */

/**
 * Publisher of the made-up validators that signed the ledger of the sample. Its keys were deleted, so
 * it signs nothing else.
 * @type {Publisher}
 */
export const samplePublisher = {
  name: 'sample.invalid',
  network: 'testnet',
  key: 'ED3F7FD7940B19395A9CE7D845CBCC54B0C719ADC0A6673747E42E01430D901BE6',
};

/** Transaction of the sample. No ledger holds it, so nobody is asked for it. */
export const sampleTransaction = '4E2064E9E0530F691F832215EECFE4F96E5E78D6EBF2ABB7794408D337BA54FF';
