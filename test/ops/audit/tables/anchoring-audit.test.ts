import tap, { type Test, test } from 'tap';
import { faultInWords } from '../../../../ops/audit/findings/fault.ts';
import { Findings } from '../../../../ops/audit/findings/findings.ts';
import { auditAnchoring } from '../../../../ops/audit/tables/anchoring-audit.ts';
import { foldAnchoring } from '../../../../src/anchoring-state/read-anchoring.ts';
import type { DomainEvent } from '../../../../src/domain/events.ts';
import { streams } from '../../../../src/domain/streams.ts';
import type { EventStore } from '../../../../src/event-store/event-store.ts';
import { auditSite } from '../../../support/audit-site.ts';
import { createAuditedSite } from '../../../support/audited-site.ts';
import { openTestStore } from '../../../support/event-store.ts';

const site = await createAuditedSite(tap);
const account = 'rHb9CJAWyB4rj91VRWn96DkukG4bwdtyTh';
const [open, settled, later, unknown] = ['0A', '0B', '0C', '0D'].map((one) => one.repeat(32));
const signed = (transactionHash = '') => ({
  ...{ ledgerId: '1', transactionHash, blob: 'AA', account, sequence: 3, feeDrops: 10 },
  ...{ minLedger: 1, lastLedgerSequence: 9, replaces: null },
});
const prepared = (hash = '') => ({ type: 'GapFillPrepared', data: signed(hash) }) as const;

type Entry = Parameters<EventStore['append']>[0][number];

/** A log on which the anchoring of testnet has run, with the state that it saves at the end. */
async function anchoredCopy(t: Test) {
  const copy = await site.copy(t);
  const masterKey = Buffer.from(copy.env.MASTER_KEY ?? '', 'base64');
  const append = async (stream: Entry['stream'], ...events: readonly DomainEvent[]) => {
    const { store, close } = openTestStore({ teardown: () => {} }, copy.url, { masterKey });
    const expectedVersion = await store.versionOf(stream);
    const entry = { organisationId: null, stream, expectedVersion, events };
    await store.append([entry], { actor: 'anchoring' }).finally(close);
  };
  const ofAccount = streams.account('1', account);
  const settling = { transactionHash: settled ?? '', sequence: 3, outcome: 'validated' } as const;
  await append(
    ofAccount,
    { type: 'AccountRetired', data: { ledgerId: '1', account: 'rRetired' } },
    prepared(open),
    prepared(settled),
    { type: 'GapFillSettled', data: settling },
  );
  await append(streams.ledger('1-gone'), { type: 'LedgerGone', data: { ledgerId: '1-gone' } });
  const ofLog = streams.log(site.origin.replace('proofmark/', ''));
  const memo = { origin: site.origin, size: 290, rootHash: 'ab'.repeat(32) };
  await append(ofLog, { type: 'CheckpointRequested', data: { ...memo, reason: 'interval' } });
  const fold = async () => {
    const { store, db, close } = openTestStore({ teardown: () => {} }, copy.url, { masterKey });
    return foldAnchoring({ store, db }, 'testnet').finally(close);
  };
  const { state, position } = await fold();
  const save = (saved: object | string, at = position) =>
    copy.tamper(
      "DELETE FROM checkpoints WHERE name = 'anchoring-testnet'",
      `INSERT INTO checkpoints (name, version, position, build, status, state)
       VALUES ('anchoring-testnet', 1, ${at}, 1, 'live',
         '${typeof saved === 'string' ? saved : JSON.stringify(saved)}')`,
    );
  const audited = async (saved: object | string, at?: number) => {
    await save(saved, at);
    const { pool, close } = openTestStore({ teardown: () => {} }, copy.url, { masterKey });
    const findings = new Findings();
    await auditAnchoring(pool, findings).finally(close);
    const { faults, unchecked } = findings.report();
    return [...faults, ...unchecked].map(faultInWords);
  };
  return { copy, append, ofAccount, ofLog, state, position, audited, fold };
}

