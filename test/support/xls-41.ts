import { createHash } from 'node:crypto';
import { decode, encode } from 'ripple-binary-codec';
import { verify } from 'ripple-keypairs';
import { encodeNodePublic } from 'xrpl';

/**
 * A verifier of XPOPs that shares no code with the one under test. It follows the text of XLS-41, and
 * takes codec and signatures from packages of the ledger. Returns the hash of the transaction.
 * Throws an `Error` with the reason if the XPOP proves nothing to those who trust this publisher.
 */
export function verifyByXls41(text: string, publisherKey: string): string {
  const { ledger, validation, transaction } = JSON.parse(text);
  const { unl, data } = validation;

  const publisher = readManifest(unl.manifest);
  demand(publisher.master === publisherKey && publisher.isSigned, 'another publisher');
  demand(unl.public_key.toUpperCase() === publisherKey, 'the list states another publisher');
  const blob = Buffer.from(unl.blob, 'base64');
  demand(isSigned(blob, unl.signature, publisher.signing), 'the list is not signed');
  const list = JSON.parse(blob.toString());
  const { effective = 0, expiration, validators } = list;
  demand(ledger.close >= effective && ledger.close < expiration, 'the list was not in force');

  const hash = half('LWR\0', ...headerParts(ledger));
  const masters = new Map<string, string>();
  for (const { validation_public_key: master, manifest } of validators) {
    if (!manifest) {
      masters.set(master, master);
      continue;
    }
    const read = readManifest(manifest);
    if (read.isSigned && read.master === master.toUpperCase()) masters.set(read.signing, master);
  }
  const counted = new Set<string>();
  for (const [label, hex] of Object.entries<string>(data)) {
    const master = masterOfValidation(label, hex, { hash, index: ledger.index, masters });
    if (master !== null) counted.add(master);
  }
  const listed = new Set(
    validators.map((one: { validation_public_key: string }) =>
      one.validation_public_key.toUpperCase(),
    ),
  );
  demand(counted.size >= Math.max(1, Math.ceil(listed.size * 0.8)), 'no quorum');

  const [id, leaf] = leafOf(transaction);
  const root = Array.isArray(transaction.proof)
    ? rootOfList(transaction.proof, { id, leaf })
    : rootOfTree(transaction.proof, { id, leaf });
  demand(root === ledger.txroot.toUpperCase(), 'the path leads elsewhere');
  return id;
}

interface Wanted {
  readonly id: string;
  readonly leaf: string;
}

/** The 16 children of each node on the way are hashed; every other node stands for itself. */
function rootOfList(node: unknown[], wanted: Wanted, depth = 0): string {
  const place = Number.parseInt(wanted.id[depth] ?? '', 16);
  demand(node.length === 16 && !Number.isNaN(place), 'no node has other than 16 children');
  const hashes = node.map((child, at) => {
    if (Array.isArray(child)) {
      return at === place ? rootOfList(child, wanted, depth + 1) : hashOfList(child);
    }
    if (at === place) demand(String(child).toUpperCase() === wanted.leaf, 'another leaf');
    return String(child);
  });
  return half('MIN\0', ...hashes.map(bytes));
}

function hashOfList(node: unknown[]): string {
  demand(node.length === 16, 'no node has other than 16 children');
  const hashes = node.map((child) => (Array.isArray(child) ? hashOfList(child) : String(child)));
  return half('MIN\0', ...hashes.map(bytes));
}

interface TreeNode {
  readonly hash: string;
  readonly children: Readonly<Record<string, TreeNode>>;
}

function rootOfTree(node: TreeNode, wanted: Wanted, depth = 0): string {
  const digit = wanted.id[depth] ?? '';
  const own = node.children[digit] ?? node.children[digit.toLowerCase()];
  demand(own !== undefined, 'the transaction has no place in the tree');
  const isLeaf = Object.keys(own.children).length === 0;
  if (isLeaf) demand(own.hash.toUpperCase() === wanted.leaf, 'another leaf');
  else rootOfTree(own, wanted, depth + 1);
  return hashOfTree(node);
}

