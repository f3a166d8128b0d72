import { execFile } from 'node:child_process';
import { createHash, randomUUID, X509Certificate } from 'node:crypto';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import type { Test } from 'tap';

const run = promisify(execFile);

const issuing = 'keyUsage=critical,keyCertSign\nbasicConstraints=critical,CA:TRUE';

const extensions = {
  root: issuing,
  authority: 'extendedKeyUsage=critical,timeStamping',
  server: 'extendedKeyUsage=critical,serverAuth',
  both: 'extendedKeyUsage=critical,timeStamping,serverAuth',
  uncritical: 'extendedKeyUsage=timeStamping',
  noUsage: 'basicConstraints=CA:FALSE',
  signing: 'extendedKeyUsage=critical,timeStamping\nkeyUsage=critical,digitalSignature',
  encrypting: 'extendedKeyUsage=critical,timeStamping\nkeyUsage=critical,keyEncipherment',
  unknownCritical: 'extendedKeyUsage=critical,timeStamping\n1.2.3.4=critical,ASN1:NULL',
  issuer: issuing,
  issuerUnknown: `${issuing}\n1.2.3.4=critical,ASN1:NULL`,
  issuerOfNone: `${issuing},pathlen:0`,
  issuerOfOne: `${issuing},pathlen:1`,
} as const;

export type CertificateKind = Exclude<keyof typeof extensions, 'root'>;

/** A time-stamping authority made of `openssl ts`, with a root of its own. */
export interface TimestampAuthority {
  /** The root: PEM file, and DER. */
  readonly rootFile: string;
  readonly root: Buffer;
  /** Makes a certificate of the last kind below those before it. They are valid from now on. */
  issue(...kinds: CertificateKind[]): Promise<void>;
  /** The DER answer to a DER request. */
  answer(query: Uint8Array): Promise<Buffer>;
  /** The token in an answer, DER. */
  tokenOf(answer: Uint8Array): Promise<Buffer>;
  /** The content that a token signs, DER. */
  contentOf(token: Uint8Array): Promise<Buffer>;
  /** A token over this content, signed with a certificate of the root by `openssl cms`. */
  sign(content: Uint8Array, options?: SigningOptions): Promise<Buffer>;
  /**
   * A token over this content. Its certificates have issued each other: they lead to no root, and
   * never end.
   */
  signInCircle(content: Uint8Array): Promise<Buffer>;
  /** True if `openssl ts -verify` accepts the token for the data. */
  accepts(token: Uint8Array, data: Uint8Array): Promise<boolean>;
  /** The request of a token for the data, by openssl. */
  queryFor(data: Uint8Array): Promise<Buffer>;
}

export interface SigningOptions {
  readonly kind?: CertificateKind;
  /** Issuers between the root and the signer, from the root on; default none. */
  readonly through?: readonly CertificateKind[];
  /** True (default): names the signer's certificate in a signed attribute. */
  readonly isNamed?: boolean;
  readonly contentType?: string;
}

export const tstInfo = '1.2.840.113549.1.9.16.1.4';

