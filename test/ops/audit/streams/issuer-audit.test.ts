import { test } from 'tap';
import { faultInWords } from '../../../../ops/audit/findings/fault.ts';
import { Findings } from '../../../../ops/audit/findings/findings.ts';
import type { FoundRow } from '../../../../ops/audit/rows/found-row.ts';
import { IssuerAudit } from '../../../../ops/audit/streams/issuer-audit.ts';
import { auditIssuerKeys } from '../../../../ops/audit/tables/issuer-key-audit.ts';
import { openLog } from '../../../../src/commands/open-log.ts';
import { createIssuerKeys } from '../../../../src/issuer/issuer-keys.ts';
import { loadIssuerKeys, rotateIssuerKey } from '../../../../src/issuer/rotate-issuer-key.ts';
import { createTestStore, openTestStore, testDeps } from '../../../support/event-store.ts';

type Found = readonly [type: string, data: object, stream?: string];

const sound: readonly Found[] = [
  ['IssuerKeyPublished', { key: 'a' }],
  ['CertificateIssued', { issuerKey: null }],
  ['CertificateIssued', { issuerKey: 'a' }],
  ['CertificateRecorded', { sha256: 'f0' }, 'certificate-f0'],
  ['IssuerKeyRetired', { key: 'a' }],
  ['IssuerKeyPublished', { key: 'b' }],
  ['CertificateIssued', { issuerKey: 'b' }],
  ['CertificateRecorded', { sha256: 'f1' }, 'certificate-f1'],
];

async function faultsIn(found: readonly Found[], digests: readonly string[] = ['f0', 'f1']) {
  const findings = new Findings();
  const left = [...digests];
  const audit = new IssuerAudit(findings, async () => ({ pdfDigest: left.shift() }));
  for (const [n, [type, data, stream = 's']] of found.entries()) {
    const recorded_at = '2026-11-23T00:00:00.000Z';
    const row = { position: n + 1, type, stream, version: 1, recorded_at };
    await audit.add({ ...row, data: JSON.stringify(data) } as FoundRow);
  }
  audit.end();
  return findings.report().faults.map(faultInWords);
}

test('finds nothing in a sound log', async (t) => {
  t.strictSame(await faultsIn(sound), []);
});

test('finds a certificate of a retired key, of one without bytes, and bytes of none', async (t) => {
  const changed = (n: number, ...found: Found) =>
    faultsIn(sound.map((one, index) => (index === n ? found : one)));
  const issued = await changed(6, 'CertificateIssued', { issuerKey: 'a' });
  t.match(issued, [/position 7 .*the key is a, but b was the one/]);
  const unlike = await changed(7, 'CertificateRecorded', { sha256: 'f2' }, 'certificate-f1');
  t.match(unlike, [/position 8 .*stream/, /the value is f2, but the certificate issued has f1/]);
  const unsigned = await changed(6, 'CertificateIssued', { issuerKey: null });
  t.match(unsigned, [/position 8 .*the event before this one issues no signed certificate/]);
  t.match(await changed(4, 'IssuerKeyRetired', { key: 'c' }), [
    /position 5/,
    /position 6/,
    /position 7/,
  ]);
  t.match(await faultsIn(sound.slice(0, 7)), [/position 7 .*no event after this one records/]);
  t.match(await faultsIn(sound, ['f0', 'f9']), [/the certificate issued has f9/]);
});

test('compares each key with its private part', async (t) => {
  const site = await createTestStore(t);
  await openLog({ ...testDeps, store: site.store }, {});
  await createIssuerKeys(site).current();
  await rotateIssuerKey(site, null, {});
  const keys = await loadIssuerKeys(site.store);
  const faults = async () => {
    const { keyring } = openTestStore(t, site.url, { maxConnections: 1 });
    const findings = new Findings();
    await auditIssuerKeys(keyring, keys, findings);
    return findings.report().faults.map(faultInWords);
  };
  const rename = (from: string, to: string) =>
    site.pool.query('UPDATE data_keys SET organisation_id = $2 WHERE organisation_id = $1', [
      from,
      to,
    ]);
  t.strictSame(await faults(), []);
  await site.pool.query("DELETE FROM data_keys WHERE organisation_id = 'issuer-1'");
  t.strictSame(await faults(), [], 'a retired key signs no more');
  await rename('issuer-2', 'issuer-9');
  t.match(await faults(), [/data_keys \(wrapped\): .*issuer-2.*rotate/]);
});
