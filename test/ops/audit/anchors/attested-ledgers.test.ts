import { test } from 'tap';
import { AnchorAudit } from '../../../../ops/audit/anchors/anchor-audit.ts';
import { Findings } from '../../../../ops/audit/findings/findings.ts';
import { readRowPages } from '../../../../ops/audit/rows/read-rows.ts';
import type { EventRow } from '../../../../src/event-store/stored-event.ts';
import { createHistorySite, type HistorySite } from '../../../support/history-site.ts';
import { syntheticNetwork } from '../../../support/synthetic-network.ts';

const past = { epochs: null, stream: null, hasRoot: () => false };

async function rowsOf({ pool, store }: HistorySite): Promise<readonly EventRow[]> {
  const rows: EventRow[] = [];
  for await (const page of readRowPages(pool, { upTo: await store.head() })) {
    rows.push(...(page.rows as readonly EventRow[]));
  }
  return rows;
}

/** Faults of the rows, in words. */
async function audit(rows: readonly EventRow[]): Promise<readonly string[]> {
  const findings = new Findings();
  const anchors = new AnchorAudit({ ask: null, findings });
  for (const row of rows) await anchors.add(row, past);
  anchors.close();
  const { faults, unchecked } = findings.report();
  return [...faults, ...unchecked].map(({ position, what }) => `${position}: ${what}`);
}

// biome-ignore lint/suspicious/noExplicitAny: tests alter members of every shape
type Data = Record<string, any>;

test('the evidence of every attested ledger is audited', async (t) => {
  const site = await createHistorySite(t);
  t.strictSame(await audit(await rowsOf(site)), [], 'before the ledgers are complete');
  await site.complete();
  const rows = await rowsOf(site);
  t.strictSame(await audit(rows), []);

  const attested = 'LedgerAttested';
  const linked = 'LedgerLinked';
  const list = 'ValidatorListPublished';
  const cases: [string, string, (data: Data) => Data | null, RegExp][] = [
    [
      'a leaf',
      linked,
      ({ leaves }) => ({ leaves: flipped(leaves) }),
      /leaves do not lead to the tr/,
    ],
    ['no leaves', linked, () => ({ leaves: '' }), /leaves of ledger 1006 lack transaction/],
    ['a link', linked, ({ links }) => ({ links: flipped(links) }), /the links lead to ledger 1009/],
    [
      'fewer links',
      linked,
      ({ links }) => ({ links: links.slice(0, 104) }),
      /the links lead to ledger 1007/,
    ],
    [
      'another end',
      linked,
      ({ next }) => ({ next: { ...next, ledgerIndex: 1_008 } }),
      /not to 1008/,
    ],
    [
      'another ledger',
      linked,
      () => ({ ledgerHash: 'AB'.repeat(32) }),
      /the header is that of ledger/,
    ],
    ['an index', linked, () => ({ attestedIndex: 1_008 }), /is not attested by ledger 1008/],
    ['no attestation', attested, () => null, /1009 .* to which it is linked, is not attested/],
    [
      'a header',
      attested,
      ({ ledgerHeader }) => ({ ledgerHeader: `${ledgerHeader.slice(0, -2)}07` }),
      /the header is that of/,
    ],
    [
      'too few validations',
      attested,
      ({ validations }) => ({ validations: validations.slice(1) }),
      /3 of the 4 validators .* but 4 are needed/,
    ],
    [
      'one validator twice',
      attested,
      ({ validations: [a, b, c] }) => ({ validations: [a, a, b, c] }),
      /3 of the 4 validators/,
    ],
    [
      'a signature',
      attested,
      ({ validations: [a, ...more] }) => ({ validations: [flipped(a), ...more] }),
      /3 of the 4|validation/,
    ],
    [
      'an unknown list',
      attested,
      () => ({ validatorLists: [{ publisherKey: 'ED', sequence: 9 }] }),
      /list 9 of ED is not on record/,
    ],
    ['no list', attested, () => ({ validatorLists: [] }), /no validator list is named/],
    ['no published list', list, () => null, /list 1 of ED\w+ is not on record/],
    ['a list of others', list, () => ({ publisherKey: 'ED' }), /not number 1 by ED$/],
    [
      'an unsigned list',
      list,
      ({ blob }) => ({
        blob: Buffer.from(
          JSON.stringify({ ...JSON.parse(Buffer.from(blob, 'base64').toString()), sequence: 2 }),
        ).toString('base64'),
      }),
      /did not sign this validator list/,
    ],
    [
      'an expired list',
      list,
      () => syntheticNetwork(4).list({ expiration: 1_000 }),
      /was not in force when ledger 1009 closed/,
    ],
    [
      'metadata',
      'Anchored',
      ({ metadata }) => ({ metadata: `${metadata.slice(0, -2)}FF` }),
      /other data or metadata of transaction/,
    ],
  ];
  for (const [what, type, change, expected] of cases) {
    const altered = rows.find((row) => row.type === type);
    const changed = rows.flatMap((row) => {
      if (row !== altered) return [row];
      const data = change(JSON.parse(row.data));
      return data === null
        ? []
        : [{ ...row, data: JSON.stringify({ ...JSON.parse(row.data), ...data }) }];
    });
    const found = await audit(changed);
    t.ok(
      found.some((fault) => expected.test(fault)),
      `${what}: ${found.join(' | ')}`,
    );
  }
});

test('a transaction that is recorded after the attestation of its ledger is audited as well', async (t) => {
  const site = await createHistorySite(t);
  await site.complete();
  const rows = await rowsOf(site);
  const links = rows.filter(({ type }) => type === 'LedgerLinked');
  // Another proof in the same ledger, recorded last.
  const other = rows.filter(
    ({ type, data }) => type === 'Anchored' && data.includes('"ledgerIndex":1001'),
  );
  const [first] = other;
  const rest = rows.filter((row) => row !== first);
  t.ok(first && links.length === 3);
  t.strictSame(await audit([...rest, first as EventRow]), []);
  const forged = {
    ...(first as EventRow),
    data: String(first?.data).replace(/"metadata":"../, '"metadata":"FF'),
  };
  t.match(
    (await audit([...rest, forged])).join(),
    /leaves of ledger 1001 have other data or metadata/,
  );
});

test('a record in a forged ledger is a fault of this record alone', async (t) => {
  const site = await createHistorySite(t);
  await site.complete();
  const rows = await rowsOf(site);
  const [first, second] = rows.filter(
    ({ type, data }) => type === 'Anchored' && data.includes('"ledgerIndex":1001'),
  );
  t.ok(first && second);
  for (const altered of [first, second]) {
    const forged = 'AB'.repeat(32);
    const data = JSON.stringify({ ...JSON.parse(altered?.data ?? ''), ledgerHash: forged });
    const changed = rows.map((row) => (row === altered ? { ...row, data } : row));
    const found = await audit(changed);
    t.ok(found.some((fault) => fault.includes('another ledger 1001 is attested')));
    t.strictSame(
      found.filter((fault) => !fault.startsWith(`${altered?.position}: `)),
      [],
    );
  }
});

function flipped(base64: string): string {
  const bytes = Buffer.from(base64, 'base64');
  bytes[40] = (bytes[40] ?? 0) ^ 1;
  return bytes.toString('base64');
}
