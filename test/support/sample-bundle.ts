import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { hexToBytes } from '@noble/hashes/utils.js';
import { encode } from 'ripple-binary-codec';
import { hashes, Wallet } from 'xrpl';
import {
  type BundleEvidence,
  buildBundle,
  statementOf,
} from '../../src/certificates/build-bundle.ts';
import type { CertificateContent } from '../../src/certificates/certificate-content.ts';
import { noEvidence } from '../../src/certificates/evidence-summary.ts';
import { commit } from '../../src/domain/proof/commit.ts';
import type { Digest } from '../../src/domain/proof/digest.ts';
import { type HashScheme, isSalted } from '../../src/domain/proof/hash-scheme.ts';
import { proofMemo } from '../../src/domain/proof/memo.ts';
import { currentTemplate } from '../../src/domain/proof/template-version.ts';
import { signCheckpoint } from '../../src/transparency-log/checkpoint/checkpoint.ts';
import { noteSigner } from '../../src/transparency-log/checkpoint/note-key.ts';
import type {
  Bundle,
  BundleAttestation,
  BundleLog,
  BundleTimestamp,
} from '../../src/verifier/bundle/bundle.ts';
import { readBundle } from '../../src/verifier/bundle/read-bundle.ts';
import {
  type CollectedEvidence,
  writeAttestation,
} from '../../src/verifier/bundle/write-attestation.ts';
import { readHeader } from '../../src/verifier/evidence/ledger-header.ts';
import { type ReadKey, readLogKey } from '../../src/verifier/log/note-key.ts';
import { laterHeaders, type SyntheticNetwork, syntheticNetwork } from './synthetic-network.ts';
import { transactionPath } from './transaction-path.ts';

/** The file that the sample proves. */
export const sampleFile = 'What was signed on the twentieth of November.\n';
export const sampleFileHash = createHash('sha256').update(sampleFile).digest('hex') as Digest;

const nonce = createHash('sha256').update('nonce').digest('hex');
const earlier = createHash('sha256').update('previous').digest('hex').toUpperCase();
const sequence = 7;
const ledgerIndex = 90_000_123;
const closeTime = 848_531_013;

export interface SampleOptions {
  readonly hashScheme?: HashScheme;
  /** Signer of the transaction; by default the account's own key. */
  readonly signer?: Wallet;
  readonly change?: Partial<CertificateContent>;
  /** Version of the bundle; default the one that is issued now. */
  readonly version?: 2 | 3;
  /** The word of the ledger's validators, for a bundle of version 4. */
  readonly attested?: SampleAttestation;
  /** Time-stamp token (DER) of `sampleStampedText`, for a bundle of version 5. */
  readonly stamped?: Uint8Array;
  /** True for a bundle that its issuer has signed: version 6. */
  readonly signed?: boolean;
  /** True for a proof issued before the log was published: version 1. */
  readonly unlogged?: boolean;
  /** Fields that replace those of the signed transaction. */
  readonly transaction?: Readonly<Record<string, unknown>>;
  /** Transaction hash of the previous revision, or null without one; default a made-up one. */
  readonly previous?: string | null;
  /** The ledger that the log's entry names; default `mainnet`. */
  readonly ledgerId?: string;
}

export interface SampleAttestation {
  readonly network: SyntheticNetwork;
  /** Ledgers between that of the transaction and the validated one; default none. */
  readonly laterLedgers?: number;
  /** Replaces parts of the evidence. */
  readonly change?: (whole: CollectedEvidence) => Partial<CollectedEvidence>;
}

/** Signatures in the samples of version 4: of the second ledger after the transaction's. */
export const sampleAttested: SampleAttestation = {
  network: syntheticNetwork(5, 'sample'),
  laterLedgers: 2,
};

/** Account of the sample. Its key is public. */
export const sampleWallet = Wallet.fromEntropy(Buffer.alloc(16, 1));

/**
 * A proof as on mainnet, with a valid transaction and ledger header; the same at every call. The signatures
 * and hashes come from xrpl, not from the code under test.
 */
