import { completedStatus } from '../proofs/proof-examples.ts';

export const link = {
  id: '01M7XT9A6F8V0R2T4W6Y8Z1B3D',
  proofId: completedStatus.proofId,
  showFileName: true,
  allowIndexing: false,
  createdAt: '2026-11-21T09:30:00.000Z',
  expiresAt: '2027-11-21T00:00:00.000Z',
};

const url = 'https://proofs.example.org/shared/mB3f0x7QeRkT9vJwLz5YpN2aGhUcDs8iXo4tVqW6yEM';

export const newLink = {
  ...link,
  url,
  badgeUrl: `${url}/badge.svg`,
  bundleUrl: `${url}/bundle.json`,
};