/** Makes an authority whose certificates are valid from now on. */
export async function createTimestampAuthority(
  t: Pick<Test, 'teardown'>,
  { key = 'ec' }: { readonly key?: 'ec' | 'rsa' } = {},
): Promise<TimestampAuthority> {
  const folder = await mkdtemp(join(tmpdir(), 'proofmark-tsa-'));
  let turn: Promise<unknown> = Promise.resolve();
  t.teardown(async () => {
    // A stopped service may have left a request behind.
    await turn;
    await rm(folder, { recursive: true, force: true });
  });
  const file = (name: string) => join(folder, name);
  const openssl = (...args: string[]) => run('openssl', args, { cwd: folder });
  const sections = Object.entries(extensions).map(([name, lines]) => `[${name}]\n${lines}`);
  const ts =
    '[ts]\nserial=serial\ncrypto_device=builtin\nsigner_cert=authority.pem\n' +
    'signer_key=authority.key\ncerts=root.pem\nsigner_digest=sha256\n' +
    'default_policy=1.2.3.4.1\ndigests=sha256\naccuracy=secs:1\ness_cert_id_alg=sha256\n';
  await writeFile(
    file('openssl.cnf'),
    ['[req]\ndistinguished_name=dn\n[dn]', ...sections, ts].join('\n'),
  );
  await writeFile(file('serial'), '01\n');
  const newKey = key === 'ec' ? ['ec', '-pkeyopt', 'ec_paramgen_curve:P-256'] : ['rsa:2048'];
  const request = (name: string, ...args: string[]) =>
    openssl(
      ...['req', '-newkey', ...newKey, '-nodes', '-config', 'openssl.cnf'],
      ...['-keyout', `${name}.key`, '-subj', `/O=Proofmark tests/CN=${name}`, ...args],
    );
  await request('root', '-x509', '-extensions', 'root', '-days', '30', '-out', 'root.pem');
  const made = new Map<string, Promise<void>>();
  const issue = (...kinds: CertificateKind[]) => {
    const making = made.get(nameOf(kinds)) ?? issueAnew(kinds);
    made.set(nameOf(kinds), making);
    return making;
  };
  const issueAnew = async (kinds: readonly CertificateKind[]) => {
    const [name, above] = [nameOf(kinds), kinds.slice(0, -1)];
    if (above.length > 0) await issue(...above);
    await request(name, '-out', `${name}.csr`);
    await openssl(
      ...['x509', '-req', '-in', `${name}.csr`, '-out', `${name}.pem`, '-days', '30'],
      ...['-CA', `${nameOf(above)}.pem`, '-CAkey', `${nameOf(above)}.key`],
      ...['-set_serial', `0x${createHash('sha256').update(name).digest('hex').slice(0, 12)}`],
      ...['-extfile', 'openssl.cnf', '-extensions', kinds.at(-1) ?? ''],
    );
  };
  await issue('authority');
  const root = new X509Certificate(await readFile(file('root.pem'))).raw;
  const withFile = async (bytes: Uint8Array) => {
    const path = file(randomUUID());
    await writeFile(path, bytes);
    return path;
  };
  return {
    rootFile: file('root.pem'),
    root,
    issue,
    answer(query) {
      // openssl counts serial numbers in a file.
      const answering = turn.then(async () => {
        const [asked, answer] = [await withFile(query), file(randomUUID())];
        await openssl(
          ...['ts', '-reply', '-config', 'openssl.cnf', '-section', 'ts'],
          ...['-queryfile', asked, '-out', answer],
        );
        return readFile(answer);
      });
      turn = answering.catch(() => {});
      return answering;
    },
    async tokenOf(answer) {
      const [given, token] = [await withFile(answer), file(randomUUID())];
      await openssl('ts', '-reply', '-in', given, '-token_out', '-out', token);
      return readFile(token);
    },
    async contentOf(token) {
      const [given, content] = [await withFile(token), file(randomUUID())];
      await openssl(
        ...['cms', '-verify', '-noverify', '-inform', 'DER', '-in', given, '-out', content],
      );
      return readFile(content);
    },
    async sign(content, options = {}) {
      const { kind = 'authority', through = [], isNamed = true, contentType = tstInfo } = options;
      await issue(...through, kind);
      const signer = nameOf([...through, kind]);
      const issuers = [...through.keys(), through.length].map((count) =>
        readFile(file(`${nameOf(through.slice(0, count))}.pem`)),
      );
      const others = await withFile(Buffer.concat(await Promise.all(issuers)));
      const [given, token] = [await withFile(content), file(randomUUID())];
      await openssl(
        ...['cms', '-sign', '-binary', '-nodetach', '-md', 'sha256', '-outform', 'DER'],
        ...['-econtent_type', contentType, ...(isNamed ? ['-cades'] : [])],
        ...['-signer', `${signer}.pem`, '-inkey', `${signer}.key`, '-certfile', others],
        ...['-in', given, '-out', token],
      );
      return readFile(token);
    },
    async signInCircle(content) {
      for (const name of ['one', 'two']) {
        await request(name, '-x509', '-extensions', 'root', '-days', '30', '-out', `${name}.pem`);
      }
      const issued = (name: string, by: string, ...args: string[]) =>
        openssl(
          ...['x509', ...args, '-CA', `${by}.pem`, '-CAkey', `${by}.key`],
          ...['-CAcreateserial', '-days', '30', '-out', `${name}-by-${by}.pem`],
        );
      const issuer = ['-clrext', '-extfile', 'openssl.cnf', '-extensions', 'root'];
      await issued('one', 'two', '-in', 'one.pem', ...issuer);
      await issued('two', 'one', '-in', 'two.pem', ...issuer);
      await request('signer', '-out', 'signer.csr');
      const usage = ['-extfile', 'openssl.cnf', '-extensions', 'authority'];
      await issued('signer', 'one', '-req', '-in', 'signer.csr', ...usage);
      const circle = ['one-by-two.pem', 'two-by-one.pem'].map((name) => readFile(file(name)));
      await writeFile(file('circle.pem'), Buffer.concat(await Promise.all(circle)));
      const [given, token] = [await withFile(content), file(randomUUID())];
      await openssl(
        ...['cms', '-sign', '-binary', '-nodetach', '-md', 'sha256', '-outform', 'DER', '-cades'],
        ...['-econtent_type', tstInfo, '-signer', 'signer-by-one.pem', '-inkey', 'signer.key'],
        ...['-certfile', 'circle.pem', '-in', given, '-out', token],
      );
      return readFile(token);
    },
    async accepts(token, data) {
      const [given, stamped] = [await withFile(token), await withFile(data)];
      return openssl(
        ...['ts', '-verify', '-token_in', '-in', given, '-data', stamped, '-CAfile', 'root.pem'],
      ).then(
        () => true,
        () => false,
      );
    },
    async queryFor(data) {
      const [given, query] = [await withFile(data), file(randomUUID())];
      await openssl('ts', '-query', '-data', given, '-sha256', '-cert', '-out', query);
      return readFile(query);
    },
  };
}

