import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'tap';
import { installClient } from '../../support/packed-client.ts';
import { projectRoot, run } from '../../support/run.ts';

/**
 * Prints the ids of vectors with another result, and the number of all. Gives ten hashes of proven files in upper
 * case, too, and malformed.
 */
const program = `import { readFileSync } from 'node:fs';
import { gunzipSync } from 'node:zlib';
import { verify } from '@proofmark/client/verify';

async function judge({ bundle, bundleBase64, certificateBase64, options }) {
  const encoded = bundleBase64 ?? certificateBase64;
  const evidence = encoded === undefined ? new TextEncoder().encode(bundle) : Buffer.from(encoded, 'base64');
  const kind = certificateBase64 === undefined ? 'bundle' : 'certificate';
  const { fileHash, ...known } = options;
  const file = fileHash === undefined ? null : { hash: fileHash };
  try {
    const { result, proven, checks } = await verify(file, evidence, { ...known, kind });
    if (proven !== (result === 'proven')) throw new Error('two verdicts');
    return { result, checks: Object.fromEntries(checks.map(({ name, outcome }) => [name, outcome])) };
  } catch ({ code, message }) {
    if (code === 'INVALID_OPTION') return { result: 'refused', kind: 'options' };
    if (code === 'EVIDENCE_NOT_USABLE') return { result: 'refused', kind };
    return { result: message };
  }
}

const lines = gunzipSync(readFileSync(process.env.VECTORS)).toString().trim().split('\\n');
const [wrong, upper, malformed] = [[], [], []];
for (const line of lines) {
  const { id, expect, ...vector } = JSON.parse(line);
  const text = JSON.stringify(expect);
  if (JSON.stringify(await judge(vector)) !== text) wrong.push(id);
  if (expect.result !== 'proven' || upper.length === 10) continue;
  const { fileHash } = vector.options;
  const judged = (hash) => judge({ ...vector, options: { ...vector.options, fileHash: hash } });
  upper.push(JSON.stringify(await judged(fileHash.toUpperCase())) === text);
  for (const odd of [fileHash.slice(1), 'G' + fileHash.slice(1), fileHash + '\\n', '']) {
    malformed.push((await judged(odd)).kind);
  }
}
console.log(JSON.stringify({ count: lines.length, wrong, upper, malformed }));
`;

test('the TypeScript client gives the verdict of every conformance vector', async (t) => {
  const cwd = await installClient(t);
  await writeFile(join(cwd, 'vectors.mjs'), program);
  const env = { VECTORS: join(projectRoot, 'docs/vectors/vectors.ndjson.gz') };
  const { code, stdout, stderr } = await run(t, [process.execPath, 'vectors.mjs'], { cwd, env })
    .ended;
  t.equal(code, 0, stderr);
  const { count, wrong, upper, malformed } = JSON.parse(stdout);
  t.strictSame(wrong, []);
  t.strictSame([...new Set(upper)], [true], 'a hash in upper case has the same verdict');
  t.strictSame([...new Set(malformed)], ['options'], 'a text that is no SHA-256 is refused');
  t.ok(count >= 300, `${count} vectors`);
});

test('the published verifier names the licence of each package that is built in', async (t) => {
  const cwd = await installClient(t);
  const dist = join(cwd, 'node_modules/@proofmark/client/dist');
  const licences = await readFile(join(dist, 'LICENSES.txt'), 'utf8');
  for (const name of ['ripple-binary-codec', '@noble/curves', 'pkijs', 'ws', 'commander']) {
    t.match(licences, new RegExp(`^${name} \\d`, 'm'));
  }
  const portable = await readFile(join(dist, 'verify/verifier.js'), 'utf8');
  t.notMatch(portable, /from ?["']node:|require\(["']/);
});
