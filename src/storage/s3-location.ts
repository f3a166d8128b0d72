/** Location of the blobs in an S3-compatible storage. */
export interface S3Location {
  readonly bucket: string;
  /** Prefix of every key; empty, or with a trailing slash. */
  readonly prefix: string;
  /** Null: Amazon's endpoint for the region. */
  readonly endpoint: string | null;
  /** Null: the region of the AWS environment. */
  readonly region: string | null;
  /** Absent: those of the AWS environment. */
  readonly credentials?: S3Credentials;
}

/** A key pair of the storage, wrapped so that it never appears in logs. */
export interface S3Credentials {
  reveal(): {
    readonly accessKeyId: string;
    readonly secretAccessKey: string;
    readonly sessionToken?: string;
  };
}

/**
 * Parses `s3://bucket/prefix?endpoint=…&region=…`. Throws an `Error` with a message of one line for
 * the operator.
 */
export function parseS3Url(text: string, credentials?: S3Credentials | null): S3Location {
  const url = new URL(text);
  const { hostname: bucket, searchParams } = url;
  if (!/^[a-z0-9][a-z0-9.-]{1,61}[a-z0-9]$/.test(bucket)) {
    throw mistake(`${bucket || 'nothing'} is no bucket name`);
  }
  for (const name of searchParams.keys()) {
    if (name !== 'endpoint' && name !== 'region') throw mistake(`${name} is none of its settings`);
  }
  const folder = decodeURIComponent(url.pathname).replace(/^\/+|\/+$/g, '');
  if (!/^[\w.!*'()/-]*$/.test(folder)) {
    throw mistake("its prefix may have letters, digits and / - _ . ! * ' ( ) alone");
  }
  return {
    bucket,
    prefix: folder === '' ? '' : `${folder}/`,
    endpoint: endpointOf(searchParams.get('endpoint')),
    region: searchParams.get('region') || null,
    ...(credentials && { credentials }),
  };
}

function endpointOf(text: string | null): string | null {
  if (text === null || text === '') return null;
  const url = URL.canParse(text) ? new URL(text) : null;
  if (url?.protocol === 'http:' || url?.protocol === 'https:') return text;
  throw mistake('its endpoint must be http://… or https://…');
}

function mistake(what: string): Error {
  return new Error(
    `STORAGE_URL: must be s3://bucket/prefix?endpoint=…&region=… with both settings optional: ${what}`,
  );
}
