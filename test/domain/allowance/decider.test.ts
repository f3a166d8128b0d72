import { test } from 'tap';
import { AllowanceExceeded } from '../../../src/domain/allowance/allowance-exceeded.ts';
import { allowanceDecider, monthOf } from '../../../src/domain/allowance/decider.ts';
import type { DocumentId } from '../../../src/domain/ulid.ts';
import { replyToError } from '../../../src/http/errors/reply-to-error.ts';

const { takeUnit, returnUnit, stateAfter } = allowanceDecider;
const documentId = '01ARZ3NDEKTSV4RRFFQ69G5FAV' as DocumentId;

test("each document takes a unit until the month's allowance is used up", async (t) => {
  t.strictSame(takeUnit(0, 2, documentId), [{ type: 'UnitTaken', data: { documentId, used: 1 } }]);
  t.strictSame(takeUnit(1, 2, documentId), [{ type: 'UnitTaken', data: { documentId, used: 2 } }]);
  t.throws(() => takeUnit(2, 2, documentId), AllowanceExceeded);
  t.throws(() => takeUnit(0, 0, documentId), AllowanceExceeded);
  t.strictSame(takeUnit(7, null, documentId), [
    { type: 'UnitTaken', data: { documentId, used: 8 } },
  ]);
});

test('a returned unit can be taken again', async (t) => {
  t.equal(stateAfter(null), 0);
  const [taken] = takeUnit(stateAfter(null), 1, documentId);
  t.throws(() => takeUnit(stateAfter(taken ?? null), 1, documentId), AllowanceExceeded);
  const [returned] = returnUnit(stateAfter(taken ?? null), documentId);
  t.strictSame(returned, { type: 'UnitReturned', data: { documentId, used: 0 } });
  t.doesNotThrow(() => takeUnit(stateAfter(returned ?? null), 1, documentId));
});

test('a refusal states usage and limit, even after the allowance was lowered', async (t) => {
  const { usage } = new AllowanceExceeded('', { used: 5, limit: 3, unit: 'documents' });
  t.strictSame(usage, { used: 5, limit: 3, remaining: 0, unit: 'documents' });
  const reply = replyToError(new AllowanceExceeded('', { used: 3, limit: 3, unit: 'documents' }));
  t.equal(reply?.status, 403);
  t.match(reply?.body, {
    success: false,
    code: 'ENTITLEMENT_EXCEEDED',
    usage: { used: 3, limit: 3, remaining: 0, unit: 'documents' },
  });
});

test('months are counted in UTC', async (t) => {
  t.equal(monthOf(new Date('2026-02-28T23:59:59.999Z')), '2026-02');
  t.equal(monthOf(new Date('2026-03-01T00:59:59+01:00')), '2026-02');
  t.equal(monthOf(new Date('2026-03-01T00:00:00Z')), '2026-03');
});
