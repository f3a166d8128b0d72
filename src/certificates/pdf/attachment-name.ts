/** Name of the proof bundle that is attached to each certificate. */
export const attachmentName = 'proof-bundle.json';
