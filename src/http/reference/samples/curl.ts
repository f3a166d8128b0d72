import type { SampleRequest } from './sample-request.ts';

/** The request as a command for a POSIX shell. The key is the variable `KEY`. */
export function curlSample(request: SampleRequest): string {
  const { method, url, needsKey, json, form } = request;
  const hasBody = json !== undefined || form !== undefined;
  const lines = [
    'curl -sS --fail-with-body',
    quote(url),
    ...(method !== (hasBody ? 'POST' : 'GET') ? [`-X ${method}`] : []),
    ...(needsKey ? ['-H "Authorization: Bearer $KEY"'] : []),
    ...(json === undefined
      ? []
      : ["-H 'Content-Type: application/json'", `-d ${quote(JSON.stringify(json, null, 2))}`]),
    ...(form === undefined
      ? []
      : [
          `-F ${quote(`file=@${form.file.name};type=${form.file.type}`)}`,
          ...Object.entries(form.fields).map(
            ([name, value]) => `--form-string ${quote(`${name}=${value}`)}`,
          ),
        ]),
    ...(request.answer === 'file' ? [`-o ${request.saveAs}`] : []),
  ];
  return lines.join(' \\\n  ');
}

function quote(text: string): string {
  return `'${text.replaceAll("'", "'\\''")}'`;
}
