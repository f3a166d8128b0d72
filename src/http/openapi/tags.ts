/** What operations are about, in the order of the reference. */
export const tagDescriptions = {
  Proofs: 'Prove a file by its SHA-256: the file never leaves you.',
  Documents: 'Upload files, have them proven and kept, and chain revisions to them.',
  Certificates:
    'What a stranger checks a proof with: a PDF, and the bundle that is attached to it.',
  Verification: 'What the ledger says of a transaction, for anybody, without a key.',
  'Transparency log':
    'The whole history as a Merkle tree: checkpoints and tiles in the C2SP formats, for auditors.',
  Workspaces: 'Where an organisation keeps its proofs apart.',
  'Agent runs': 'What agents report of their sweeps over files, and what they decided.',
  Webhooks: 'Endpoints that are told of events, by Standard Webhooks 1.0.',
  'API keys': 'Key administration. Never give this scope to an agent.',
  Service: 'The service itself: how it is described, and whether it works.',
} as const;

export type Tag = keyof typeof tagDescriptions;
