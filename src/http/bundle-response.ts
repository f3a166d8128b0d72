import { z } from 'zod';
import { lowerHex } from './output-fields.ts';

const part = z.record(z.string(), z.unknown());

/**
 * The proof bundle as an answer. It is a format of its own, with a version of its own and its own JSON
 * schema beside its maker: what its parts hold is said there.
 */
export const bundleResponse = z
  .object({
    format: z.literal('proofmark/bundle'),
    version: z.literal([1, 2]),
    certificate: part.meta({ description: 'who issued the certificate, and when' }),
    file: part.meta({ description: 'fileName, fileSizeBytes, mimeType and fileHash' }),
    commitment: part.meta({
      description: 'hashScheme, commitment and nonce, which is null in the form for sharing',
    }),
    revision: part.meta({ description: 'its number, and the transaction before it' }),
    anchor: part.meta({ description: 'where on the ledger the transaction is' }),
    evidence: part.meta({
      description: 'memo, blob, metadata and ledgerHeader: what the ledger has',
    }),
    addresses: part.meta({ description: 'verifyUrl, publicApiUrl and explorerUrl' }),
    log: part
      .meta({ description: 'of version 2: where the anchoring is in the published log' })
      .optional(),
    checksum: lowerHex.meta({ description: 'of everything else, in canonical JSON (RFC 8785)' }),
  })
  .meta({
    id: 'ProofBundle',
    description: 'All that is needed to check a proof without us: one JSON object.',
  });
