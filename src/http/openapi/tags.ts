/** Tags of operations with their descriptions, in the order of the reference. */
export const tagDescriptions = {
  Proofs: 'Prove a file by its SHA-256. The file never leaves your computer.',
  Documents: 'Upload files to store and prove them, and add revisions to them.',
  Certificates: 'The evidence for third parties: a PDF, and the proof bundle attached to it.',
  Verification: 'Look up a transaction on the ledger. No key is needed.',
  'Transparency log':
    'The whole history of the service as a Merkle tree, for auditors: checkpoints and tiles in the ' +
    'C2SP formats.',
  Workspaces: 'The parts in which an organisation keeps its proofs.',
  'Agent runs': 'The reports of agents on their sweeps over files, and the decisions they made.',
  Webhooks: 'HTTPS endpoints that receive events, by Standard Webhooks 1.0.',
  'API keys': 'Key administration. Never give the scope api-keys:manage to an agent.',
  Service: 'The descriptions of the API, and the health of the service.',
} as const;

export type Tag = keyof typeof tagDescriptions;
