/** @import { Publisher } from '../verifier/evidence/known-publishers.ts' */

/**
 * Publisher of the made-up validators that signed the ledger of the sample. Its keys were deleted, so
 * it signs nothing else.
 * @type {Publisher}
 */
export const samplePublisher = {
  name: 'sample.invalid',
  network: 'testnet',
  key: 'ED5B05D2C0DEF98610B87ACE6BC31E9CC5E82C7FD5DF812D38337C80533A9CF9C7',
};

/** Transaction of the sample. No ledger holds it, so nobody is asked for it. */
export const sampleTransaction = '3C6DA9688F72D3E0CAAA62F6A84B8802B6C70E07A0063D07E8766FA946AD5170';
