import { PassThrough } from 'node:stream';
import { test } from 'tap';
import { confirmErasure } from '../../../ops/erasing/confirm-erasure.ts';
import type { OrganisationId } from '../../../src/domain/ulid.ts';

const organisationId = '01M7XT7V10RJ1CFD26ZBSKQXP6' as OrganisationId;

/** Asks at a terminal where `typed` and then Ctrl-D is entered; returns the output and the outcome. */
async function ask(name: string, typed: string, { isTTY = true } = {}) {
  const output = new PassThrough();
  const input = Object.assign(new PassThrough(), { isTTY });
  input.end(typed);
  const confirmed = await confirmErasure({ organisationId, name }, { input, output }).then(
    () => 'confirmed',
    (error: Error) => error.message,
  );
  return { confirmed, shown: String(output.read() ?? '') };
}

test('an erasure is confirmed only by typing the name of the organisation', async (t) => {
  const { confirmed, shown } = await ask('Acme Ltd', 'Acme Ltd\n');
  t.equal(confirmed, 'confirmed');
  t.match(shown, /cannot be undone.*\(Acme Ltd\): /);
  t.equal((await ask('Acme Ltd', '  Acme Ltd \r\n')).confirmed, 'confirmed');
  for (const typed of ['acme ltd\n', 'yes\n', '\n', 'Acme\n', 'no\nAcme Ltd\n', '']) {
    const refused = await ask('Acme Ltd', typed);
    t.equal(
      refused.confirmed,
      'nothing was erased: the typed name is not the name of the organisation',
      JSON.stringify(typed),
    );
  }
});

test('a name with invisible characters is confirmed by its escaped form', async (t) => {
  const name = 'A\u{200b}cme\u{1b}[2J';
  const { confirmed, shown } = await ask(name, 'A\\u{200b}cme\\u{1b}[2J\n');
  t.equal(confirmed, 'confirmed');
  t.match(shown, '(A\\u{200b}cme\\u{1b}[2J)', 'no control character reaches the terminal');
});

test('without a terminal nothing is erased, whatever the input', async (t) => {
  const { confirmed, shown } = await ask('Acme', 'Acme\n', { isTTY: false });
  t.match(
    confirmed,
    `nothing was erased: use --yes to permanently erase organisation ${organisationId}`,
  );
  t.equal(shown, '');
});
