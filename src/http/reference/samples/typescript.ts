import { indentBelow } from './indent-below.ts';
import type { SampleRequest } from './sample-request.ts';

/** The request as a TypeScript module for Node. The key is the environment variable `KEY`. */
export function typescriptSample(request: SampleRequest): string {
  const { form, answer } = request;
  const imports = [
    ...(form === undefined ? [] : ["import { openAsBlob } from 'node:fs';"]),
    ...(answer === 'file' ? ["import { writeFile } from 'node:fs/promises';"] : []),
  ];
  const blocks = [
    ...(imports.length > 0 ? [imports.join('\n')] : []),
    ...(form === undefined ? [] : [formIn(form)]),
    [callIn(request), ...outcomeIn(request)].join('\n'),
  ];
  return blocks.join('\n\n');
}

function formIn({ file, fields }: NonNullable<SampleRequest['form']>): string {
  const open = `await openAsBlob(${quote(file.name)}, { type: ${quote(file.type)} })`;
  return [
    'const form = new FormData();',
    `form.set('file', ${open}, ${quote(file.name)});`,
    ...Object.entries(fields).map(([name, value]) => `form.set(${quote(name)}, ${quote(value)});`),
  ].join('\n');
}

function callIn({ method, url, needsKey, json, form }: SampleRequest): string {
  const headers = [
    ...(needsKey ? [`Authorization: \`Bearer ${placeholder('process.env.KEY')}\`,`] : []),
    ...(json === undefined ? [] : ["'Content-Type': 'application/json',"]),
  ];
  const options = [
    ...(method === 'GET' ? [] : [`  method: ${quote(method)},`]),
    ...(headers.length > 0 ? [`  headers: { ${headers.join(' ').replace(/,$/, '')} },`] : []),
    ...(json === undefined ? [] : [`  body: JSON.stringify(${indentBelow(literal(json), 2)}),`]),
    ...(form === undefined ? [] : ['  body: form,']),
  ];
  if (options.length === 0) return `const response = await fetch(${quote(url)});`;
  return [`const response = await fetch(${quote(url)}, {`, ...options, '});'].join('\n');
}

function outcomeIn({ answer, saveAs }: SampleRequest): readonly string[] {
  const refused = `if (!response.ok) throw new Error(\`${placeholder('response.status')}: ${placeholder('await response.text()')}\`);`;
  const bytes = 'new Uint8Array(await response.arrayBuffer())';
  const use = {
    json: 'console.log(await response.json());',
    text: 'console.log(await response.text());',
    file: `await writeFile(${quote(saveAs)}, ${bytes});`,
  };
  return [refused, use[answer]];
}

/** A JSON value as JavaScript, indented by two spaces. */
function literal(value: unknown): string {
  return JSON.stringify(value, null, 2)
    .replace(/^(\s*)"([a-zA-Z_]\w*)":/gm, '$1$2:')
    .replace(/"([^"\\']*)"/g, "'$1'")
    .replace(/(?<=["'\]}\w])\n(?=\s*[\]}])/g, ',\n');
}

/** Placeholder of a template string. */
function placeholder(expression: string): string {
  return `$\{${expression}}`;
}

function quote(text: string): string {
  return `'${text.replace(/[\\']/g, '\\$&')}'`;
}
