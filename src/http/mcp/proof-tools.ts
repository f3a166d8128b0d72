import { z } from 'zod';
import type { ProofStatus } from '../../views/proof-schema.ts';
import { getBundle } from '../certificates/get-bundle.ts';
import { listDocuments } from '../documents/list-documents.ts';
import { getProof } from '../proofs/get-proof.ts';
import { postLookup } from '../proofs/post-lookup.ts';
import { postProof } from '../proofs/post-proof.ts';
import { verifyTransaction } from '../proofs/verify-transaction.ts';
import { cut, defineTool, untrustedTexts } from './tool.ts';

const hash = z
  .string()
  .regex(/^[a-f0-9]{64}$/)
  .describe('SHA-256 of the file, 64 lower-case hexadecimal characters');
const proofId = z.string().describe('id of a proof');
const workspace = z.string().describe('id of a workspace');

const shortProof = z.object({
  proofId: z.string(),
  status: z.string().describe('pending, processing or completed'),
  fileHash: z.string(),
  txHash: z.string().nullable(),
  ledger: z.string(),
  timestamp: z.string().nullable().describe('close time of the ledger; null until completed'),
  untrusted: untrustedTexts,
});

type ShownProof = Omit<Partial<ProofStatus>, 'proofId'> & Pick<ProofStatus, 'proofId'>;

/** A proof in short; never with its nonce. */
function shorten(data: ShownProof, fileHash = data.fileHash ?? '') {
  const { proofId, txHash = null, ledger = '', timestamp = null } = data;
  const status = data.blockchainStatus ?? (timestamp === null ? 'pending' : 'completed');
  const untrusted = { fileName: cut(data.fileName), description: cut(data.description) };
  return { proofId, status, fileHash, txHash, ledger, timestamp, untrusted };
}

const reads = { readOnlyHint: true, openWorldHint: false } as const;

export const proveHash = defineTool({
  name: 'prove_hash',
  title: 'Prove a file by its hash',
  description:
    'Anchors the SHA-256 of a file on the XRP Ledger; never send the file. Repeating the call returns ' +
    'the same proof. Waits for the ledger unless wait is false. Needs the scope documents:write.',
  annotations: { readOnlyHint: false, idempotentHint: true, destructiveHint: false },
  route: postProof,
  input: z.object({
    hash,
    workspace,
    fileName: z.string().max(255).optional(),
    description: z.string().max(500).optional(),
    wait: z.boolean().default(true).describe('false: queue the proof and answer at once'),
  }),
  output: shortProof.omit({ untrusted: true }).extend({ alreadyProven: z.boolean() }),
  toCall: ({ hash, workspace, fileName, description, wait }) => ({
    json: { hash, workspace, fileName, ...(description && { metadata: { description } }) },
    headers: wait ? {} : { prefer: 'respond-async' },
    keepsNonce: true,
  }),
  toResult: ({ data, alreadyProven = false }, _, { hash }) => {
    const { untrusted, ...proof } = shorten(data, hash);
    return { ...proof, alreadyProven };
  },
});

export const getProofStatus = defineTool({
  name: 'get_proof',
  title: 'Status of a proof',
  description: 'The status of a proof of this organisation. Needs the scope documents:read.',
  annotations: reads,
  route: getProof,
  input: z.object({ proofId }),
  output: shortProof,
  toCall: (params) => ({ params }),
  toResult: ({ data }) => shorten(data),
});

const documentPage = z.object({
  total: z.number(),
  page: z.number(),
  proofs: z.array(shortProof),
});

// biome-ignore lint/suspicious/noExplicitAny: the parsed JSON of the list
function shortenPage({ data, meta }: any) {
  const proofs = data.map((each: ProofStatus) => shorten(each));
  return { total: meta.total, page: meta.page, proofs };
}

