import { test } from 'tap';
import { filesIn, maxEntries } from '../../src/pages/folder-files.js';

type Entry = Parameters<typeof filesIn>[0][number];

function file(fullPath: string): Entry {
  const name = fullPath.split('/').at(-1) ?? '';
  const give = (resolve: (made: File) => void) => resolve(new File([], name));
  return { isFile: true, isDirectory: false, name, fullPath, file: give } as unknown as Entry;
}

/** A folder that its browser lists in these parts. */
function folder(fullPath: string, ...parts: readonly Entry[][]) {
  const counted = { listed: 0 };
  const createReader = () => {
    const rest = [...parts];
    return {
      readEntries(resolve: (part: Entry[]) => void) {
        counted.listed += 1;
        resolve(rest.shift() ?? []);
      },
    };
  };
  const entry = { isFile: false, isDirectory: true, name: fullPath, fullPath, createReader };
  return { entry: entry as unknown as Entry, counted };
}

const many = (count: number, make: (at: number) => Entry) =>
  Array.from({ length: count }, (_, at) => make(at));

test('files keep their order and their folders', async (t) => {
  const inner = folder('/a/b', [file('/a/b/2')]).entry;
  const outer = folder('/a', [file('/a/1'), inner], [file('/a/.DS_Store'), file('/a/3')]).entry;
  const { files, folderOf, isWhole, isTooLarge } = await filesIn([outer, file('/4')], 500);
  t.strictSame(
    files.map((each) => `${folderOf(each)}:${each.name}`),
    ['a:1', 'a/b:2', 'a:3', ':4'],
  );
  t.strictSame([isWhole, isTooLarge], [true, false]);
});

test('listing a very large folder ends, and says that it is too large', async (t) => {
  const parts = many(1_000, () => file('/a/x')).map((each) => Array(maxEntries / 10).fill(each));
  const { entry, counted } = folder('/a', ...parts);
  const { isTooLarge, isWhole } = await filesIn([entry], 501);
  t.strictSame([isTooLarge, isWhole], [true, true]);
  t.ok(counted.listed < 15, 'the rest is not listed');
  const huge = folder('/a', Array(500_000).fill(file('/a/x'))).entry;
  t.match(await filesIn([huge], 501), { isTooLarge: true, isWhole: true }, 'in one part');
});

test('folders without files count too', async (t) => {
  const empty = many(
    200,
    (at) =>
      folder(
        `/a/${at}`,
        many(200, () => folder('/x').entry),
      ).entry,
  );
  t.match(await filesIn([folder('/a', empty).entry], 501), { files: [], isTooLarge: true });
});

test('a folder that cannot be read leaves the others', async (t) => {
  const broken = {
    ...folder('/b').entry,
    createReader: () => ({
      readEntries: (_: unknown, reject: (error: Error) => void) => reject(new Error('denied')),
    }),
  } as unknown as Entry;
  const { files, isWhole } = await filesIn([broken, file('/c')], 500);
  t.strictSame([files.length, isWhole], [1, false]);
});
