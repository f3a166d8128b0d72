import { test } from 'tap';
import { ulid } from 'ulid';
import type { Anomaly } from '../../../ops/crash/histories/anomaly.ts';
import { checkHistories } from '../../../ops/crash/histories/check-histories.ts';
import { recordCall, type SentRequest } from '../../../ops/crash/histories/client.ts';
import type { ProofFact } from '../../../ops/crash/histories/proof-fact.ts';
import type { ListRequest, RecordedCall } from '../../../ops/crash/histories/recorded-call.ts';
import { readFacts } from '../../../ops/crash/histories/run-histories.ts';
import { DatabaseClient } from '../../../src/event-store/database-client.ts';
import { joinDocumentService } from '../../support/document-service.ts';
import { randomDigest } from '../../support/scripted-anchoring.ts';

const everything: ListRequest = {
  ...{ kind: 'list', page: 1, limit: 10, workspace: null, status: null, search: null, walk: null },
};

/** A fault in the read model of lists, and how it is mended. */
interface Planted {
  readonly kind: Anomaly['kind'];
  readonly break: string;
  readonly mend: string;
  /** A call that sees the fault; default: the whole list. */
  readonly call?: ListRequest;
}

test('the checker finds faults that are planted in the answers of a real service', async (t) => {
  const site = await joinDocumentService();
  const stranger = await joinDocumentService();
  const { service, workspace } = site;
  const { services, databaseUrl } = service;
  const history: RecordedCall[] = [];
  const call = async (request: SentRequest, of: { organisationId: string; key: string } = site) => {
    const caller = { session: `client of ${of.organisationId}`, address: service.url };
    const recorded = await recordCall({ ...caller, ...of }, request);
    const numbered = { id: history.length + 1, ...recorded };
    history.push(numbered);
    return numbered;
  };
  const post = async (fileName: string, of: typeof site = site): Promise<string> => {
    const sent = { hash: randomDigest(), fileName, isAsync: false, isPlain: false };
    const { answer } = await call({ kind: 'post', workspace: of.workspace, ...sent }, of);
    if (answer.kind !== 'proof') throw new Error('the post was not answered with a proof');
    return answer.proof.proofId;
  };
  const first = await post('First invoice.pdf');
  const second = await post('Second Invoice.pdf');
  const third = await post('third report.pdf');
  const foreign = await post('invoice of another.pdf', stranger);
  for (const search of [null, 'INVOICE', third]) await call({ ...everything, search });
  await call({ ...everything, workspace, status: 'completed' });
  await call({ kind: 'get', proofId: first });
  await call({ kind: 'get', proofId: foreign });
  const walk = { ...everything, limit: 2, walk: 'walk' };
  await call(walk);
  const lastPage = await call({ ...walk, page: 2 });
  const facts = await readFacts(services.events.store);
  const anchor = facts.find((fact) => fact.type === 'anchored' && fact.proofId === first);
  if (anchor?.type !== 'anchored') throw new Error('the first proof is not anchored');
  const found = (calls: readonly RecordedCall[], log: readonly ProofFact[] = facts) =>
    checkHistories(calls, log).map(({ kind }) => kind);
  t.strictSame(checkHistories(history, facts), [], 'without a fault there is no anomaly');

  const client = new DatabaseClient({ connectionString: databaseUrl });
  await client.connect();
  t.teardown(() => client.end());
  const own = `organisation_id = '${site.organisationId}'`;
  const set = (table: string, what: string, where: string) =>
    `UPDATE ${table} SET ${what} WHERE ${where};`;
  const named = (proofId: string) => `proof_id = '${proofId}'`;
  const rename = (from: string, to: string) =>
    ['documents', 'document_details', 'document_anchors']
      .map((table) => set(table, `proof_id = '${to}'`, named(from)))
      .join('');
  const count = (change: string) => set('document_blocks', `completed = completed ${change}`, own);
  const invented = ulid();
  const planted: readonly Planted[] = [
    {
      kind: 'lostItem',
      break: set('documents', "organisation_id = 'lost'", named(second)),
      mend: set('documents', own, named(second)),
    },
    {
      kind: 'ownWriteMissing',
      break: set('documents', "organisation_id = 'lost'", named(third)) + count('- 1'),
      mend: set('documents', own, named(third)) + count('+ 1'),
    },
    {
      kind: 'foreignItem',
      break: set('documents', `${own}, ordinal = 9`, named(foreign)) + count('+ 1'),
      mend:
        set(
          'documents',
          `organisation_id = '${stranger.organisationId}', ordinal = 1`,
          named(foreign),
        ) + count('- 1'),
    },
    {
      kind: 'stateWentBack',
      break:
        set('documents', "status = 'processing'", named(first)) +
        set('document_anchors', 'ledger_index = NULL, closed_at = NULL', named(first)),
      mend:
        set('documents', "status = 'completed'", named(first)) +
        set(
          'document_anchors',
          `ledger_index = ${anchor.ledgerIndex}, closed_at = '${anchor.timestamp}'`,
          named(first),
        ),
    },
    {
      kind: 'wrongField',
      break: set('document_details', "file_name = 'other.pdf'", named(second)),
      mend: set('document_details', "file_name = 'Second Invoice.pdf'", named(second)),
    },
    {
      kind: 'searchMissed',
      break: set('documents', "file_name = 'other.pdf'", named(first)),
      mend: set('documents', "file_name = 'first invoice.pdf'", named(first)),
      call: { ...everything, search: 'invoice' },
    },
    {
      kind: 'falseHit',
      break: set('documents', "file_name = 'invoice.pdf'", named(third)),
      mend: set('documents', "file_name = 'third report.pdf'", named(third)),
      call: { ...everything, search: 'invoice' },
    },
    { kind: 'wrongTotal', break: count('+ 1'), mend: count('- 1') },
    {
      kind: 'wrongOrder',
      break: set('documents', 'ordinal = ordinal + 10', named(first)),
      mend: set('documents', 'ordinal = ordinal - 10', named(first)),
    },
    { kind: 'phantom', break: rename(second, invented), mend: rename(invented, second) },
  ];
  for (const { kind, mend, call: seeing = everything, ...fault } of planted) {
    await client.query(fault.break);
    const seen = await call(seeing);
    await client.query(mend);
    t.strictSame(found(history), [kind], `${kind} is found`);
    history.splice(history.indexOf(seen), 1);
  }

  // Faults that no row of a read model makes: the recording is altered instead.
  const altered = (change: (seen: RecordedCall) => Partial<RecordedCall>) =>
    history.map((seen) => (seen === lastPage ? { ...seen, ...change(seen) } : seen));
  const firstPage = history.find(({ request }) => request === walk)?.answer;
  const items = firstPage?.kind === 'page' ? firstPage.items.slice(1) : [];
  const twice = altered(() => ({ answer: { kind: 'page', items, total: 3 } }));
  t.strictSame(found(twice), ['duplicate'], 'the last proof of a page again on the next one');
  const later = {
    session: 'another client',
    answer: { kind: 'page', items: [], total: 0 },
  } as const;
  t.strictSame(found(altered(() => later)), ['stale'], 'an empty list for another client');
  const withoutThird = facts.filter((fact) => !('proofId' in fact) || fact.proofId !== third);
  t.ok(found(history, withoutThird).includes('lostTimeline'), 'the log lost what was confirmed');
});
