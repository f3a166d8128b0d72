import { test } from 'tap';
import { SilentCommands } from '../../src/ledger/silent-commands.ts';

test('a command is silent after two requests in a row without an answer', (t) => {
  const commands = new SilentCommands();
  commands.asked('ledger').unanswered();
  commands.asked('tx').unanswered();
  t.notOk(commands.has('ledger') || commands.has('tx'), 'one of each');
  commands.asked('ledger').answered();
  commands.asked('ledger').unanswered();
  t.equal(commands.has('ledger'), false, 'not in a row');
  commands.asked('tx').unanswered();
  t.equal(commands.has('tx'), true);
  t.equal(commands.has('ledger'), false, 'another command');
  commands.asked('tx').answered();
  t.equal(commands.has('tx'), false, 'answered again');
  t.end();
});

test('a slow server that answers others of the requests meanwhile is not silent', (t) => {
  const commands = new SilentCommands();
  const [first, ...others] = Array.from({ length: 10 }, () => commands.asked('ledger'));
  first?.answered();
  for (const one of others) one.unanswered();
  t.equal(commands.has('ledger'), false);
  t.end();
});

test('requests that one stall leaves unanswered count as one', (t) => {
  const commands = new SilentCommands();
  const together = Array.from({ length: 10 }, () => commands.asked('ledger'));
  for (const one of together) one.unanswered();
  t.equal(commands.has('ledger'), false);
  commands.asked('ledger').unanswered();
  t.equal(commands.has('ledger'), true);
  t.end();
});