const fault = (what: string) =>
  new RegExp(
    `^operations \\(state\\): table checkpoints: the saved state of anchoring-testnet ${what}. Stop the service, delete this row, and start the service: `,
  );

test('a saved state of anchoring that follows from the log is sound', async (t) => {
  const { append, ofAccount, ofLog, state, position, audited, fold } = await anchoredCopy(t);
  t.match(state, { retired: ['rRetired'], gone: ['1-gone'], log: { version: 2 } });
  t.equal(state.proofIds.length, 1);
  t.strictSame(await audited(state), []);
  const { retired: _, log: __, ...early } = state;
  t.match(
    await audited(early),
    [fault('lacks the retired account rRetired')],
    'a state of an earlier release',
  );
  t.strictSame(await audited({ ...early, retired: state.retired }), []);
  const none = { proofIds: [], gapFills: [], ledger: null, gone: [], retired: [] };
  t.strictSame(await audited(none, 0), [], 'the log is read again from there');
  // The service folds its own events at once, before it reads them in the log.
  await append(ofAccount, prepared(later));
  await append(ofLog, { type: 'CheckpointPrepared', data: signed(unknown) });
  const ahead = await fold();
  t.ok(ahead.position > position);
  t.strictSame(await audited(ahead.state, position), []);
  t.strictSame(await audited(state, position), [], 'a state from before these events');
});

test('a saved state that withholds proofs or accounts is a fault', async (t) => {
  const { copy, state, audited } = await anchoredCopy(t);
  const { log } = state;
  const [proofId = ''] = state.proofIds;
  const withLog = (changes: object) => ({ ...state, log: { ...log, ...changes } });
  const withState = (changes: object) => withLog({ state: { ...log?.state, ...changes } });
  const cases: readonly (readonly [object | string, ...string[]])[] = [
    [{ ...state, proofIds: [] }, `lacks proof ${proofId}, so it would never be anchored`],
    [
      { ...state, retired: [...(state.retired ?? []), account] },
      `retires ${account}, but no event does`,
    ],
    [{ ...state, retired: [] }, 'lacks the retired account rRetired'],
    [{ ...state, gone: ['1-gone', '1'] }, 'declares ledger 1 gone, but no event does'],
    [{ ...state, gone: [] }, 'lacks ledger 1-gone, which is declared gone'],
    [{ ...state, gapFills: [] }, `lacks the open gap fill ${open}`],
    [
      {
        ...state,
        gapFills: [...state.gapFills, { ...signed(settled), eventId: 'x', replaced: [] }],
      },
      `has a gap fill that is not open, ${settled}`,
    ],
    [{ ...state, ledger: null }, 'names ledger null, but the events name 1'],
    [
      withLog({ version: 9 }),
      "has the version 9 of the log's stream, but that had 2 at its position, and has 2 now",
    ],
    [withLog({ version: 1 }), "has the version 1 of the log's stream, .*"],
    [withState({ checkpoint: { status: 'none' } }), 'has another checkpoint under way, .*'],
    [withState({ lastTurnAt: '2999-01-01T00:00:00.000Z' }), 'has another checkpoint under way, .*'],
    ['{"proofIds":[]}', 'cannot be read'],
    ['[', 'cannot be read'],
  ];
  await audited({ ...state, proofIds: [] });
  const { faults } = await auditSite(copy);
  t.ok(faults.some((one) => faultInWords(one).includes(`lacks proof ${proofId}`)));
  for (const [saved, ...wanted] of cases) {
    const texts = await audited(saved);
    t.match(texts, wanted.map(fault), wanted.join());
    t.equal(texts.length, wanted.length, texts.join('\n'));
  }
});

test('a state that cannot be compared with a damaged log is not checked', async (t) => {
  const { copy, state, audited } = await anchoredCopy(t);
  await copy.tamper("UPDATE events SET data = '{' WHERE type = 'AccountRetired'");
  t.match(await audited(state), [
    /^operations \(state\): table checkpoints: the saved state of anchoring-testnet, except for its proofs: event \d+ \(AccountRetired\) cannot be read: .* Audit again after the repair$/,
  ]);
});