export function sampleProof(options: SampleOptions = {}): {
  readonly content: CertificateContent;
  readonly evidence: BundleEvidence;
  readonly stampedText: string;
} {
  const { hashScheme = 'hmac-sha256-nonce-v3', signer = sampleWallet } = options;
  const { previous = earlier } = options;
  const commitment = isSalted(hashScheme) ? commit(nonce, sampleFileHash) : null;
  const memo = proofMemo({ fileHash: commitment ?? sampleFileHash, hashScheme, previous });
  const { tx_blob: blob, hash } = signer.sign(unsigned(memo, options) as never);
  const item = { blob: hexToBytes(blob), metadata: hexToBytes(encode(metadata())) };
  const { path, root } = transactionPath([item, ...otherItems], hash);
  const header = ledgerHeader(options.attested ? root.toUpperCase() : undefined);
  const isEarlier = options.unlogged || options.version === 2;
  const page = `https://proofs.example/verify/${hash}`;
  const explorer = `https://livenet.xrpl.org/transactions/${hash}`;
  const content: CertificateContent = {
    templateVersion: currentTemplate,
    proofId: '01M7XT7V10RJ1CFD26ZBSKQXP6',
    issuedAt: '2026-11-21T04:05:06.789Z',
    fileName: 'Vertrag – Ärger & Söhne 合同.pdf',
    fileSizeBytes: Buffer.byteLength(sampleFile),
    mimeType: 'application/pdf',
    ...{ description: null, classification: null },
    fileHash: sampleFileHash,
    hashScheme,
    commitment,
    nonce: isSalted(hashScheme) ? nonce : null,
    network: 'mainnet',
    standalone: false,
    transactionHash: hash,
    ledgerIndex,
    ledgerHash: header.hash,
    closeTimeIso: '2026-11-20T23:03:33.000Z',
    account: sampleWallet.address,
    organisationName: 'Ärger & Söhne',
    workspaceName: 'Archive',
    revision: previous === null ? 1 : 2,
    previousTransactionHash: previous,
    verifyUrl: isEarlier ? page : explorer,
    verifyPageUrl: isEarlier ? null : page,
    publicApiUrl: `https://proofs.example/api/public/verify/${hash}`,
    explorerUrl: explorer,
    verifier: { url: 'https://proofs.example/verify.py', sha256: sampleFileHash },
    evidence: noEvidence,
    ...options.change,
  };
  const place = { transactionIndex: 3, closeTime };
  const held = { metadata: encode(metadata()), ledgerHeader: header.hex };
  const logged = sampleLog(content, { ...place, ...held }, options.ledgerId);
  const log = options.unlogged ? null : logged.log;
  const timestamp = options.stamped
    ? { ...logged.stamped, token: Buffer.from(options.stamped).toString('base64') }
    : null;
  const attestation =
    options.attested === undefined
      ? null
      : attest({ item, path, header: readHeader(hexToBytes(header.hex)) }, options.attested);
  const found = { memo, blob, ...held, ...place, log, attestation, timestamp };
  const { vkey: key, sign } = sampleIssuerSigner;
  const issuer = options.signed ? { key, signature: sign(statementOf(content, found)) } : null;
  const evidence = { ...found, issuer };
  return { content, evidence, stampedText: logged.stamped.checkpointText };
}

/** Other transactions of the ledger: bytes that nobody decodes. */
const otherItems = Array.from({ length: 40 }, (_, place) => ({
  blob: createHash('sha256').update(`blob ${place}`).digest(),
  metadata: createHash('sha256').update(`metadata ${place}`).digest(),
}));

function attest(
  place: Pick<CollectedEvidence, 'item' | 'path' | 'header'>,
  { network, laterLedgers = 0, change = () => ({}) }: SampleAttestation,
): BundleAttestation {
  const later = laterHeaders(place.header, laterLedgers);
  const whole: CollectedEvidence = {
    ...place,
    laterHeaders: later,
    validations: network.validations(later.at(-1) ?? place.header),
    manifests: [],
    validatorList: network.list(),
  };
  return writeAttestation({ ...whole, ...change(whole) }, [network.publisherKey]);
}

export const sampleLogSigner = noteSigner(
  'proofmark/01M7XT7TX5VQ3R4S5T6V7W8X9Y',
  Buffer.alloc(32, 5),
);

/** Key of the issuer of the samples of version 6. */
export const sampleIssuerSigner = noteSigner(`${sampleLogSigner.name}/issuer`, Buffer.alloc(32, 6));

/** The log's public key, as a follower of the log knows it. */
export const sampleLogKey = readLogKey(sampleLogSigner.vkey) as ReadKey;

/**
 * Inclusion of the anchoring as the second of three events, and in a checkpoint of five events to be
 * stamped. The leaves are written out here by hand.
 */
