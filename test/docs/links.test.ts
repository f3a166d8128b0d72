import { existsSync, globSync, readFileSync } from 'node:fs';
import { dirname, join, posix } from 'node:path';
import { test } from 'tap';
import { readDocument, readDocuments, readGuides, tableRows } from '../support/documents.ts';
import { projectRoot } from '../support/run.ts';

const documents = readDocuments();
const anchors = new Map(documents.map(({ path, anchors: names }) => [path, names]));

/** Path and anchor from the project's folder, or null for an external address. */
function resolveLink(from: string, target: string): { path: string; anchor?: string } | null {
  if (/^https?:/.test(target)) return null;
  const [path = '', anchor] = target.split('#');
  const resolved = path === '' ? from : posix.normalize(posix.join(dirname(from), path));
  return anchor === undefined ? { path: resolved } : { path: resolved, anchor };
}

test('every link in a document leads to an existing file and heading', async (t) => {
  let count = 0;
  for (const { path, links } of documents) {
    for (const target of links) {
      const link = resolveLink(path, target);
      if (link === null) continue;
      count += 1;
      t.ok(existsSync(join(projectRoot, link.path)), `${path}: ${target} is there`);
      if (link.anchor === undefined) continue;
      t.ok(anchors.get(link.path)?.has(link.anchor), `${path}: ${target} has the heading`);
    }
  }
  t.ok(count > 100);
});

test('every document is reachable from the README by links', async (t) => {
  const byPath = new Map(documents.map((document) => [document.path, document]));
  const reached = new Set(['README.md']);
  for (const path of reached) {
    for (const target of byPath.get(path)?.links ?? []) {
      const link = resolveLink(path, target);
      if (link !== null && byPath.has(link.path)) reached.add(link.path);
    }
  }
  const lost = readGuides().filter(({ path }) => !reached.has(path));
  t.strictSame(
    lost.map(({ path }) => path),
    [],
  );
});

test('documents and headings mentioned in code, deployment and alerts exist', async (t) => {
  const files = globSync(
    '{src,ops,test,projections,migrations}/**/*.{ts,js,yml,yaml,json,sql,env,service}',
    {
      cwd: projectRoot,
      exclude: (name) => name.includes('samples'),
    },
  );
  let count = 0;
  for (const file of files) {
    const text = readFileSync(join(projectRoot, file), 'utf8');
    for (const [, path = '', anchor] of text.matchAll(
      /\b((?:docs|ops)\/[\w/-]+\.md)(?:#([a-z0-9-]+))?/g,
    )) {
      count += 1;
      t.ok(anchors.has(path), `${file}: ${path} is there`);
      if (anchor !== undefined) t.ok(anchors.get(path)?.has(anchor), `${file}: ${path}#${anchor}`);
    }
  }
  t.ok(count > 20);
});

test('the index of decisions lists each record under its number', async (t) => {
  const index = readDocument('docs/decisions/README.md');
  const records = globSync('docs/decisions/0*.md', { cwd: projectRoot }).sort();
  const rows = tableRows(index, '', 'question', 'answer');
  const listed = rows.map(([link = '', question = '', answer = '']) => {
    t.match(question, /\?$/);
    t.match(answer, /\.$/);
    const [, number, file = ''] = /^\[(\d{4})\]\((.+)\)$/.exec(link) ?? [];
    t.ok(file.startsWith(`${number}-`), link);
    return `docs/decisions/${file}`;
  });
  t.strictSame(listed, records);
  for (const path of records) {
    const number = path.slice('docs/decisions/'.length).slice(0, 4);
    t.ok(readDocument(path).text.startsWith(`# ${number} `), path);
  }
});

test('the README has at most 1,800 words', async (t) => {
  const words = readDocument('README.md')
    .text.split(/\s+/)
    .filter((word) => word !== '');
  t.ok(words.length <= 1_800, `${words.length}`);
});