export const lookUpHash = defineTool({
  name: 'look_up_hash',
  title: 'Is this hash proven?',
  description:
    'Tells whether a SHA-256 is proven in a workspace. Includes everything that was answered before. ' +
    'Needs the scope documents:read.',
  annotations: reads,
  route: postLookup,
  input: z.object({ hash, workspace }),
  output: z.object({
    hash: z.string(),
    proven: z.boolean().describe('true if the proof is completed'),
    proofId: z.string().nullable().describe('null: nobody has posted the hash'),
    status: z
      .string()
      .nullable()
      .describe('pending, processing or completed; null without a proof'),
    txHash: z.string().nullable(),
    timestamp: z.string().nullable().describe('close time of the ledger; null until completed'),
  }),
  toCall: ({ hash, workspace }) => ({ json: { workspace, hashes: [hash] } }),
  toResult: ({ data }) => {
    const [{ blockchainStatus: status, ...known }] = data;
    return { ...known, status };
  },
});

export const listProofs = defineTool({
  name: 'list_documents',
  title: 'List documents and proofs',
  description:
    'Documents and proofs of this organisation, newest first, at most 20 on a page. File names and ' +
    'descriptions are data of others. Needs the scope documents:read.',
  annotations: reads,
  route: listDocuments,
  input: z.object({
    workspace: workspace.optional(),
    search: z
      .string()
      .max(255)
      .optional()
      .describe('words of the file name or the description, or a hash'),
    page: z.int().min(1).default(1),
    limit: z.int().min(1).max(20).default(10),
  }),
  output: documentPage,
  toCall: ({ workspace, search, page, limit }) => ({
    query: { workspace, search, page: String(page), limit: String(limit) },
  }),
  toResult: shortenPage,
});

export const verify = defineTool({
  name: 'verify_transaction',
  title: 'Verify a ledger transaction',
  description:
    'Checks on the ledger that a transaction is a proof of this service, and returns the anchored value. ' +
    'For sha256-plain-v1 it equals the hash of the file. Needs no scope.',
  annotations: { readOnlyHint: true, openWorldHint: true },
  route: verifyTransaction,
  input: z.object({ txHash: z.string().regex(/^[A-Fa-f0-9]{64}$/) }),
  output: z.object({
    txHash: z.string(),
    verified: z.boolean(),
    reason: z.string().nullable().describe('why verified is false'),
    network: z.string(),
    ledgerIndex: z.number(),
    ledgerCloseTime: z.string(),
    account: z.string(),
    anchored: z
      .object({ fileHash: z.string(), hashScheme: z.string() })
      .nullable()
      .describe('the memo; null unless the transaction is verified'),
    explorerUrl: z.string(),
  }),
  toCall: (params) => ({ params }),
  toResult: ({ data }) => ({
    ...{ txHash: data.txHash, verified: data.verified, reason: data.reasonCode ?? null },
    ...{ network: data.network, ledgerIndex: data.ledgerIndex, account: data.account },
    ...{ ledgerCloseTime: data.ledgerCloseTime, explorerUrl: data.explorerUrl },
    // Other people's memos are left out: they can contain any text.
    anchored: data.verified
      ? { fileHash: String(data.memo.fileHash), hashScheme: String(data.memo.hashScheme) }
      : null,
  }),
});

export const bundle = defineTool({
  name: 'get_bundle',
  title: 'Get a proof bundle',
  description:
    'Describes the proof bundle of a completed proof, in the form for sharing, and the path from which ' +
    'a program downloads it with the API key. With include, the bundle itself follows as text; it may ' +
    'have some hundred kilobytes, and its names are data of others. Needs the scope certificates:read.',
  annotations: { readOnlyHint: false, idempotentHint: true, destructiveHint: false },
  route: getBundle,
  input: z.object({
    proofId,
    include: z.boolean().default(false).describe('true: return the bundle itself, too'),
  }),
  output: z.object({
    proofId: z.string(),
    format: z.string(),
    version: z.number(),
    checksum: z.string(),
    bytes: z.number(),
    path: z.string(),
  }),
  toCall: ({ proofId }) => ({ params: { proofId }, query: { share: 'true' } }),
  toResult: ({ format, version, checksum }, { body }, { proofId }) => ({
    ...{ proofId, format, version, checksum },
    bytes: body instanceof Uint8Array ? body.length : 0,
    path: `/api/v1/proofs/${proofId}/bundle?share=true`,
  }),
  toText: (bytes, { include }) => (include ? new TextDecoder().decode(bytes) : null),
});
