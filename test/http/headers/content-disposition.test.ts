import fc from 'fast-check';
import { test } from 'tap';
import { attachment } from '../../../src/http/headers/content-disposition.ts';
import { anyCharacter } from '../../support/any-character.ts';

test('names are sent in ASCII, and also in UTF-8 if different', async (t) => {
  const rows: [string, string][] = [
    ['a b.pdf', `filename="a b.pdf"`],
    ['é.pdf', `filename="_.pdf"; filename*=UTF-8''%C3%A9.pdf`],
    ['e\u0301.pdf', `filename="_.pdf"; filename*=UTF-8''e%CC%81.pdf`],
    ['😀.pdf', `filename="_.pdf"; filename*=UTF-8''%F0%9F%98%80.pdf`],
    ['a"b\\c.pdf', `filename="a_b_c.pdf"; filename*=UTF-8''a%22b_c.pdf`],
    ['50%.pdf', `filename="50_.pdf"; filename*=UTF-8''50%25.pdf`],
    [`it's (1)*.pdf`, `filename="it's (1)*.pdf"`],
    [`é's (1)*.pdf`, `filename="_'s (1)*.pdf"; filename*=UTF-8''%C3%A9%27s%20%281%29%2A.pdf`],
    ['../../etc/passwd', `filename=".._.._etc_passwd"`],
    ['C:\\a\\b.pdf', `filename="C:_a_b.pdf"`],
    ['a\r\nX: y', `filename="a__X: y"`],
    ['gnp\u202Efdp.exe', `filename="gnp_fdp.exe"`],
    ['a\u0000\u001f\u007f\u0085b', `filename="a____b"`],
    ['..', `filename="file"`],
    [' . ', `filename="file"`],
    [' ', `filename="file"`],
    ['\ud800', `filename="_"; filename*=UTF-8''%EF%BF%BD`],
  ];
  for (const [name, expected] of rows) t.equal(attachment(name), `attachment; ${expected}`, name);
});

test('the header is well-formed and contains no path, for any name', async (t) => {
  const form =
    /^attachment; filename="([\x20\x21\x23-\x24\x26-\x2e\x30-\x5b\x5d-\x7e]*)"(; filename\*=UTF-8''((?:[\w!#$&+.^`|~-]|%[0-9A-F]{2})*))?$/;
  fc.assert(
    fc.property(fc.string({ unit: anyCharacter, maxLength: 255 }), (name) => {
      const [, plain = '', , extended] = form.exec(attachment(name)) ?? [];
      t.ok(plain !== '' || extended);
      const decoded = decodeURIComponent(extended ?? '');
      return !/^\.*$/.test(plain) && !/[/\\\p{Cc}]/u.test(`${plain}${decoded}`);
    }),
    { numRuns: 2_000 },
  );
});
