import { execFile } from 'node:child_process';
import { once } from 'node:events';
import { readFile, writeFile } from 'node:fs/promises';
import { createServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { type Test, test } from 'tap';
import type { CertificateContent } from '../../../src/certificates/certificate-content.ts';
import { renderCertificate } from '../../../src/certificates/pdf/render-certificate.ts';
import { newFolder } from '../../support/blobs.ts';
import {
  certificateBundle,
  certificateContent,
  certifiedFile,
  fullestContent,
} from '../../support/certificate-content.ts';
import { guideCommands } from '../../support/guide-commands.ts';
import { pdfReaders } from '../../support/pdf-readers.ts';

const execute = promisify(execFile);

/** Runs a copied command and returns its output. */
async function enter(command: string, folder: string): Promise<string> {
  const env = { PATH: process.env.PATH, HOME: folder };
  return (await execute('sh', ['-c', command], { cwd: folder, env })).stdout.trim();
}

for (const { name, textOf } of await pdfReaders()) {
  const copied = async (content: CertificateContent) =>
    textOf(await renderCertificate(content, certificateBundle));

  test(`the commands of the guide, copied from ${name}, give the stated results`, async (t) => {
    const content = certificateContent();
    const folder = await newFolder(t);
    await writeFile(join(folder, 'FILE'), certifiedFile);
    const { from } = guideCommands(await copied(content));
    t.equal(await enter(from('sha256sum'), folder), `${content.fileHash}  FILE`);
    t.equal(await enter(from('shasum'), folder), `${content.fileHash}  FILE`);
    const commitment = await enter(from('openssl', 2), folder);
    t.equal(commitment.split(/[ =]+/).at(-1), content.commitment);
    await writeFile(join(folder, 'FILE'), 'another one');
    t.not((await enter(from('openssl', 2), folder)).split(/[ =]+/).at(-1), content.commitment);
  });

  test(`the memo in the guide, copied from ${name}, is the anchored text`, async (t) => {
    const memo = /\{"fileHash"[^}]*\}/.exec(await copied(fullestContent))?.[0] ?? '';
    t.equal(
      memo.replaceAll('\n', ''),
      JSON.stringify({
        fileHash: fullestContent.commitment,
        hashScheme: fullestContent.hashScheme,
        previous: fullestContent.previousTransactionHash,
      }),
    );
  });

  for (const [content, host] of [
    [certificateContent(), 'xrplcluster.com:443'],
    [fullestContent, 's.altnet.rippletest.net:51234'],
  ] as const) {
    test(`the command for ${host}, copied from ${name}, requests the transaction`, async (t) => {
      const folder = await newFolder(t);
      const asked = await impersonate(t, host, folder);
      const command = guideCommands(await copied(content)).from('curl -s', 2);
      t.equal(await enter(command, folder), 'an answer');
      t.match(asked, [{ method: 'POST', host: host.replace(/:443$/, '') }]);
      t.strictSame(JSON.parse(asked[0]?.body ?? ''), {
        method: 'tx',
        params: [{ transaction: content.transactionHash }],
      });
    });
  }
}

/** Makes curl, with this folder as home, find a test server under the host's name. */
async function impersonate(t: Test, host: string, folder: string) {
  const [key, cert] = [join(folder, 'key.pem'), join(folder, 'cert.pem')];
  const subject = host.replace(/:.*$/, '');
  await execute('openssl', [
    ...['req', '-x509', '-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1', '-nodes'],
    ...['-subj', `/CN=${subject}`, '-addext', `subjectAltName=DNS:${subject}`],
    ...['-days', '1', '-keyout', key, '-out', cert],
  ]);
  const asked: { method: string | undefined; host: string | undefined; body: string }[] = [];
  const credentials = { key: await readFile(key), cert: await readFile(cert) };
  const server = createServer(credentials, async (request, response) => {
    let body = '';
    for await (const chunk of request) body += chunk;
    asked.push({ method: request.method, host: request.headers.host, body });
    response.end('an answer');
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  t.teardown(() => server.close());
  const { port } = server.address() as AddressInfo;
  const settings = [
    `connect-to = "${host}:127.0.0.1:${port}"`,
    `cacert = "${cert}"`,
    'noproxy = "*"',
  ];
  await writeFile(join(folder, '.curlrc'), `${settings.join('\n')}\n`);
  return asked;
}
