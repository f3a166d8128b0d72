import { test } from 'tap';
import { isolated, shownText } from '../../src/domain/shown-text.ts';

test('names that people can read stay as they are', async (t) => {
  for (const name of [
    'Vertrag – Ärger & Söhne 合同.pdf',
    'حقوق الملكية.pdf',
    'می\u200cخواهم.pdf',
    'क्\u200dष.pdf',
    'Contract 👍🏽 👨‍👩‍👧 ❤️ 1️⃣.pdf',
    'a  b\u3000c.pdf',
  ]) {
    t.equal(shownText(name), name);
  }
});

test('a name from right to left cannot reorder the words around it', async (t) => {
  for (const name of ['חוזה.pdf', 'عقد 2026.pdf', 'a ܐ']) {
    t.equal(isolated(name), `\u2068${name}\u2069`);
  }
  t.equal(isolated('contract 合同.pdf'), 'contract 合同.pdf');
});

test('characters that nobody sees, or that reorder a text, are replaced', async (t) => {
  for (const character of [
    ...['\u0000', '\u001b', '\u009b', '\n', '\u2028'],
    ...['\u202e', '\u2066', '\u2069', '\u200e', '\u061c'],
    ...['\u200b', '\u2060', '\ufeff', '\u00ad', '\u3164', '\u115f', '\u{e0041}', '\ud800'],
  ]) {
    t.equal(shownText(`contract${character}.pdf`), 'contract\ufffd.pdf', escape(character));
  }
});
