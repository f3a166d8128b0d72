import { test } from 'tap';
import { joinDocumentService } from '../../support/document-service.ts';
import { fieldPart, filePart, formType, rawForm, someText } from '../../support/forms.ts';

test('any file name is stored as sent, and appears in no path and no log', async (t) => {
  const { service, key, workspace, get, files } = await joinDocumentService();
  // [name in the form, stored name]
  const rows: [string | Buffer, string][] = [
    ['filename="Größe 東京 😀.txt"', 'Größe 東京 😀.txt'],
    ["filename*=UTF-8''Gr%C3%B6%C3%9Fe%20%F0%9F%98%80.txt", 'Größe 😀.txt'],
    ["filename*=iso-8859-1'de'Gr%F6%DFe.txt", 'Größe.txt'],
    [`filename="other.txt"; filename*=UTF-8''Gr%C3%B6%C3%9Fe.txt`, 'Größe.txt'],
    [`filename="${'é'.repeat(255)}"`, 'é'.repeat(255)],
    [`filename="${'😀'.repeat(255)}"`, '😀'.repeat(255)],
    ['filename="../../../../tmp/proofmark-escaped.txt"', '../../../../tmp/proofmark-escaped.txt'],
    ['filename="/etc/passwd"', '/etc/passwd'],
    ['filename="C:\\\\Users\\\\a.txt"', 'C:\\Users\\a.txt'],
    ['filename="..."', '...'],
    ['filename=" "', ' '],
    ['filename=".staging"', '.staging'],
    ['filename="a%0d%0aSet-Cookie: x=y.txt"', 'a\r\nSet-Cookie: x=y.txt'],
    [`filename*=UTF-8''a%0D%0ASet-Cookie%3A%20x%3Dy.txt`, 'a\r\nSet-Cookie: x=y.txt'],
    [`filename*=UTF-8''%1B%5B2J%7F%C2%85.txt`, '\u001b[2J\u007f\u0085.txt'],
    [`filename*=UTF-8''gnp%E2%80%AEfdp.txt`, 'gnp\u202efdp.txt'],
    ['filename="a %22b%22.txt"', 'a "b".txt'],
    ['filename="a \\"b\\".txt"', 'a "b".txt'],
    ['filename="100%.txt"', '100%.txt'],
    [`filename="'; DROP TABLE events; --.txt"`, `'; DROP TABLE events; --.txt`],
    ['filename="<script>alert(1)</script>.txt"', '<script>alert(1)</script>.txt'],
    ['filename="__proto__"', '__proto__'],
    ['filename=unquoted.txt', 'unquoted.txt'],
  ];
  const logged = service.log.length;
  for (const [disposition, name] of rows) {
    const bytes = someText();
    const body = rawForm([fieldPart('workspace', workspace), filePart(disposition, bytes)]);
    const answer = await service.call('POST', '/documents', { key, body, headers: formType });
    t.match(answer, { status: 201, body: { data: { fileName: name } } }, name);
    const { documentId } = answer.body.data;
    t.equal((await get(`/documents/${documentId}`)).body.data.fileName, name);
    const file = await get(`/documents/${documentId}/file`);
    t.equal(file.text, bytes.toString());
    const disposed = file.headers.get('content-disposition') ?? '';
    t.match(disposed, /^attachment; filename="[ -~]+"/);
    const decoded = decodeURIComponent(/UTF-8''(.*)$/.exec(disposed)?.[1] ?? '');
    // biome-ignore lint/suspicious/noControlCharactersInRegex: the point is that there are none
    t.notMatch(`${disposed}${decoded}`, /[/\\\u0000-\u001f\u007f-\u009f\u202e]/);
    t.equal(file.headers.get('set-cookie'), null);
  }
  const { kept, staged } = await files();
  t.equal(kept.length, rows.length);
  t.strictSame(staged, []);
  for (const path of kept) t.match(path, /^[0-9A-Z]{26}\/[0-9A-Z]{26}\.enc$/);
  const lines = service.log.slice(logged).join('\n');
  t.notMatch(lines, /escaped|passwd|Cookie|Users/);
});

test('names that differ only in Unicode normalisation stay two names', async (t) => {
  const { upload, get } = await joinDocumentService();
  for (const name of ['\u00e9.txt', 'e\u0301.txt']) {
    const { documentId } = (await upload({ name })).body.data;
    t.equal((await get(`/documents/${documentId}`)).body.data.fileName, name);
  }
});
