import type { VisibleProof } from '../../src/domain/proof/state.ts';

export type BlockchainStatus = VisibleProof['status'];

export const blockchainStatuses = [
  'pending',
  'processing',
  'completed',
] as const satisfies readonly BlockchainStatus[];
