import { strict } from 'node:assert';
import pg from 'pg';
import { test } from 'tap';
import { errorMessage, failureMessage } from '../../../ops/terminal/error-message.ts';
import { Refusal } from '../../../src/domain/refusal.ts';
import { OperatorError } from '../../../src/errors/operator-error.ts';
import { Transient } from '../../../src/errors/transient.ts';
import {
  StandbyBehind,
  StoreSilent,
  StoreUnavailable,
} from '../../../src/event-store/connection-loss.ts';
import { NoPrimary } from '../../../src/event-store/find-primary.ts';
import { LedgerUnavailable, Unanswered } from '../../../src/ledger/ledger-unavailable.ts';
import { ServerBlocked, ServerBusy } from '../../../src/ledger/server-refused.ts';
import { SignerUnavailable } from '../../../src/ledger/signer-unavailable.ts';
import { StorageUnavailable } from '../../../src/storage/storage-unavailable.ts';
import { ProjectionBehind } from '../../../src/subscriptions/await-position.ts';

const refused = Object.assign(new Error('connect ECONNREFUSED'), { code: 'ECONNREFUSED' });
const unreachable = (cause: string) =>
  `the database cannot be reached (${cause}): check that PostgreSQL runs and that DATABASE_URL is right`;

test('every temporary failure has a message for operators, and none is a defect', async (t) => {
  const cases: readonly [Transient, string][] = [
    [new StoreUnavailable({ cause: refused }), unreachable('connect ECONNREFUSED')],
    [new StoreUnavailable(), unreachable('the event store cannot be reached')],
    [new StoreSilent(5), unreachable('no answer within 5 ms')],
    [
      new StandbyBehind(),
      unreachable('the database is a standby that has not replayed all events yet'),
    ],
    [new NoPrimary(['a', 'b']), unreachable('no server of the database takes writes: a; b')],
    [
      new LedgerUnavailable('no server answers', { cause: refused }),
      `no server answers: ${refused.message}`,
    ],
    [new Unanswered('fee', 'no answer'), 'no answer'],
    [new ServerBusy('slowDown'), 'the ledger server answers slowDown'],
    [new ServerBlocked('amendmentBlocked'), 'the ledger server answers amendmentBlocked'],
    [new SignerUnavailable('it does not answer'), 'it does not answer'],
    [
      new StorageUnavailable('the bucket is away', { cause: refused }),
      `the bucket is away: ${refused.message}`,
    ],
    [
      new ProjectionBehind('keys', 7),
      'the change is recorded, but not yet visible in lists (the projection keys has not reached ' +
        'position 7 yet): check that a process with the role projector runs',
    ],
  ];
  for (const [error, message] of cases) {
    t.ok(error instanceof Transient, error.name);
    t.equal(error.name, error.constructor.name);
    t.equal(failureMessage(error), message, error.name);
  }
});

test('an error for the operator is its message, without name and stack', async (t) => {
  const errno = Object.assign(new Error("ENOENT: no such file, open 'x'"), { code: 'ENOENT' });
  const ofLibrary = new Error('The server does not support SSL connections');
  ofLibrary.stack = `Error: x\n    at Socket.<anonymous> (/app/node_modules/pg/lib/connection.js:77:37)`;
  const cases: readonly [unknown, string][] = [
    [new OperatorError('give a file', { cause: new TypeError('x') }), 'give a file'],
    [new Refusal('INVALID_REQUEST', 'must be an id'), 'must be an id'],
    [errno, errno.message],
    [new Error('cannot read y', { cause: errno }), `cannot read y: ${errno.message}`],
    [new pg.DatabaseError('permission denied', 10, 'error'), 'permission denied'],
    [ofLibrary, ofLibrary.message],
    [AbortSignal.abort().reason, 'interrupted'],
    [refused, unreachable('connect ECONNREFUSED')],
    [new AggregateError([refused]), unreachable('connect ECONNREFUSED')],
    [new TypeError('fetch failed', { cause: new Error('bad port') }), 'fetch failed: bad port'],
    [thrownBy(() => JSON.parse('{')), 'Expected property name'],
  ];
  for (const [error, message] of cases) {
    const told = failureMessage(error);
    t.ok(told.startsWith(message), told);
    t.equal(told, errorMessage(error));
  }
});

test('a defect is named as one, with its name, message and stack', async (t) => {
  const nothing = null as unknown as { readonly member: string };
  const unclosed = '(';
  const invariant = new Error('unreachable');
  const cases: readonly [unknown, string][] = [
    [thrownBy(() => nothing.member), 'TypeError: Cannot read properties of null'],
    [thrownBy(() => new Uint8Array(-1)), 'RangeError: Invalid typed array length: -1'],
    [thrownBy(() => Buffer.from(5 as never)), 'TypeError [ERR_INVALID_ARG_TYPE]: The first'],
    [thrownBy(() => strict.equal(1, 2)), 'AssertionError [ERR_ASSERTION]: Expected'],
    [thrownBy(() => new RegExp(unclosed)), 'SyntaxError: Invalid regular expression'],
    [invariant, 'Error: unreachable'],
    [new AggregateError([refused, invariant], 'two'), 'AggregateError: two'],
    ['text', 'thrown: text'],
  ];
  const label = 'this is a defect of the program; report it with the following lines\n';
  for (const [error, beginning] of cases) {
    const told = failureMessage(error);
    t.ok(told.startsWith(`${label}${beginning}`), told);
    if (error instanceof Error) t.match(told, /\n\s+at .*error-message\.test\.ts/);
  }
  const wrapped = failureMessage(new Error('cannot read x', { cause: cases[0]?.[0] }));
  t.ok(wrapped.startsWith(`${label}Error: cannot read x\n`), wrapped);
  t.match(wrapped, /^caused by TypeError: Cannot read properties of null/m);
});

function thrownBy(work: () => unknown): unknown {
  try {
    return work();
  } catch (error) {
    return error;
  }
}
