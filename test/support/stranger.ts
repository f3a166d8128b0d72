import { createHash, createHmac, createPublicKey, verify } from 'node:crypto';

/**
 * Checks a bundle as a stranger could who has only `docs/bundle-format.md`. It uses Node's own modules, and
 * no code or package of the project. Returns the failed checks; throws if the bytes are no transaction
 * blob.
 */
export function strangersDoubts(text: string, fileHash: string, logKey: string): string[] {
  const { checksum, ...rest } = JSON.parse(text);
  const { file, commitment: stated, revision, anchor, evidence, addresses } = rest;
  const isPlain = stated.hashScheme === 'sha256-plain-v1';
  const memo = {
    fileHash: isPlain ? file.fileHash : stated.commitment,
    hashScheme: stated.hashScheme,
    ...(revision.previousTransactionHash && { previous: revision.previousTransactionHash }),
  };
  const key = Buffer.from(stated.nonce ?? '', 'hex');
  const message = Buffer.from(file.fileHash, 'hex');
  const blob = readBlob(Buffer.from(evidence.blob, 'hex'));
  const { Account, SigningPubKey, Sequence, LastLedgerSequence } = blob;
  const header = Buffer.from(evidence.ledgerHeader, 'hex');
  const closed = new Date(Date.UTC(2000, 0, 1) + 1000 * anchor.closeTime).toISOString();
  const facts: Readonly<Record<string, boolean>> = {
    checksum: sha256(Buffer.from(JSON.stringify(sorted(rest)))).toString('hex') === checksum,
    'file hash': fileHash === file.fileHash,
    commitment:
      isPlain ||
      stated.nonce === null ||
      createHmac('sha256', key).update(message).digest('hex') === stated.commitment,
    memo: JSON.stringify(memo) === evidence.memo.data,
    'memo of the blob':
      blob.MemoType.toString() === 'proofmark/proof' &&
      blob.MemoFormat.toString() === 'application/json' &&
      blob.MemoData.toString() === evidence.memo.data,
    account: address(Account) === anchor.account,
    'last ledger': LastLedgerSequence >= anchor.ledgerIndex,
    signature: isSigned(blob),
    'signing key': createHash('ripemd160').update(sha256(SigningPubKey)).digest().equals(Account),
    'transaction hash': half('54584E00', evidence.blob) === anchor.transactionHash,
    addresses: Object.values<string>(addresses).every((url) =>
      url.endsWith(`/${anchor.transactionHash}`),
    ),
    metadata: metadataForm(anchor.transactionIndex, Sequence, Account).test(evidence.metadata),
    'ledger hash':
      header.length === 118 && half('4C575200', evidence.ledgerHeader) === anchor.ledgerHash,
    'ledger index': header.length === 118 && header.readUInt32BE(0) === anchor.ledgerIndex,
    'close time': header.length === 118 && header.readUInt32BE(112) === anchor.closeTime,
    'close time in words': closed === anchor.closeTimeIso,
    ...(rest.version >= 2 && logFacts(rest, logKey)),
  };
  return Object.keys(facts).filter((fact) => !facts[fact]);
}

// biome-ignore lint/suspicious/noExplicitAny: a JSON document
function logFacts({ certificate, anchor, evidence, log }: any, logKey: string) {
  const { transactionHash, ledgerIndex, ledgerHash, transactionIndex } = anchor;
  const { closeTime, closeTimeIso } = anchor;
  const { metadata, ledgerHeader } = evidence;
  const said = {
    ...{ closeTime, closeTimeIso, ledgerHash, ledgerHeader, ledgerId: log.ledgerId },
    ...{ ledgerIndex, metadata, transactionHash, transactionIndex },
  };
  const note = log.checkpoint.slice(0, log.checkpoint.lastIndexOf('\n\n') + 1);
  const [origin, size, root] = note.split('\n');
  const canonical = (value: unknown) => Buffer.from(JSON.stringify(sorted(value)));
  const leaf = sha256(Buffer.concat([Buffer.of(0), canonical(log.event)]));
  return {
    'event of the anchoring': sha256(canonical(said)).toString('hex') === log.event.dataHash,
    'stream of the event': log.event.stream === `proof-${certificate.proofId}`,
    'log entry': pathLeads(leaf, log.leafIndex, Number(size), log.hashes, root ?? ''),
    'log checkpoint': isNoted(log.checkpoint, note, origin ?? '', logKey),
  };
}

/** Verifies an inclusion path by RFC 9162, 2.1.3.2. */
function pathLeads(leaf: Buffer, index: number, size: number, path: string[], root: string) {
  const node = (left: Buffer, right: Buffer) => sha256(Buffer.concat([Buffer.of(1), left, right]));
  if (index >= size) return false;
  let [fn, sn, hash] = [index, size - 1, leaf];
  for (const hex of path) {
    if (sn === 0) return false;
    const sibling = Buffer.from(hex, 'hex');
    if (fn % 2 === 1 || fn === sn) {
      hash = node(sibling, hash);
      while (fn % 2 === 0 && fn !== 0) [fn, sn] = [Math.floor(fn / 2), Math.floor(sn / 2)];
    } else hash = node(hash, sibling);
    [fn, sn] = [Math.floor(fn / 2), Math.floor(sn / 2)];
  }
  return sn === 0 && hash.toString('base64') === root;
}

