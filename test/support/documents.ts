import { globSync, readFileSync } from 'node:fs';
import { join, sep } from 'node:path';
import { projectRoot } from './run.ts';

/** A fenced block of a document. */
export interface Block {
  /** File and line for messages, such as `docs/api.md:12`. */
  readonly place: string;
  readonly language: string;
  /** Text after the block's language, such as `POST /proofs 201`. */
  readonly info: string;
  readonly text: string;
}

export interface ProjectDocument {
  /** Path below the project's folder, with `/`. */
  readonly path: string;
  readonly text: string;
  readonly blocks: readonly Block[];
  /** Text outside of fenced blocks, including code spans. */
  readonly prose: string;
  /** Contents of the code spans in the prose, with line breaks as blanks. */
  readonly code: readonly string[];
  /** Targets of the links in the prose. */
  readonly links: readonly string[];
  /** Anchors of the headings, as Markdown viewers generate them. */
  readonly anchors: ReadonlySet<string>;
}

/** Files that the tour of the README leaves in the checkout of a reader. */
export const filesOfTour: readonly string[] = ['copy.md', 'certificate.pdf'];

const skipped = /^(node_modules|var|coverage|\.tap|\.git)\//;

/** All Markdown documents of the project. */
export function readDocuments(): readonly ProjectDocument[] {
  const found = globSync('**/*.md', {
    cwd: projectRoot,
    exclude: (name) => skipped.test(`${name}/`),
  });
  return found
    .map((path) => path.split(sep).join('/'))
    .filter((path) => !filesOfTour.includes(path))
    .sort()
    .map(readDocument);
}

/** All documents except those in folders of tests. */
export function readGuides(): readonly ProjectDocument[] {
  return readDocuments().filter(({ path }) => !path.startsWith('test/'));
}

export function readDocument(path: string): ProjectDocument {
  const text = readFileSync(join(projectRoot, path), 'utf8');
  const { blocks, prose } = takeBlocks(path, text);
  const spans = /(?<!`)`([^`]+)`(?!`)/g;
  const code = [...prose.matchAll(spans)].map(([, span = '']) => span.replaceAll(/\s+/g, ' '));
  const linked = prose.replaceAll(spans, '');
  const links = [...linked.matchAll(/\]\(([^)\s]+)\)/g)].map(([, target = '']) => target);
  return { path, text, blocks, prose, code, links, anchors: anchorsOf(prose) };
}

function takeBlocks(path: string, text: string): { blocks: Block[]; prose: string } {
  const blocks: Block[] = [];
  const fence = /^([ \t]*)```(\w*)[ \t]*(.*)\n([\s\S]*?)^\1```[ \t]*$/gm;
  const prose = text.replaceAll(fence, (whole, indent, language, info, content, at) => {
    const line = text.slice(0, at).split('\n').length;
    const plain = String(content).replaceAll(new RegExp(`^${indent}`, 'gm'), '');
    blocks.push({ place: `${path}:${line}`, language, info: info.trim(), text: plain });
    return whole.replaceAll(/[^\n]/g, '');
  });
  return { blocks, prose };
}

function anchorsOf(prose: string): ReadonlySet<string> {
  const anchors = new Set<string>();
  for (const [, heading = ''] of prose.matchAll(/^#+ (.+)$/gm)) {
    const name = heading
      .replaceAll(/\[([^\]]*)\]\([^)]*\)/g, '$1')
      .toLowerCase()
      .replaceAll(/[^\p{L}\p{N}_ -]/gu, '')
      .replaceAll(' ', '-');
    let anchor = name;
    for (let count = 1; anchors.has(anchor); count += 1) anchor = `${name}-${count}`;
    anchors.add(anchor);
  }
  return anchors;
}

/** Rows of the table whose header begins with these cells, as lists of cells. */
export function tableRows(
  { text }: Pick<ProjectDocument, 'text'>,
  ...head: readonly string[]
): readonly (readonly string[])[] {
  const lines = text.split('\n');
  const rows: (readonly string[])[] = [];
  for (const [at, line] of lines.entries()) {
    const cells = cellsOf(line);
    if (!head.every((cell, index) => cells[index] === cell)) continue;
    for (const row of lines.slice(at + 2)) {
      if (!row.trim().startsWith('|')) break;
      rows.push(cellsOf(row));
    }
  }
  return rows;
}

function cellsOf(line: string): string[] {
  const trimmed = line.trim();
  if (!trimmed.startsWith('|')) return [];
  return trimmed
    .slice(1, -1)
    .split('|')
    .map((cell) => cell.trim());
}
