import { z } from 'zod';
import { proofStatus } from './proof-schema.ts';

/** A stored document with its proof; the document's fields are null for a hash-only proof. */
export const documentData = proofStatus.extend({
  documentId: z.string().nullable().meta({ description: 'null for a hash-only proof' }),
  fileSize: z.int().nullable().meta({ description: 'bytes; null where none was given' }),
  mimeType: z.string().nullable().meta({ description: 'as the uploader says' }),
  description: z.string().nullable(),
  workspace: z.string(),
  revision: z.int().nullable().meta({ description: 'from 1' }),
  rootDocumentId: z.string().nullable().meta({ description: 'the first upload of the chain' }),
  previousDocumentId: z.string().nullable().meta({ description: 'null for a first upload' }),
  previousTxHash: z
    .string()
    .nullable()
    .meta({ description: 'transaction of the revision before; null until that is anchored' }),
  agentClassification: z.record(z.string(), z.unknown()).nullable(),
  uploadedAt: z.iso.datetime().nullable(),
});

export const documentResponse = z.object({
  success: z.literal(true),
  alreadyProven: z.literal(true).optional(),
  data: documentData,
});

export const documentList = z.object({
  success: z.literal(true),
  data: z.array(documentData),
  meta: z.object({ page: z.int(), limit: z.int(), total: z.int() }),
});

export const documentVersions = z.object({
  success: z.literal(true),
  data: z.array(documentData).meta({ description: 'the first upload first' }),
});

export type DocumentData = z.infer<typeof documentData>;
