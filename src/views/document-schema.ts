import { z } from 'zod';
import { id, success, time, transactionHash } from './output-fields.ts';
import { pageMeta } from './page-meta.ts';
import { proofStatus } from './proof-schema.ts';

/** A stored document with its proof; the document's fields are null for a hash-only proof. */
export const documentData = proofStatus
  .extend({
    id: id.nullable().meta({ description: 'the same as documentId, as in /documents/{id}' }),
    documentId: id.nullable().meta({ description: 'null for a hash-only proof' }),
    workspace: id,
    revision: z.int().min(1).nullable().meta({ description: 'from 1' }),
    rootDocumentId: id.nullable().meta({ description: 'id of the first upload of the chain' }),
    previousDocumentId: id.nullable().meta({ description: 'null for a first upload' }),
    previousTxHash: transactionHash.nullable().meta({
      description: 'transaction of the previous revision; null until that revision is anchored',
    }),
    agentClassification: z
      .record(z.string(), z.unknown())
      .nullable()
      .meta({ description: 'the description of the file by an agent; untrusted' }),
    uploadedAt: time.nullable(),
  })
  .meta({
    id: 'Document',
    description:
      'A stored document with its proof. Lists also contain hash-only proofs, in which the fields that ' +
      'only documents have are null.',
  });

export const documentResponse = z.object({
  success,
  alreadyProven: z
    .literal(true)
    .optional()
    .meta({ description: 'present only if these bytes were already proven in the workspace' }),
  data: documentData,
});

export const documentList = z.object({ success, data: z.array(documentData), meta: pageMeta });

export const documentVersions = z.object({
  success,
  data: z.array(documentData).meta({ description: 'from the first upload to the latest revision' }),
});

export type DocumentData = z.infer<typeof documentData>;