function sampleLog(
  content: CertificateContent,
  evidence: Pick<BundleEvidence, 'metadata' | 'ledgerHeader' | 'closeTime' | 'transactionIndex'>,
  ledgerId = 'mainnet',
): { readonly log: BundleLog; readonly stamped: Omit<BundleTimestamp, 'token'> } {
  const { proofId, transactionHash, ledgerIndex, ledgerHash, closeTimeIso } = content;
  const said = { ledgerId, transactionHash, ledgerIndex, ledgerHash, closeTimeIso };
  const event = {
    ...({ v: 1, eventId: '01M7XT7V5TQ6V2H8J9KAMBNCPD' } as const),
    organisationId: '01M7XT7TZ4E5F6G7H8J9KAMBNC',
    stream: `proof-${proofId}`,
    ...({ version: 3, type: 'Anchored', schema: 1 } as const),
    recordedAt: '2026-11-20T23:03:37.104Z',
    dataHash: sha256(JSON.stringify(sorted({ ...said, ...evidence }))).toString('hex'),
    metaHash: sha256('{"actor":"anchoring"}').toString('hex'),
  };
  const leaf = sha256(`\0${JSON.stringify(sorted(event))}`);
  const [before, after] = [sha256('before'), sha256('after')];
  const node = (left: Buffer, right: Buffer) => sha256(Buffer.concat([Buffer.of(1), left, right]));
  const root = node(node(before, leaf), after);
  const { name: origin } = sampleLogSigner;
  const later = node(after, sha256('fourth'));
  const fifth = sha256('fifth');
  const laterRoot = node(node(node(before, leaf), later), fifth);
  return {
    log: {
      event,
      ledgerId: said.ledgerId,
      leafIndex: 1,
      hashes: [before.toString('hex'), after.toString('hex')],
      checkpoint: signCheckpoint({ origin, size: 3, root }, [sampleLogSigner]),
    },
    stamped: {
      checkpointText: `${origin}\n5\n${laterRoot.toString('base64')}\n`,
      hashes: [before, later, fifth].map((hash) => hash.toString('hex')),
    },
  };
}

/** Text of the checkpoint that a token of a sample is of. */
export function sampleStampedText(options?: SampleOptions): string {
  return sampleProof(options).stampedText;
}

const samples = join(import.meta.dirname, '../certificates/samples/timestamp');

/** The root of the authority that stamped the stored sample: a PEM file. */
export const sampleTsaFile = join(samples, 'root.pem');

/** The stored sample of version 5: token of an authority made of `openssl ts`. */
export const sampleStamped: SampleOptions = {
  attested: sampleAttested,
  stamped: readFileSync(join(samples, 'token.der')),
};

/** A sample of version 5 without the word of the ledger's validators. */
export const sampleStampedAlone: SampleOptions = {
  stamped: readFileSync(join(samples, 'token-alone.der')),
};

/** The stored sample of version 6: version 5 with the signature of its issuer. */
export const sampleSigned: SampleOptions = { ...sampleStamped, signed: true };

function sha256(bytes: string | Buffer): Buffer {
  return createHash('sha256').update(bytes).digest();
}

function sorted(value: object): object {
  return Object.fromEntries(Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1)));
}

export function sampleText(options?: SampleOptions): string {
  const { content, evidence } = sampleProof(options);
  return buildBundle(content, evidence);
}

export function sampleBundle(options?: SampleOptions): Bundle {
  return readBundle(sampleText(options));
}

function unsigned(
  { type, format, data }: ReturnType<typeof proofMemo>,
  { transaction, signer = sampleWallet }: SampleOptions,
) {
  const hex = (text: string) => Buffer.from(text).toString('hex').toUpperCase();
  return {
    TransactionType: 'AccountSet',
    Account: sampleWallet.address,
    Sequence: sequence,
    Fee: '10',
    LastLedgerSequence: ledgerIndex + 2,
    SigningPubKey: signer.publicKey,
    Memos: [{ Memo: { MemoType: hex(type), MemoFormat: hex(format), MemoData: hex(data) } }],
    ...transaction,
  };
}

function metadata() {
  const FinalFields = {
    Account: sampleWallet.address,
    Balance: '999999990',
    Flags: 0,
    OwnerCount: 0,
    Sequence: sequence + 1,
  };
  const ModifiedNode = {
    FinalFields,
    LedgerEntryType: 'AccountRoot',
    LedgerIndex: 'A2'.repeat(32),
    PreviousFields: { Balance: '1000000000', Sequence: sequence },
    PreviousTxnID: earlier,
    PreviousTxnLgrSeq: ledgerIndex - 9,
  };
  return {
    AffectedNodes: [{ ModifiedNode }],
    TransactionIndex: 3,
    TransactionResult: 'tesSUCCESS',
  };
}

function ledgerHeader(transactionRoot = 'C4'.repeat(32)) {
  const fields = {
    ledger_index: ledgerIndex,
    total_coins: '99986000000000000',
    parent_hash: 'B3'.repeat(32),
    transaction_hash: transactionRoot,
    account_hash: 'D5'.repeat(32),
    parent_close_time: closeTime - 4,
    close_time: closeTime,
    close_time_resolution: 10,
    close_flags: 0,
  };
  const hex = [
    uint(fields.ledger_index, 4),
    BigInt(fields.total_coins).toString(16).padStart(16, '0'),
    fields.parent_hash,
    fields.transaction_hash,
    fields.account_hash,
    uint(fields.parent_close_time, 4),
    uint(fields.close_time, 4),
    uint(fields.close_time_resolution, 1),
    uint(fields.close_flags, 1),
  ].join('');
  return { hex: hex.toUpperCase(), hash: hashes.hashLedgerHeader(fields as never) };
}

function uint(value: number, bytes: number): string {
  return value.toString(16).padStart(2 * bytes, '0');
}
