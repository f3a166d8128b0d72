import { nodePublicKey } from '../codec/node-public-key.ts';
import { unsigned, variable } from './serialize.ts';
import { ed25519Key, secp256k1Key } from './signing-key.ts';
import type { SigningIdentity } from './validator-keys.ts';

/** A signed statement that a signing key belongs to a master key. Keys and signatures are hex. */
export interface Manifest {
  readonly bytes: Buffer;
  readonly sequence: number;
  readonly masterKey: string;
  readonly signingKey: string;
  readonly signature: string;
  readonly masterSignature: string;
  /** Signs bytes with the signing key; the signature is in hex. */
  readonly sign: (bytes: Uint8Array) => string;
}

const prefix = Buffer.from('MAN\0');

/** Signs a manifest (rippled: Manifest.cpp). Both signatures cover the same bytes. */
export function signManifest(identity: SigningIdentity): Manifest {
  const { sequence } = identity;
  const master = ed25519Key(identity.masterSecret);
  const signing = secp256k1Key(identity.signingSecret);
  const content = Buffer.concat([
    unsigned(0x24, sequence),
    variable([0x71], master.publicKey),
    variable([0x73], signing.publicKey),
  ]);
  const signed = Buffer.concat([prefix, content]);
  const signature = signing.sign(signed);
  const masterSignature = master.sign(signed);
  return {
    bytes: Buffer.concat([
      content,
      variable([0x76], signature),
      variable([0x70, 0x12], masterSignature),
    ]),
    sequence,
    masterKey: master.publicKey,
    signingKey: signing.publicKey,
    signature,
    masterSignature,
    sign: signing.sign,
  };
}

/** A key in hex in the form that servers show. */
export function shownKey(hex: string): string {
  return nodePublicKey(Buffer.from(hex, 'hex'));
}