function isNoted(note: string, text: string, origin: string, logKey: string): boolean {
  const [name = '', id = '', ...rest] = logKey.split('+');
  const point = Buffer.from(rest.join('+'), 'base64').subarray(1);
  const form = Buffer.from(keyForms.ed25519, 'hex');
  const key = createPublicKey({ key: Buffer.concat([form, point]), format: 'der', type: 'spki' });
  const lines = note.slice(text.length + 1);
  const isNote = /^(?:— [^\s+]+ [A-Za-z0-9+/]+={0,2}\n)+$/.test(lines);
  const line = lines.split('\n').find((one) => one.startsWith(`— ${name} `));
  const base64 = line?.split(' ')[2] ?? '';
  const bytes = Buffer.from(base64, 'base64');
  if (!isNote || bytes.toString('base64') !== base64) return false;
  const isOfKey = name === origin && bytes.subarray(0, 4).toString('hex') === id;
  return isOfKey && verify(null, Buffer.from(text), key, bytes.subarray(4));
}

function readBlob(bytes: Buffer) {
  let at = 0;
  const take = (length: number) => {
    at += length;
    if (at > bytes.length) throw new Error('the blob ends too early');
    return bytes.subarray(at - length, at);
  };
  const pass = (hex: string) => {
    if (!take(hex.length / 2).equals(Buffer.from(hex, 'hex'))) throw new Error(`no ${hex} there`);
  };
  const length = () => {
    const first = take(1).readUInt8();
    return first <= 192 ? first : 193 + 256 * (first - 193) + take(1).readUInt8();
  };
  const field = <Value>(begin: string, read: () => Value): Value => {
    pass(begin);
    return read();
  };
  const found = {
    Sequence: field('12000324', () => take(4).readUInt32BE()),
    LastLedgerSequence: field('201B', () => take(4).readUInt32BE()),
    feeDrops: field('68', () => take(8).readBigUInt64BE() - 0x40_00_00_00_00_00_00_00n),
    SigningPubKey: field('7321', () => take(33)),
    unsignedTo: at,
    TxnSignature: field('74', () => take(length())),
    signedTo: at,
    Account: field('8114', () => take(20)),
    MemoType: field('F9EA7C', () => take(length())),
    MemoData: field('7D', () => take(length())),
    MemoFormat: field('7E', () => take(length())),
  };
  pass('E1F1');
  if (at !== bytes.length) throw new Error('the blob does not end there');
  const { unsignedTo, signedTo } = found;
  const unsigned = [bytes.subarray(0, unsignedTo), bytes.subarray(signedTo)];
  return { ...found, message: Buffer.concat([Buffer.from('53545800', 'hex'), ...unsigned]) };
}

/** Encodings of a public key in X.509 (RFC 5480, RFC 8410), which Node reads. */
const keyForms = {
  ed25519: '302a300506032b6570032100',
  secp256k1: '3036301006072a8648ce3d020106052b8104000a032200',
};

/** ECDSA uses only the first 32 bytes of a longer hash. */
function isSigned({ SigningPubKey, TxnSignature, message }: ReturnType<typeof readBlob>): boolean {
  const isEd25519 = SigningPubKey[0] === 0xed;
  const form = Buffer.from(isEd25519 ? keyForms.ed25519 : keyForms.secp256k1, 'hex');
  const point = isEd25519 ? SigningPubKey.subarray(1) : SigningPubKey;
  try {
    const der = Buffer.concat([form, point]);
    const key = createPublicKey({ key: der, format: 'der', type: 'spki' });
    return verify(isEd25519 ? null : 'sha512', message, key, TxnSignature);
  } catch {
    return false; // not a point on the curve
  }
}

const digits = 'rpshnaf39wBUDNEGHJKLM4PQRST7VWXYZ2bcdeCg65jkm8oFqi1tuvAxyz';

function address(account: Buffer): string {
  const bytes = Buffer.concat([Buffer.of(0), account]);
  const whole = Buffer.concat([bytes, sha256(sha256(bytes)).subarray(0, 4)]);
  let text = '';
  for (let left = BigInt(`0x${whole.toString('hex')}`); left > 0n; left /= 58n) {
    text = digits[Number(left % 58n)] + text;
  }
  return 'r'.repeat(whole.findIndex((byte) => byte !== 0)) + text;
}

function metadataForm(index: number, sequence: number, account: Buffer): RegExp {
  const hex = (value: number) => value.toString(16).toUpperCase().padStart(8, '0');
  const changed = `E5110061.*E624${hex(sequence)}.*E722.{8}24${hex(sequence + 1)}`;
  const owner = `8114${account.toString('hex').toUpperCase()}`;
  return new RegExp(`^201C${hex(index)}F8.*${changed}.*${owner}.*F1031000$`);
}

function sha256(bytes: Buffer): Buffer {
  return createHash('sha256').update(bytes).digest();
}

function half(prefix: string, hex: string): string {
  const hash = createHash('sha512').update(Buffer.from(prefix + hex, 'hex'));
  return hash.digest().subarray(0, 32).toString('hex').toUpperCase();
}

function sorted(value: unknown): unknown {
  if (typeof value !== 'object' || value === null) return value;
  if (Array.isArray(value)) return value.map(sorted);
  const members = Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1));
  return Object.fromEntries(members.map(([name, member]) => [name, sorted(member)]));
}
