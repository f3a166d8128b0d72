import { readableNumber, readableTime } from '../../readable-values.ts';
import type { Wording } from './wording.ts';

const salted = 'the ledger holds the commitment, not the SHA-256';

/** Texts of template version 2, issued since release 0.2.0. */
export const wording2: Wording = {
  title: 'Proof-of-existence certificate',
  lede({ network, standalone, closeTimeIso }) {
    const file = `the file described below existed, byte for byte, no later than ${readableTime(closeTimeIso)}.`;
    if (standalone) {
      return `Test only: no evidential value. According to a development ledger, ${file}`;
    }
    return network === 'testnet'
      ? `According to the test network of the XRP Ledger, ${file} Anybody can check this.`
      : `According to the XRP Ledger, ${file} Anybody can check this.`;
  },
  attachmentDescription:
    'Proof bundle: the data of this certificate and the evidence from the ledger, for programs',
  facts: {
    labels: { file: 'FILE', time: 'EXISTED NO LATER THAN', ledger: 'LEDGER' },
    unnamedFile: 'Unnamed file',
    hashAlone: "Only the file's SHA-256 was submitted, not the file",
    ledger: ({ network, standalone, ledgerIndex }, title) => {
      const publicNetwork =
        network === 'mainnet' ? 'Public main network (mainnet)' : 'Public test network (testnet)';
      const keeper = standalone ? 'Kept only by the issuing service' : publicNetwork;
      return { fact: title, note: `${keeper}, ledger index ${readableNumber(ledgerIndex)}` };
    },
  },
  warnings: {
    confidential: {
      title: 'Confidential',
      text: 'This certificate and its attachment contain the nonce, which lets anybody test whether a file is the proven one. Share them only with people who may verify the file.',
    },
    testNetwork: {
      title: 'Test network',
      text: 'The test network of the XRP Ledger can be reset at any time, and its transactions are then gone. This proof is for tests, not for evidence.',
    },
    development: {
      title: 'Test only',
      text: 'No evidential value: only the issuing service keeps this development ledger, and it can be reset at any time. Nobody else can confirm this proof.',
    },
  },
  evidence: {
    labels: {
      scheme: 'Hash scheme',
      transaction: 'Transaction hash',
      ledgerIndex: 'Ledger index',
      previousRevision: 'Previous revision',
      proofId: 'Proof ID',
    },
    schemes: {
      'sha256-plain-v1': 'the ledger holds the SHA-256 itself',
      'hmac-sha256-nonce-v2': salted,
      'hmac-sha256-nonce-v3': salted,
    },
    shortened: '(shortened; full text in proof-bundle.json)',
  },
  guide: {
    introduction:
      'You need the file and this certificate, but no account. Only the link to the issuing service depends on that service.',
    hash: {
      title: 'Compute the SHA-256 of the file',
      text: "Replace FILE with the file's path, in quotes if it has spaces. The result must equal the SHA-256 in this certificate.",
    },
    commitment:
      'The commitment is an HMAC-SHA-256. Its key is the 32 bytes of the nonce, and its message is the 32 bytes of the SHA-256. The result must equal the commitment in this certificate.',
    ledger: {
      title: 'Look up the transaction on the ledger',
      text({ standalone }) {
        const source = standalone
          ? 'Only the issuing service keeps this development ledger, so nobody else can confirm the transaction.'
          : 'Use a source that you trust: an explorer, a server of the XRP Ledger, or the issuing service.';
        return `${source} The transaction must be validated, with the result tesSUCCESS. Its account, ledger index and close time must be those in this certificate. Its memo data, which servers show in hexadecimal, must be:`;
      },
      labels: { memo: 'Memo data', service: 'Issuing service', server: 'Ledger server (curl)' },
    },
    program: {
      title: 'Or check everything with one command',
      text: 'The attached proof-bundle.json contains the data of this certificate, the signed transaction and the ledger header. Run the command in a copy of the Proofmark source code, with --ledger and the address of a ledger server that you trust. Without --ledger it checks the file and the certificate only, and the file is not proven yet.',
    },
    limits:
      'Not proven: who made the file, when it was made (it may be older), and whether its content is true. Names, size, type, revision number, proof ID and time of issue are claims, not verified. Confirm the anchoring account with the issuer.',
  },
};
