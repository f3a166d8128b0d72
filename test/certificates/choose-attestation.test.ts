import { bytesToHex } from '@noble/hashes/utils.js';
import { test } from 'tap';
import { chooseAttestation } from '../../src/certificates/choose-attestation.ts';
import { encodeBase64 } from '../../src/verifier/evidence/base64.ts';
import { packChain } from '../../src/verifier/evidence/header-chain.ts';
import { maxChain } from '../../src/verifier/evidence/limits.ts';
import { transactionHash } from '../../src/verifier/evidence/transaction-path.ts';
import { leavesOf } from '../support/attested-ledger.ts';
import {
  laterHeaders,
  syntheticNetwork,
  writeHeader,
  writeValidation,
} from '../support/synthetic-network.ts';
import { transactionPath } from '../support/transaction-path.ts';

const network = syntheticNetwork(128);
const item = { blob: Buffer.from('a transaction'), metadata: Buffer.from('its metadata') };
const hash = bytesToHex(transactionHash(item.blob));
const header = writeHeader({
  ...{ index: 1_000, closeTime: 848_531_013 },
  transactionRoot: transactionPath([item], hash).root,
});

/** Recorded signatures for a ledger so many ledgers later, with so many votes in each. */
function transactionWith(laterLedgers: number, amendments: number) {
  const later = laterHeaders(header, laterLedgers);
  const last = later.at(-1) ?? header;
  const { public_key: key, manifest, blob, signature } = network.list();
  const publisherKey = String(key);
  const validations = network.validators.map(({ signing }) =>
    encodeBase64(writeValidation(signing, last, { amendments }).bytes),
  );
  const place = { ledgerId: '1', ledgerIndex: last.index, ledgerHash: last.hash };
  return {
    transactionHash: hash,
    blob: bytesToHex(item.blob),
    metadata: bytesToHex(item.metadata),
    ledgerHeader: bytesToHex(header.bytes),
    recorded: {
      leaves: leavesOf([item]),
      chain: encodeBase64(packChain(header, later)),
      attested: {
        ...{ ...place, ledgerHeader: bytesToHex(last.bytes), leaves: '', validations },
        ...{ manifests: [], validatorLists: [{ publisherKey, sequence: 1 }] },
      },
      lists: [{ network: 'testnet', publisherKey, sequence: 1, manifest, blob, signature }],
    },
  } as const;
}

test('chooses a quorum of the recorded validations', (t) => {
  t.match(chooseAttestation(transactionWith(0, 60)), { validations: { length: 103 } });
  t.match(chooseAttestation(transactionWith(maxChain, 0)), { validations: { length: 103 } });
  t.end();
});

test('chooses nothing that makes a bundle too large for its readers', (t) => {
  t.equal(chooseAttestation(transactionWith(maxChain, 60)), null);
  t.end();
});
