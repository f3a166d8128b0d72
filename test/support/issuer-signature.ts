import { createHash, createPublicKey, verify } from 'node:crypto';

/**
 * True if the bundle is signed with the key (`NAME+ID+KEY`). Written from the description of the
 * format, with node:crypto alone.
 */
export function isSignedBy(bundle: string, vkey: string): boolean {
  const { issuer, checksum: _, ...rest } = JSON.parse(bundle);
  const [statement = '', line = ''] = issuer.note.split('\n\n');
  const [name = '', id = '', ...key] = vkey.split('+');
  const stated = { ...rest, commitment: { ...rest.commitment, nonce: null } };
  const hash = createHash('sha256')
    .update(JSON.stringify(sorted(stated)))
    .digest('hex');
  const [dash, by, base64 = ''] = line.trimEnd().split(' ');
  const signature = Buffer.from(base64, 'base64');
  const spki = Buffer.from('302a300506032b6570032100', 'hex');
  const raw = Buffer.from(key.join('+'), 'base64').subarray(1);
  const der = Buffer.concat([spki, raw]);
  return (
    statement === `proofmark/bundle\n${hash}` &&
    dash === '\u2014' &&
    by === name &&
    signature.subarray(0, 4).toString('hex') === id &&
    verify(
      null,
      Buffer.from(`${statement}\n`),
      createPublicKey({ key: der, format: 'der', type: 'spki' }),
      signature.subarray(4),
    )
  );
}

/** The value with the members of all objects in the order of their names. */
function sorted(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sorted);
  if (typeof value !== 'object' || value === null) return value;
  const members = Object.entries(value).sort(([one], [other]) => (one < other ? -1 : 1));
  return Object.fromEntries(members.map(([member, of]) => [member, sorted(of)]));
}