/** Name of the files of the last certificate of a chain below the root. */
function nameOf(kinds: readonly CertificateKind[]): string {
  return kinds.length === 0 ? 'root' : kinds.join('-');
}

/** An answer that grants this token: `SEQUENCE { SEQUENCE { INTEGER 0 }, token }`. */
export function granting(token: Uint8Array): Buffer {
  const content = Buffer.concat([Buffer.from('3003020100', 'hex'), token]);
  const length = Buffer.alloc(2);
  length.writeUInt16BE(content.length);
  return Buffer.concat([Buffer.from('3082', 'hex'), length, content]);
}

export type Respond = (
  query: Buffer,
  request: IncomingMessage,
  response: ServerResponse,
) => Promise<Buffer | null> | Buffer | null;

/** Serves an authority over HTTP. `respond` may be replaced; null: it has answered by itself. */
export async function serveTimestamps(t: Pick<Test, 'teardown'>, respond: Respond) {
  const served = { respond, asked: 0 };
  const server = createServer(async (request, response) => {
    served.asked += 1;
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk);
    const answer = await served.respond(Buffer.concat(chunks), request, response);
    if (answer === null) return;
    response.setHeader('Content-Type', 'application/timestamp-reply');
    response.end(answer);
  });
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));
  t.teardown(() => {
    server.closeAllConnections();
    server.close();
  });
  const { port } = server.address() as AddressInfo;
  return Object.assign(served, { url: `http://127.0.0.1:${port}/tsa` });
}
