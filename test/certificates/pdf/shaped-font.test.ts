import { test } from 'tap';
import { type FontName, shapedFont } from '../../../src/certificates/pdf/shaped-font.ts';

const every = Array.from({ length: 0x11000 }, (_, code) => code).filter(
  (code) => code < 0xd800 || code > 0xdfff,
);
const isMark = (code: number) => /\p{M}/u.test(String.fromCodePoint(code));

/** Fonts with many marks. They have no place for some marks on some letters. */
const marked: readonly FontName[] = ['sans', 'mono', 'arabic', 'hebrew'];

for (const name of marked) {
  test(`any mark can be placed on any letter in the font ${name}`, async (t) => {
    const font = shapedFont(name);
    const known = every.filter((code) => font.has(code));
    const letters = known.filter((code) => !isMark(code));
    const some = letters.filter((_, index) => index % Math.ceil(letters.length / 40) === 0);
    const marks = known.filter(isMark);
    for (const mark of marks) {
      for (const letter of some) {
        const text = String.fromCodePoint(letter, mark);
        if (!Number.isFinite(font.widthOf(text, 'ltr'))) t.fail(`no width: ${letter} ${mark}`);
      }
    }
    t.ok(marks.length > 10 && some.length > 20);
  });
}