function hashOfTree({ hash, children }: TreeNode): string {
  if (Object.keys(children).length === 0) return hash.toUpperCase();
  const hashes = [...'0123456789ABCDEF'].map((digit) => {
    const child = children[digit] ?? children[digit.toLowerCase()];
    return child === undefined ? '0'.repeat(64) : hashOfTree(child);
  });
  const own = half('MIN\0', ...hashes.map(bytes));
  demand(own === hash.toUpperCase(), 'a node states another hash');
  return own;
}

function leafOf({ blob, meta }: { blob: string; meta: string }): readonly [string, string] {
  const id = half('TXN\0', bytes(blob));
  const parts = [blob, meta].flatMap((hex) => [lengthOf(hex.length / 2), bytes(hex)]);
  return [id, half('SND\0', ...parts, bytes(id))];
}

function lengthOf(length: number): Buffer {
  if (length <= 192) return Buffer.of(length);
  const more = length - 193;
  if (length <= 12_480) return Buffer.of(193 + (more >> 8), more & 255);
  const most = length - 12_481;
  return Buffer.of(241 + (most >> 16), (most >> 8) & 255, most & 255);
}

function headerParts(ledger: Record<string, string | number>): Buffer[] {
  const uint = (value: unknown, size: number) =>
    Buffer.from(
      BigInt(String(value))
        .toString(16)
        .padStart(2 * size, '0'),
      'hex',
    );
  const { index, coins, phash, txroot, acroot, pclose, close, cres, flags } = ledger;
  return [
    ...[uint(index, 4), uint(coins, 8), bytes(phash), bytes(txroot), bytes(acroot)],
    ...[uint(pclose, 4), uint(close, 4), uint(cres, 1), uint(flags, 1)],
  ];
}

/** The master key of the listed validator that validated this ledger; null if none did. */
function masterOfValidation(
  label: string,
  hex: string,
  ledger: { hash: string; index: number; masters: ReadonlyMap<string, string> },
): string | null {
  try {
    const { Signature, ...rest } = decode(hex) as Record<string, unknown>;
    const { Flags, LedgerHash, LedgerSequence, SigningPubKey } = rest;
    const key = String(SigningPubKey);
    const master = ledger.masters.get(key);
    const labels = [key, master ?? key].map((one) => encodeNodePublic(bytes(one)));
    if (master === undefined || !labels.includes(label)) return null;
    if ((Number(Flags) & 1) === 0 || LedgerHash !== ledger.hash) return null;
    if (LedgerSequence !== ledger.index || !isLow(String(Signature))) return null;
    const signed = Buffer.concat([Buffer.from('VAL\0'), bytes(encode(rest as never))]);
    return isSigned(signed, String(Signature), key) ? master.toUpperCase() : null;
  } catch {
    return null; // counts for nothing
  }
}

const halfOrder = 0x7fffffffffffffffffffffffffffffff5d576e7357a4501ddfe92f46681b20a0n;

/** True for the lower of the two possible values of s, at the end of a DER signature. */
function isLow(signature: string): boolean {
  const der = bytes(signature);
  const s = der.subarray(6 + (der[3] ?? 0));
  return BigInt(`0x${s.toString('hex')}`) <= halfOrder;
}

function readManifest(base64: string) {
  const hex = Buffer.from(base64, 'base64').toString('hex').toUpperCase();
  const { Signature, MasterSignature, ...rest } = decode(hex) as Record<string, string>;
  const { PublicKey: master = '', SigningPubKey: signing = '' } = rest;
  const signed = Buffer.concat([Buffer.from('MAN\0'), bytes(encode(rest as never))]);
  const isSignedByBoth =
    isSigned(signed, String(Signature), signing) &&
    isSigned(signed, String(MasterSignature), master);
  return { master, signing, isSigned: isSignedByBoth };
}

function isSigned(message: Buffer, signature: string, key: string): boolean {
  try {
    return verify(message.toString('hex'), signature.toUpperCase(), key.toUpperCase());
  } catch {
    return false;
  }
}

function half(prefix: string, ...parts: readonly Buffer[]): string {
  const digest = createHash('sha512').update(prefix);
  for (const part of parts) digest.update(part);
  return digest.digest('hex').slice(0, 64).toUpperCase();
}

function bytes(hex: unknown): Buffer {
  return Buffer.from(String(hex), 'hex');
}

function demand(holds: boolean, why: string): asserts holds {
  if (!holds) throw new Error(why);
}
