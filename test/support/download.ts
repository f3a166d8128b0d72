/** An answer with its body as bytes. */
export interface Download {
  readonly status: number;
  readonly headers: Headers;
  readonly bytes: Buffer;
  /** Code of an error body; null for any other. */
  readonly code: string | null;
}

/** Fetches a body that is not JSON, with the key in the Authorization header. */
export async function download(
  url: string,
  key: string | null,
  { method = 'GET', headers = {} }: Pick<RequestInit, 'method'> & { headers?: object } = {},
): Promise<Download> {
  const authorization = key === null ? {} : { authorization: `Bearer ${key}` };
  const response = await fetch(url, { method, headers: { ...authorization, ...headers } });
  const bytes = Buffer.from(await response.arrayBuffer());
  const code = response.ok || bytes.length === 0 ? null : JSON.parse(bytes.toString()).code;
  return { status: response.status, headers: response.headers, bytes, code };
}
