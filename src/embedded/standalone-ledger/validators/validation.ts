import type { StoredLedger } from '../chain/history.ts';
import { upperHex, zeroHash } from '../codec/hashes.ts';
import { hash256, unsigned, unsignedLong, variable } from './serialize.ts';

/** The fields of a signed validation, and its whole serialization. Hex is upper-case. */
export interface Validation {
  readonly data: string;
  readonly flags: number;
  readonly ledgerIndex: number;
  readonly signingTime: number;
  readonly cookie: bigint;
  readonly serverVersion: bigint | undefined;
  readonly ledgerHash: string;
  readonly validatedHash: string;
  readonly signature: string;
  readonly amendments: readonly string[];
}

/** False statements of a lying validator. */
export type ValidatorLie =
  /** Signs another hash for the same index. */
  | 'otherLedger'
  /** Sends a signature of other bytes. */
  | 'badSignature'
  /** Signs a partial validation, which does not count. */
  | 'partial';

const prefix = Buffer.from('VAL\0');
const full = 0x80000001;
const partial = 0x80000000;
/** rippled 2.3.0, in the form of `ServerVersion`. */
const serverVersion = 0x183b_0203_0004_0000n;
/** Amendments that the validators vote for. */
const wanted = ['56B241D7A43D40354D02A9DC4C8DF5C7A1F930D92A9035C4E12291B3CA3E1C2B'];
const flagInterval = 256;

/**
 * Signs a validation (rippled: STValidation.cpp). The ledger before a flag ledger is the voting
 * ledger: its validations carry the version and the amendments of the validator. The signature
 * covers Amendments, although this field stands after it.
 */
export function signValidation(options: {
  readonly ledger: StoredLedger;
  readonly consensusHash: string;
  readonly signingTime: number;
  readonly cookie: bigint;
  readonly signingKey: string;
  readonly sign: (bytes: Uint8Array) => string;
  readonly lie: ValidatorLie | undefined;
}): Validation {
  const { ledger, consensusHash, signingTime, cookie, signingKey, sign, lie } = options;
  const { ledgerIndex, parentHash } = ledger.header;
  const votes = (ledgerIndex + 1) % flagInterval === 0;
  const ledgerHash = lie === 'otherLedger' ? reversed(ledger.hash) : ledger.hash;
  const flags = lie === 'partial' ? partial : full;
  const before = Buffer.concat([
    unsigned(0x22, flags),
    unsigned(0x26, ledgerIndex),
    unsigned(0x29, signingTime),
    unsignedLong(0x3a, cookie),
    ...(votes ? [unsignedLong(0x3b, serverVersion)] : []),
    hash256([0x51], ledgerHash),
    hash256([0x50, 0x17], consensusHash),
    hash256([0x50, 0x19], parentHash),
    variable([0x73], signingKey),
  ]);
  const after = votes ? variable([0x03, 0x13], wanted.join('')) : Buffer.alloc(0);
  const signed = lie === 'badSignature' ? [prefix, after] : [prefix, before, after];
  const signature = sign(Buffer.concat(signed));
  return {
    data: upperHex(Buffer.concat([before, variable([0x76], signature), after])),
    flags,
    ledgerIndex,
    signingTime,
    cookie,
    serverVersion: votes ? serverVersion : undefined,
    ledgerHash,
    validatedHash: parentHash,
    signature,
    amendments: votes ? wanted : [],
  };
}

/** Another hash of the same form. */
function reversed(hash: string): string {
  const other = upperHex(Buffer.from(hash, 'hex').reverse());
  return other === hash ? zeroHash : other;
}
