import { z } from 'zod';
import type { KeyAccess } from '../../../projections/access/query.ts';
import type { ProofOrder } from '../../commands/request-proof.ts';
import type { Network } from '../../domain/network.ts';
import { hashSchemes } from '../../domain/proof/hash-scheme.ts';
import type { WorkspaceId } from '../../domain/ulid.ts';
import { digest, text } from '../fields.ts';
import { metadata, splitMetadata } from './metadata.ts';

/** Members that describe a hash to prove, besides its workspace. */
export const proofMembers = {
  hash: digest,
  fileName: text(255).optional(),
  fileSize: z.int().min(0).optional().meta({ description: 'bytes' }),
  mimeType: text(255).optional(),
  metadata: metadata.optional(),
  hashScheme: z
    .enum(hashSchemes)
    .optional()
    .meta({ description: 'default: the hash scheme of the organisation' }),
};

const members = z.object(proofMembers);

/** A hash to prove, as it was sent. */
export type ProofMembers = z.output<typeof members>;

/** Converts a hash to prove to an order. */
export function toOrder(
  posted: ProofMembers,
  of: {
    readonly workspace: WorkspaceId;
    readonly caller: Pick<KeyAccess, 'organisationId' | 'organisation'>;
    /** Network for new proofs. */
    readonly network: Network;
    readonly respondAsync: boolean;
  },
): ProofOrder {
  const { workspace, caller, network, respondAsync } = of;
  return {
    organisationId: caller.organisationId,
    workspaceId: workspace,
    network,
    hashScheme: posted.hashScheme ?? caller.organisation.hashScheme,
    fileHash: posted.hash,
    fileName: posted.fileName ?? null,
    fileSizeBytes: posted.fileSize ?? null,
    mimeType: posted.mimeType ?? null,
    ...splitMetadata(posted.metadata),
    respondAsync,
  };
}
