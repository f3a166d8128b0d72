import { z } from 'zod';
import { count, id, success, time, transactionHash, untrusted } from './output-fields.ts';
import { pageMeta } from './page-meta.ts';
import { proofStatus } from './proof-schema.ts';

/** A stored document with its proof; the document's fields are null for a hash-only proof. */
export const documentData = proofStatus
  .extend({
    documentId: id.nullable().meta({ description: 'null for a hash-only proof' }),
    fileSize: count.nullable().meta({ description: 'bytes; null where none was given' }),
    mimeType: untrusted.nullable().meta({ description: 'as the uploader says; untrusted' }),
    description: untrusted.nullable().meta({ description: 'untrusted' }),
    workspace: id,
    revision: z.int().min(1).nullable().meta({ description: 'from 1' }),
    rootDocumentId: id.nullable().meta({ description: 'the first upload of the chain' }),
    previousDocumentId: id.nullable().meta({ description: 'null for a first upload' }),
    previousTxHash: transactionHash
      .nullable()
      .meta({ description: 'transaction of the revision before; null until that is anchored' }),
    agentClassification: z
      .record(z.string(), z.unknown())
      .nullable()
      .meta({ description: 'what an agent said of the file; untrusted' }),
    uploadedAt: time.nullable(),
  })
  .meta({
    id: 'Document',
    description:
      'A stored document with its proof; in lists also a hash-only proof, which has null where a ' +
      'document has its own fields.',
  });

export const documentResponse = z.object({
  success,
  alreadyProven: z
    .literal(true)
    .optional()
    .meta({ description: 'only there if these bytes were proven in this workspace before' }),
  data: documentData,
});

export const documentList = z.object({ success, data: z.array(documentData), meta: pageMeta });

export const documentVersions = z.object({
  success,
  data: z.array(documentData).meta({ description: 'the first upload first' }),
});

export type DocumentData = z.infer<typeof documentData>;
