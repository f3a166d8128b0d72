import { readableNumber } from '../../readable-values.ts';
import type { Wording } from './wording.ts';

const keyed = 'HMAC-SHA-256 of the SHA-256, keyed with the nonce';

/** Texts of template version 1, of release 0.1.0. They never change. */
export const wording1: Wording = {
  title: 'Certificate of existence',
  lede({ network, standalone }) {
    const publicLedger =
      network === 'mainnet' ? 'the XRP Ledger' : 'the test network of the XRP Ledger';
    const ledger = standalone ? 'a development ledger' : publicLedger;
    return `The file described here existed, exactly as it is, no later than the moment at which its fingerprint was recorded on ${ledger}.${standalone ? '' : ' Anybody can check that.'}`;
  },
  attachmentDescription:
    'The proof for programs: everything that the certificate says, and the ledger data',
  facts: {
    labels: { file: 'WHAT', time: 'WHEN', ledger: 'WHERE' },
    unnamedFile: 'A file known by its SHA-256',
    hashAlone: 'Only the fingerprint of the file was submitted',
    ledger: ({ network, standalone, ledgerIndex }, title) => ({
      fact: `${title}, ledger ${readableNumber(ledgerIndex)}`,
      note: standalone
        ? 'Kept by the service alone'
        : `${network === 'mainnet' ? 'Mainnet' : 'Testnet'}, a public ledger`,
    }),
  },
  warnings: {
    confidential: {
      title: 'Confidential',
      text: 'This document and its attachment hold the nonce. Whoever has it can test which file the ledger entry stands for. Pass it on only to those who may verify the file.',
    },
    testNetwork: {
      title: 'Test network',
      text: 'This proof is on the test network of the XRP Ledger, which can be reset at any time: its transactions are gone then. It serves trials, not evidence.',
    },
    development: {
      title: 'Development ledger',
      text: 'This proof is on a ledger that the service runs for itself, and that can be reset at any time. Nobody else keeps it or vouches for it: it proves nothing to others.',
    },
  },
  evidence: {
    labels: {
      scheme: 'Scheme',
      transaction: 'Transaction',
      ledgerIndex: 'Ledger',
      previousRevision: 'Revision before',
      proofId: 'Proof',
    },
    schemes: {
      'sha256-plain-v1': 'the SHA-256 itself is on the ledger',
      'hmac-sha256-nonce-v2': keyed,
      'hmac-sha256-nonce-v3': keyed,
    },
    shortened: '(shortened; whole in proof-bundle.json)',
  },
  guide: {
    introduction:
      'You need your copy of the file and this certificate. Only the public endpoint depends on the service.',
    hash: {
      title: 'Fingerprint the file',
      text: 'Put the path of your copy, in quotes if it has blanks, in place of FILE. The result must be the SHA-256 above.',
    },
    commitment:
      'It is the HMAC-SHA-256 of the 32 bytes of the SHA-256, keyed with the bytes of the nonce. The result must be the commitment above.',
    ledger: {
      title: 'Find it on the ledger',
      text({ standalone, account }) {
        const whom = standalone
          ? 'Only the service itself keeps this ledger: ask its public endpoint.'
          : 'Ask whom you trust: an explorer, a server of the network, or the public endpoint of the service.';
        return `${whom} The transaction must be validated with the result tesSUCCESS, in the ledger named above, and sent by ${account}. Its memo, which servers show in hexadecimal, must say:`;
      },
      labels: { memo: 'Memo', service: 'Public endpoint', server: 'A server, by curl' },
    },
    program: {
      title: 'Or check everything at once',
      text: 'proof-bundle.json, attached to this document, holds all of the above, the signed transaction and the ledger header for programs. The verifier of Proofmark checks file, commitment, signature and transaction without asking anybody; with --ledger it asks a server of your choice as well.',
    },
    limits:
      'What this does not show: who made the file, since when it existed, or that what it says is true. Whether the anchoring account belongs to the issuer is for the issuer to confirm.',
  },
};
