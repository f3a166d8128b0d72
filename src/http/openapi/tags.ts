/** Tags of operations with their descriptions, in the order of the reference. */
export const tagDescriptions = {
  Proofs: 'Prove a file by its SHA-256. The file never leaves your computer.',
  Documents: 'Upload files to store and prove them, and add revisions to them.',
  Certificates: 'The evidence for third parties: a PDF, and the proof bundle attached to it.',
  Links: 'Pages by which an owner shares a proof with everybody who has their address.',
  Verification: 'Look up a transaction on the ledger. No key is needed.',
  'Published log':
    'The whole history of the service as a Merkle tree, for auditors: checkpoints and tiles in the ' +
    'C2SP formats.',
  Workspaces: "Separate collections of an organisation's proofs.",
  'Agent runs': 'Reports of agents on their runs, with the decisions in each run.',
  Webhooks: 'HTTPS endpoints that receive events, following Standard Webhooks 1.0.',
  'API keys': 'Key administration. Never give the scope api-keys:manage to an agent.',
  Service: 'The descriptions of the API, and the health of the service.',
} as const;

export type Tag = keyof typeof tagDescriptions;
