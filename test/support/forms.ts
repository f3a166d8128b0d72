import { createHash, randomBytes } from 'node:crypto';

/** A part of a multipart form, as on the wire. */
export interface RawPart {
  /** Header lines, without the empty line after them. */
  readonly headers: readonly (string | Buffer)[];
  readonly bytes: string | Uint8Array;
}

const boundary = 'proofmark-test-boundary';

export const formType = { 'content-type': `multipart/form-data; boundary=${boundary}` };

/** A multipart body of exactly these parts; `end: false` omits its closing boundary. */
export function rawForm(parts: readonly RawPart[], { end = true } = {}): Buffer {
  const chunks = parts.flatMap(({ headers, bytes }) => [
    Buffer.from(`--${boundary}\r\n`),
    ...headers.flatMap((line) => [Buffer.from(line as string), Buffer.from('\r\n')]),
    Buffer.from('\r\n'),
    Buffer.from(bytes as string),
    Buffer.from('\r\n'),
  ]);
  if (end) chunks.push(Buffer.from(`--${boundary}--\r\n`));
  return Buffer.concat(chunks);
}

export function fieldPart(name: string, value: string | Uint8Array): RawPart {
  return { headers: [`Content-Disposition: form-data; name="${name}"`], bytes: value };
}

/** `disposition` follows `name`, such as `filename="…"`, and is sent byte for byte. */
export function filePart(
  disposition: string | Buffer,
  bytes: string | Uint8Array,
  name = 'file',
): RawPart {
  const start = Buffer.from(`Content-Disposition: form-data; name="${name}"; `);
  const line = Buffer.concat([start, Buffer.from(disposition as string)]);
  return { headers: [line, 'Content-Type: text/plain'], bytes };
}

/** A form as browsers and `fetch` send it. */
export function documentForm(
  fields: Readonly<Record<string, string>>,
  file?: { readonly name: string; readonly bytes: Uint8Array | string; readonly type?: string },
): FormData {
  const form = new FormData();
  for (const [name, value] of Object.entries(fields)) form.append(name, value);
  if (file) {
    const type = file.type === undefined ? {} : { type: file.type };
    form.append('file', new Blob([Buffer.from(file.bytes as string)], type), file.name);
  }
  return form;
}

/** Random text, so that no two files are equal. */
export function someText(lines = 3): Buffer {
  const all = Array.from({ length: lines }, () => `${randomBytes(24).toString('hex')}\n`);
  return Buffer.from(all.join(''));
}

export function sha256(bytes: Uint8Array): string {
  return createHash('sha256').update(bytes).digest('hex');
}
