import { createHash } from 'node:crypto';
import { ContentInfo, SignedData } from 'pkijs';
import { test } from 'tap';
import { BadToken } from '../../src/timestamps/bad-token.ts';
import { encodeRequest } from '../../src/timestamps/encode-request.ts';
import { readResponse, TimestampRefused } from '../../src/timestamps/read-response.ts';
import { verifyToken } from '../../src/timestamps/verify-token.ts';
import { runCount } from '../support/run-count.ts';
import { seededRandom } from '../support/seed.ts';
import {
  type CertificateKind,
  createTimestampAuthority,
  type SigningOptions,
  type TimestampAuthority,
} from '../support/timestamp-authority.ts';

const sha256 = (bytes: Uint8Array) => createHash('sha256').update(bytes).digest();
const data = Buffer.from('example.com/log\n328\nCsUYapGGPo4dkMgIAUqom/Xajj7h2fB2MPA3j2jxq2I=\n');

async function stamped(authority: TimestampAuthority) {
  const { bytes, nonce } = encodeRequest(sha256(data));
  const answer = await authority.answer(bytes);
  return { answer, nonce, token: readResponse(answer) };
}

for (const key of ['ec', 'rsa'] as const) {
  test(`openssl and this service accept each other's tokens and requests, ${key}`, async (t) => {
    const authority = await createTimestampAuthority(t, { key });
    const roots = [authority.root];
    const { answer, nonce, token } = await stamped(authority);
    t.same(token, await authority.tokenOf(answer));
    t.ok(await authority.accepts(token, data));
    const verified = await verifyToken(token, { data, nonce, roots });
    t.equal(verified.authority, 'O=Proofmark tests, CN=authority');
    t.ok(Math.abs(Date.parse(verified.time) - Date.now()) < 60_000);
    const foreign = readResponse(await authority.answer(await authority.queryFor(data)));
    t.match(await verifyToken(foreign, { data, roots }), { authority: verified.authority });
  });
}

test('a token of other data, of another request or of an unknown root is refused', async (t) => {
  const authority = await createTimestampAuthority(t);
  const stranger = await createTimestampAuthority(t);
  const roots = [authority.root];
  const { nonce, token } = await stamped(authority);
  const bad = (token: Uint8Array, expected: Parameters<typeof verifyToken>[1], message: RegExp) =>
    t.rejects(verifyToken(token, expected), { name: 'BadToken', message });
  await bad(token, { data: Buffer.from('other'), roots }, /other data/);
  await bad(token, { data, nonce: Buffer.from(nonce).reverse(), roots }, /nonce/);
  await bad(token, { data, roots: [stranger.root] }, /cannot be verified/);
  await bad(token, { data, roots: [] }, /cannot be verified/);
  await bad((await stamped(stranger)).token, { data, roots }, /cannot be verified/);
  await bad(Buffer.concat([token, Buffer.of(0)]), { data, roots }, /no time-stamp token/);
  await bad(token.subarray(0, -1), { data, roots }, /no time-stamp token/);
  await bad(Buffer.alloc(0), { data, roots }, /no time-stamp token/);
});

test('the certificate must be for timestamping alone, and named by the signature', async (t) => {
  const authority = await createTimestampAuthority(t);
  const roots = [authority.root];
  const unfit = ['server', 'both', 'uncritical', 'noUsage'] as const;
  for (const kind of unfit) await authority.issue(kind);
  const { token } = await stamped(authority);
  const content = await authority.contentOf(token);
  const signed = async (options?: SigningOptions) =>
    verifyToken(await authority.sign(content, options), { data, roots });
  t.match(await signed(), { authority: 'O=Proofmark tests, CN=authority' });
  for (const kind of unfit) {
    await t.rejects(signed({ kind }), { message: /not for timestamping alone/ }, kind);
  }
  await t.rejects(signed({ isNamed: false }), { message: /does not name the certificate/ });
  const contentType = '1.2.840.113549.1.7.1';
  await t.rejects(signed({ contentType }), { message: /no time-stamp token/ });
});

