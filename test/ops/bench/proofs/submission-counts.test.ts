import { test } from 'tap';
import {
  countSubmissions,
  type Submission,
} from '../../../../ops/bench/proofs/submission-counts.ts';

const submission = (atLedger: number, result: string | null, validatedLedger = atLedger) => {
  const answer = result === null ? null : { result, validatedLedger };
  return { atLedger, answer } satisfies Submission;
};

const countOf = (all: readonly Submission[], ledger?: number) =>
  countSubmissions(new Map([['A', all]]), new Map(ledger === undefined ? [] : [['A', ledger]]));

test('submissions are counted for each transaction, with their results', async (t) => {
  const submitted = new Map([
    ['A', [submission(10, 'tesSUCCESS')]],
    ['B', [submission(10, null), submission(11, 'telCAN_NOT_QUEUE')]],
  ]);
  t.match(countSubmissions(submitted, new Map()), {
    transactions: 2,
    submissions: 3,
    perTransaction: { 1: 1, 2: 1 },
    results: { tesSUCCESS: 1, none: 1, telCAN_NOT_QUEUE: 1 },
    afterValidation: 0,
    withinTwoLedgers: 0,
  });
});

test('a submission counts as late once the service was told of the ledger that has it', async (t) => {
  const all = [submission(10, null), submission(12, 'tefPAST_SEQ')];
  t.equal(countOf(all, 13).afterValidation, 0);
  t.equal(countOf(all, 12).afterValidation, 1);
});

test('a submission is too early less than two ledgers after an answer that the server has it', async (t) => {
  for (const [result, early] of [
    ['tesSUCCESS', 1],
    ['terQUEUED', 1],
    ['telINSUF_FEE_P', 0],
  ] as const) {
    t.equal(countOf([submission(10, result), submission(11, result)]).withinTwoLedgers, early);
    t.equal(countOf([submission(10, result), submission(12, result)]).withinTwoLedgers, 0);
  }
  const ahead = [submission(10, 'tesSUCCESS', 11), submission(12, 'tesSUCCESS')];
  t.equal(countOf(ahead).withinTwoLedgers, 1, 'the server was a ledger ahead');
});
