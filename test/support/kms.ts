import { generateKeyPairSync } from 'node:crypto';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { secp256k1 } from '@noble/curves/secp256k1.js';
import { deriveAddress } from 'ripple-keypairs';
import type { Test } from 'tap';

/** Answers as AWS KMS does (its API reference, actions Sign and GetPublicKey). */
export async function startKms(t: Pick<Test, 'teardown'>) {
  const keyId = 'arn:aws:kms:eu-central-1:111122223333:key/mrk-1234';
  const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'secp256k1' });
  const spki = publicKey.export({ format: 'der', type: 'spki' });
  const point = secp256k1.Point.fromBytes(spki.subarray(-65)).toHex(true).toUpperCase();
  const seen = { highS: 0, now: 0, most: 0, disabled: false, silent: false };
  const fail = (type: string) => ({ status: 400, body: { __type: type, message: 'refused' } });
  const answer = (action: string | undefined, body: Record<string, string>) => {
    if (body.KeyId === 'alias/rsa') {
      return { status: 200, body: { KeySpec: 'RSA_2048', PublicKey: spki.toString('base64') } };
    }
    if (body.KeyId !== keyId) return fail('NotFoundException');
    if (action === 'TrentService.GetPublicKey') {
      const described = { KeyId: keyId, KeySpec: 'ECC_SECG_P256K1', KeyUsage: 'SIGN_VERIFY' };
      return { status: 200, body: { ...described, PublicKey: spki.toString('base64') } };
    }
    if (seen.disabled) return fail('DisabledException');
    const digest = Buffer.from(body.Message ?? '', 'base64');
    const isAsked = body.MessageType === 'DIGEST' && body.SigningAlgorithm === 'ECDSA_SHA_256';
    if (!isAsked || digest.length !== 32) return fail('ValidationException');
    const { r, s } = secp256k1.Signature.fromBytes(signDigest(digest), 'der');
    // AWS KMS returns either of both valid values of S.
    const { ORDER } = secp256k1.Point.Fn;
    const high = digest[0] !== undefined && digest[0] < 128 ? s : ORDER - s;
    if (high > ORDER / 2n) seen.highS += 1;
    const der = new secp256k1.Signature(r, high).toBytes('der');
    return { status: 200, body: { KeyId: keyId, Signature: Buffer.from(der).toString('base64') } };
  };
  const secret = privateKey.export({ format: 'jwk' }).d ?? '';
  const signDigest = (digest: Buffer) =>
    secp256k1.sign(digest, Buffer.from(secret, 'base64url'), { prehash: false, format: 'der' });
  const server = createServer(async (request, response) => {
    seen.now += 1;
    seen.most = Math.max(seen.most, seen.now);
    const body = JSON.parse(await text(request)) as Record<string, string>;
    const { status, body: sent } = answer(request.headers['x-amz-target'] as string, body);
    await new Promise((resolve) => setImmediate(resolve));
    if (seen.silent) {
      response.on('close', () => {
        seen.now -= 1;
      });
      return;
    }
    seen.now -= 1;
    response.writeHead(status, { 'Content-Type': 'application/x-amz-json-1.1' });
    response.end(JSON.stringify(sent));
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  t.teardown(() => server.close());
  const { port } = server.address() as AddressInfo;
  const environment = {
    AWS_ENDPOINT_URL_KMS: `http://127.0.0.1:${port}`,
    AWS_REGION: 'eu-central-1',
    AWS_ACCESS_KEY_ID: 'id',
    AWS_SECRET_ACCESS_KEY: 'secret',
  };
  return {
    keyId,
    publicKey: point,
    address: deriveAddress(point),
    /** For a process that uses it. */
    environment,
    highS: () => seen.highS,
    together: () => seen.most,
    /** Number of requests that wait for an answer. */
    waiting: () => seen.now,
    /** Answers nothing any more. */
    silence: () => {
      seen.silent = true;
    },
    disable: () => {
      seen.disabled = true;
    },
  };
}
