import { createHash, createHmac, createPublicKey, verify } from 'node:crypto';

/**
 * Checks a bundle as a stranger could who has only `docs/bundle-format.md`. It uses Node's own modules, and
 * no code or package of the project. Returns the failed checks; throws if the bytes are no transaction
 * blob.
 */
export function strangersDoubts(
  text: string,
  fileHash: string,
  logKey: string,
  publisherKey = '',
): string[] {
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
    ...(rest.version >= 4 && rest.attestation && attestationFacts(rest, publisherKey)),
    ...(rest.version >= 5 && timestampFacts(rest)),
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

// biome-ignore lint/suspicious/noExplicitAny: a JSON document
function attestationFacts({ anchor, evidence, attestation }: any, publisherKey: string) {
  const { path, chain, validations, manifests, validatorList } = attestation;
  const header = Buffer.from(evidence.ledgerHeader, 'hex');
  const signed = signedLedger(header, Buffer.from(chain, 'base64'));
  const closedAt = signed.readUInt32BE(112);
  const list = JSON.parse(Buffer.from(validatorList.blob, 'base64').toString());
  const publisher = readFields(Buffer.from(validatorList.manifest, 'base64'));
  const listed = new Set<string>(list.validators.map(masterKeyOf));
  const given = [
    ...list.validators.flatMap((one: { manifest?: string }) => one.manifest ?? []),
    ...manifests,
  ].map((one: string) => readFields(Buffer.from(one, 'base64')));
  const signers = new Map([...listed].map((key) => [signerOf(key, given), key]));
  const counted = new Set<string>();
  for (const each of validations as readonly string[]) {
    const fields = readFields(Buffer.from(each, 'base64'));
    const key = fields.get('73')?.toString('hex').toUpperCase() ?? '';
    const master = signers.get(key);
    const isOfLedger =
      fields.get('26')?.equals(signed.subarray(0, 4)) &&
      fields.get('51')?.toString('hex').toUpperCase() === half('4C575200', signed.toString('hex'));
    const isFull = (fields.get('22')?.at(-1) ?? 0) % 2 === 1;
    if (!isOfLedger || !isFull || master === undefined) continue;
    if (holds(fields, '56414C00', '73', '76', ['76'])) counted.add(master);
  }
  const root = rootOf(anchor.transactionHash, evidence, Buffer.from(path, 'base64'));
  return {
    'transaction path': root.equals(header.subarray(44, 76)),
    'publisher of the list': publisher.get('71')?.toString('hex').toUpperCase() === publisherKey,
    'manifest of the publisher': isManifest(publisher),
    'signature of the list': isSignedBy(
      publisher.get('73') ?? Buffer.of(),
      Buffer.from(validatorList.blob, 'base64'),
      Buffer.from(validatorList.signature, 'hex'),
    ),
    'time of the list': closedAt < list.expiration && closedAt >= (list.effective ?? 0),
    quorum: counted.size >= Math.max(1, Math.ceil((4 * listed.size) / 5)),
  };
}

// biome-ignore lint/suspicious/noExplicitAny: a JSON document
function timestampFacts({ anchor, log, timestamp }: any) {
  const { checkpointText, hashes, token } = timestamp;
  const [, size, root] = checkpointText.split('\n');
  const canonical = Buffer.from(JSON.stringify(sorted(log.event)));
  const leaf = sha256(Buffer.concat([Buffer.of(0), canonical]));
  const info = timeStampInfo(Buffer.from(token, 'base64')) ?? [];
  const [version, , imprint, , time] = info;
  const [algorithm, digest] = within(imprint, 0x30);
  const [oid] = within(algorithm, 0x30);
  const [, year, month, day, hour, minute, second] =
    /^(\d{4})(\d\d)(\d\d)(\d\d)(\d\d)(\d\d)(?:\.\d*[1-9])?Z$/.exec(`${time?.content}`) ?? [];
  const words = `${year}-${month}-${day}T${hour}:${minute}:${second}`;
  const stated = Date.parse(`${words}Z`);
  const isDate = !Number.isNaN(stated) && new Date(stated).toISOString().startsWith(words);
  const closed = Date.UTC(2000, 0, 1) + 1000 * anchor.closeTime;
  return {
    'stamped checkpoint': pathLeads(leaf, log.leafIndex, Number(size), hashes, root ?? ''),
    'form of the token':
      isOf(version, 0x02, '01') &&
      time?.tag === 0x18 &&
      isDate &&
      Buffer.from(token, 'base64').toString('base64') === token,
    imprint:
      isOf(oid, 0x06, '608648016503040201') &&
      isOf(digest, 0x04, sha256(Buffer.from(checkpointText)).toString('hex')),
    'time of the token': anchor.standalone || stated >= closed - 300_000,
  };
}

/** The parts of the TSTInfo in a time-stamp token; undefined if it has another structure. */
function timeStampInfo(token: Buffer): Element[] | undefined {
  try {
    const [whole, ...others] = elements(token);
    if (whole === undefined || others.length > 0 || depthOf(whole) > 32) return undefined;
    const [type, explicit] = within(whole, 0x30);
    const [signed] = within(explicit, 0xa0);
    const [, , encapsulated] = within(signed, 0x30);
    const [contentType, explicitContent] = within(encapsulated, 0x30);
    const [octets] = within(explicitContent, 0xa0);
    const isTime =
      isOf(type, 0x06, '2a864886f70d010702') && isOf(contentType, 0x06, '2a864886f70d0109100104');
    if (!isTime || octets?.tag !== 0x04) return undefined;
    const [info, ...rest] = elements(octets.content);
    if (info === undefined || rest.length > 0 || depthOf(info) > 32) return undefined;
    return within(info, 0x30);
  } catch {
    return undefined;
  }
}

interface Element {
  readonly tag: number;
  readonly content: Buffer;
}

function isOf(element: Element | undefined, tag: number, hex: string): boolean {
  return element?.tag === tag && element.content.toString('hex') === hex;
}

/** The elements in one of this tag; none in another. */
function within(element: Element | undefined, tag: number): Element[] {
  return element?.tag === tag ? elements(element.content) : [];
}

function depthOf({ tag, content }: Element): number {
  if ((tag & 0x20) === 0) return 0;
  return 1 + Math.max(0, ...elements(content).map(depthOf));
}

/** Elements one after the other (X.690): tags of one byte, and lengths in the shortest form. */
function elements(bytes: Buffer): Element[] {
  const found: Element[] = [];
  for (let at = 0; at < bytes.length; ) {
    const tag = bytes.readUInt8(at);
    const first = bytes.readUInt8(at + 1);
    const digits = first < 128 ? 0 : first - 128;
    if (first === 128 || digits > 4 || tag % 32 === 31) throw new Error('not DER');
    const length = digits === 0 ? first : bytes.readUIntBE(at + 2, digits);
    const isShortest = digits === 0 || (length >= 128 && length >= 256 ** (digits - 1));
    const start = at + 2 + digits;
    if (!isShortest || start + length > bytes.length) throw new Error('not DER');
    found.push({ tag, content: bytes.subarray(start, start + length) });
    at = start + length;
  }
  return found;
}

function masterKeyOf({ validation_public_key: key }: { validation_public_key: string }): string {
  return key.toUpperCase();
}

/** The header of the signed ledger: the first one, or the last one of the chain after it. */
function signedLedger(first: Buffer, chain: Buffer): Buffer {
  let last = first;
  for (let at = 0; at < chain.length; at += 78) {
    const link = chain.subarray(at, at + 78);
    const index = Buffer.alloc(4);
    index.writeUInt32BE(last.readUInt32BE(0) + 1);
    const parent = Buffer.from(half('4C575200', last.toString('hex')), 'hex');
    const closed = last.subarray(112, 116);
    const parts = [index, link.subarray(0, 8), parent, link.subarray(8, 72), closed];
    last = Buffer.concat([...parts, link.subarray(72)]);
  }
  return last;
}

function rootOf(
  transactionHash: string,
  { blob, metadata }: { readonly blob: string; readonly metadata: string },
  path: Buffer,
): Buffer {
  const levels: { readonly bits: number; readonly hashes: readonly string[] }[] = [];
  for (let at = 0; at < path.length; ) {
    const bits = path.readUInt16BE(at);
    const count = bits.toString(2).replaceAll('0', '').length;
    const hashes = Array.from({ length: count }, (_, place) =>
      path.subarray(at + 2 + 32 * place, at + 34 + 32 * place).toString('hex'),
    );
    levels.push({ bits, hashes });
    at += 2 + 32 * count;
  }
  const withLength = (hex: string) => lengthOf(hex.length / 2) + hex;
  let hash = half('534E4400', withLength(blob) + withLength(metadata) + transactionHash);
  for (const [depth, { bits, hashes }] of [...levels.entries()].reverse()) {
    const branch = Number.parseInt(transactionHash[depth] ?? '', 16);
    const rest = [...hashes];
    const children = Array.from({ length: 16 }, (_, place) =>
      (bits >> (15 - place)) % 2 === 1 ? (rest.shift() ?? '') : '00'.repeat(32),
    );
    hash = half('4D494E00', children.with(branch, hash).join(''));
  }
  return Buffer.from(hash, 'hex');
}

function lengthOf(bytes: number): string {
  const hex = (...values: readonly number[]) => Buffer.from(values).toString('hex');
  if (bytes <= 192) return hex(bytes);
  if (bytes <= 12_480) return hex(193 + ((bytes - 193) >> 8), (bytes - 193) & 255);
  const rest = bytes - 12_481;
  return hex(241 + (rest >> 16), (rest >> 8) & 255, rest & 255);
}

/** The key that signs for a listed validator: of its newest manifest that holds. */
function signerOf(masterKey: string, manifests: readonly Fields[]): string {
  const own = manifests
    .filter((each) => each.get('71')?.toString('hex').toUpperCase() === masterKey)
    .filter(isManifest)
    .sort((a, b) => sequenceOf(b) - sequenceOf(a));
  const [newest] = own;
  if (newest === undefined) return masterKey;
  return newest.get('73')?.toString('hex').toUpperCase() ?? '';
}

function sequenceOf(manifest: Fields): number {
  return manifest.get('24')?.readUInt32BE() ?? -1;
}

function isManifest(fields: Fields): boolean {
  const covered = ['76', '7012'];
  const byMaster = holds(fields, '4D414E00', '71', '7012', covered);
  const isRevocation = !fields.has('73');
  return byMaster && (isRevocation || holds(fields, '4D414E00', '73', '76', covered));
}

/** Fields of an object by type and code, with their bytes; `parts` has them as they are written. */
interface Fields extends ReadonlyMap<string, Buffer> {
  readonly parts: ReadonlyMap<string, Buffer>;
}

const fieldBytes: Readonly<Record<number, number>> = {
  1: 2,
  2: 4,
  3: 8,
  4: 16,
  5: 32,
  6: 8,
  16: 1,
};

function readFields(bytes: Buffer): Fields {
  const values = new Map<string, Buffer>();
  const parts = new Map<string, Buffer>();
  for (let at = 0; at < bytes.length; ) {
    const start = at;
    const byte = bytes.readUInt8(at);
    at += 1;
    let type = byte >> 4;
    if (type === 0) {
      type = bytes.readUInt8(at);
      at += 1;
    }
    if (byte % 16 === 0) at += 1;
    const name = bytes.subarray(start, at).toString('hex').toUpperCase();
    let length = fieldBytes[type] ?? -1;
    if (type === 7 || type === 19) {
      length = bytes.readUInt8(at);
      at += 1;
      if (length > 192) {
        length = 193 + 256 * (length - 193) + bytes.readUInt8(at);
        at += 1;
      }
    }
    if (length < 0 || at + length > bytes.length) throw new Error('no such field');
    values.set(name, bytes.subarray(at, at + length));
    at += length;
    parts.set(name, bytes.subarray(start, at));
  }
  return Object.assign(values, { parts });
}

/** True if a signature field holds by a key field, over all fields but those left out. */
function holds(
  fields: Fields,
  prefix: string,
  key: string,
  signature: string,
  without: readonly string[],
): boolean {
  const kept = [...fields.parts].flatMap(([name, part]) => (without.includes(name) ? [] : [part]));
  const message = Buffer.concat([Buffer.from(prefix, 'hex'), ...kept]);
  return isSignedBy(fields.get(key) ?? Buffer.of(), message, fields.get(signature) ?? Buffer.of());
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

function isSigned({ SigningPubKey, TxnSignature, message }: ReturnType<typeof readBlob>): boolean {
  return isSignedBy(SigningPubKey, message, TxnSignature);
}

/** ECDSA uses only the first 32 bytes of a longer hash. */
function isSignedBy(publicKey: Buffer, message: Buffer, signature: Buffer): boolean {
  const isEd25519 = publicKey[0] === 0xed;
  const form = Buffer.from(isEd25519 ? keyForms.ed25519 : keyForms.secp256k1, 'hex');
  const point = isEd25519 ? publicKey.subarray(1) : publicKey;
  try {
    const der = Buffer.concat([form, point]);
    const key = createPublicKey({ key: der, format: 'der', type: 'spki' });
    return verify(isEd25519 ? null : 'sha512', message, key, signature);
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