test('a chain that a certificate in it does not permit is refused, as by openssl', async (t) => {
  const authority = await createTimestampAuthority(t);
  const roots = [authority.root];
  const tooLong = /more issuers than one of its certificates permits/;
  const chains: readonly (readonly [CertificateKind[], CertificateKind, RegExp?])[] = [
    [['issuer', 'issuer', 'issuer'], 'authority'],
    [['issuerOfNone'], 'authority'],
    [['issuerOfOne', 'issuerOfNone'], 'authority'],
    [[], 'signing'],
    [['issuerOfNone', 'issuer'], 'authority', tooLong],
    [['issuerOfOne', 'issuer', 'issuer'], 'authority', tooLong],
    [[], 'encrypting', /not for signatures/],
    [[], 'unknownCritical', /critical extension 1\.2\.3\.4/],
    [['issuerUnknown'], 'authority', /critical extension 1\.2\.3\.4/],
  ];
  for (const [through, kind] of chains) await authority.issue(...through, kind);
  const content = await authority.contentOf((await stamped(authority)).token);
  for (const [through, kind, message] of chains) {
    const token = await authority.sign(content, { kind, through });
    const what = [...through, kind].join(', ');
    t.equal(await authority.accepts(token, data), message === undefined, `openssl: ${what}`);
    const verifying = verifyToken(token, { data, roots });
    if (message === undefined) await t.resolves(verifying, what);
    else await t.rejects(verifying, { name: 'BadToken', message }, what);
  }
});

test('certificates that have issued each other, or too many, are refused at once', async (t) => {
  const authority = await createTimestampAuthority(t);
  const roots = [authority.root];
  const { token } = await stamped(authority);
  const circular = await authority.signInCircle(await authority.contentOf(token));
  await t.rejects(verifyToken(circular, { data, roots }), {
    name: 'BadToken',
    message: /cannot be verified: .*no short path leads to a trusted certificate/,
  });
  const content = ContentInfo.fromBER(new Uint8Array(token).buffer);
  const signed = new SignedData({ schema: content.content });
  const [first] = signed.certificates ?? [];
  if (first === undefined) throw new Error('no certificate');
  signed.certificates = Array.from({ length: 17 }, () => first);
  content.content = signed.toSchema(true);
  await t.rejects(verifyToken(Buffer.from(content.toSchema().toBER()), { data, roots }), {
    name: 'BadToken',
    message: /more than 16 certificates/,
  });
});

test('no altered byte gives a token with another content', async (t) => {
  const authority = await createTimestampAuthority(t);
  const roots = [authority.root];
  const { token } = await stamped(authority);
  const expected = await verifyToken(token, { data, roots });
  const random = seededRandom(t);
  let refused = 0;
  const rounds = runCount(40, 150);
  for (let round = 0; round < rounds; round += 1) {
    const altered = Buffer.from(token);
    const at = Math.floor(random() * altered.length);
    altered[at] = (altered[at] ?? 0) ^ (1 << Math.floor(random() * 8));
    try {
      t.same(await verifyToken(altered, { data, roots }), expected, `byte ${at}`);
    } catch (error) {
      if (!(error instanceof BadToken)) throw error;
      refused += 1;
    }
  }
  // Certificates that nothing needs, and lengths in another form, may differ.
  t.ok(refused > rounds / 2, `${refused} refused`);
});

test('an answer without a token says why', async (t) => {
  const authority = await createTimestampAuthority(t);
  const { bytes } = encodeRequest(sha256(data));
  // The algorithm SHA-384 with a hash of 32 bytes.
  const other = Buffer.from(
    bytes.toString('hex').replace('0609608648016503040201', '0609608648016503040202'),
    'hex',
  );
  const refusal = await authority.answer(other);
  t.throws(() => readResponse(refusal), { name: 'TimestampRefused', message: /status 2/ });
  t.throws(() => readResponse(Buffer.from('3003020100', 'hex')), { name: 'BadToken' });
  t.throws(() => readResponse(Buffer.from('30053003020100', 'hex')), { message: /no token/ });
  t.throws(() => readResponse(Buffer.alloc(0)), { name: 'BadToken' });
  t.throws(() => readResponse(Buffer.from('<html>')), { name: 'BadToken' });
  t.ok(new TimestampRefused('x') instanceof Error);
});
