import { indentBelow } from './indent-below.ts';
import type { SampleRequest } from './sample-request.ts';

/**
 * The request as a program for Python 3.8 and later, with the standard library alone. The key is
 * the environment variable `KEY`.
 */
export function pythonSample(request: SampleRequest): string {
  const { form, answer, json, needsKey } = request;
  const imports = [
    ...(json !== undefined || answer === 'json' ? ['import json'] : []),
    ...(needsKey ? ['import os'] : []),
    ...(form === undefined ? [] : ['import uuid']),
    ...(form !== undefined || answer === 'file' ? ['from pathlib import Path'] : []),
    'from urllib.error import HTTPError',
    'from urllib.request import Request, urlopen',
  ];
  const blocks = [
    imports.join('\n'),
    ...(form === undefined ? [] : [formIn(form)]),
    [callIn(request), ...outcomeIn(request)].join('\n'),
  ];
  return blocks.join('\n\n');
}

function formIn({ file, fields }: NonNullable<SampleRequest['form']>): string {
  const disposition = 'Content-Disposition: form-data; name=';
  const head = [
    "f'--{boundary}\\r\\n'",
    `'${disposition}"file"; filename="${file.name}"\\r\\n'`,
    `'Content-Type: ${file.type}\\r\\n\\r\\n'`,
  ];
  const parts = Object.keys(fields).length === 0 ? [] : fieldsIn(fields, disposition);
  return [
    'boundary = uuid.uuid4().hex',
    ...parts,
    'head = (',
    ...head.map((line) => `    ${line}`),
    ')',
    `body ${parts.length > 0 ? '+' : ''}= (`,
    '    head.encode()',
    `    + Path("${file.name}").read_bytes()`,
    '    + f"\\r\\n--{boundary}--\\r\\n".encode()',
    ')',
  ].join('\n');
}

function fieldsIn(fields: Readonly<Record<string, string>>, disposition: string): string[] {
  return [
    `fields = ${literal(fields)}`,
    'body = b"".join(',
    `    f'--{boundary}\\r\\n${disposition}"{name}"\\r\\n\\r\\n{value}\\r\\n'.encode()`,
    '    for name, value in fields.items()',
    ')',
  ];
}

function callIn({ method, url, needsKey, json, form }: SampleRequest): string {
  const headers = [
    ...(needsKey ? [`"Authorization": f"Bearer {os.environ['KEY']}"`] : []),
    ...(json === undefined ? [] : ['"Content-Type": "application/json"']),
    ...(form === undefined ? [] : ['"Content-Type": f"multipart/form-data; boundary={boundary}"']),
  ];
  const options = [
    ...(method === 'GET' ? [] : [`    method="${method}",`]),
    ...(headers.length > 0
      ? ['    headers={', ...headers.map((header) => `        ${header},`), '    },']
      : []),
    ...(json === undefined
      ? []
      : [`    data=json.dumps(${indentBelow(literal(json), 4)}).encode(),`]),
    ...(form === undefined ? [] : ['    data=body,']),
  ];
  if (options.length === 0) return `request = Request("${url}")`;
  return ['request = Request(', `    "${url}",`, ...options, ')'].join('\n');
}

function outcomeIn({ answer, saveAs }: SampleRequest): readonly string[] {
  const use = {
    json: 'print(json.load(response))',
    text: 'print(response.read().decode())',
    file: `Path("${saveAs}").write_bytes(response.read())`,
  };
  return [
    'try:',
    '    with urlopen(request) as response:',
    `        ${use[answer]}`,
    'except HTTPError as error:',
    '    raise SystemExit(f"{error.code}: {error.read().decode()}")',
  ];
}

const constants: Readonly<Record<string, string>> = { true: 'True', false: 'False', null: 'None' };

/** A JSON value as Python, indented by four spaces. */
function literal(value: unknown): string {
  return JSON.stringify(value, null, 4)
    .replace(/"(?:[^"\\]|\\.)*"|\b(?:true|false|null)\b/g, (found) => constants[found] ?? found)
    .replace(/(?<=["\]}\w])\n(?=\s*[\]}])/g, ',\n');
}
