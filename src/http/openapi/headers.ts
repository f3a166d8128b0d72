/** Headers of requests that routes look at, besides `Authorization`. */
export const requestHeaders = {
  Prefer: {
    description:
      '`respond-async` (RFC 7240): answer 202 at once and settle the proof in the background. Other ' +
      'preferences are ignored.',
    schema: { type: 'string' },
    example: 'respond-async',
  },
  'If-None-Match': {
    description: 'The `ETag` of what the caller has: 304 if it is still the same.',
    schema: { type: 'string' },
    example: '"568e8c8e97db57188016cda54e026726cf8ffeb18307184009d13c0d52de32f5"',
  },
} as const;

export type RequestHeader = keyof typeof requestHeaders;

/** Headers of answers; `required` ones are there whenever they are documented. */
export const responseHeaders = {
  'X-Request-Id': {
    description: 'The id of this call; quote it when reporting a fault.',
    required: true,
    schema: { type: 'string', pattern: '^[0-7][0-9A-HJKMNP-TV-Z]{25}$' },
    example: '01M7XT7V0YJ4K5M6N7P8Q9R0ST',
  },
  'RateLimit-Policy': {
    description:
      'The limits that apply (draft-ietf-httpapi-ratelimit-headers-11): `q` requests in `w` seconds. ' +
      '`minute` and `day` are those of the key, or of the address where there is none; ' +
      '`organisation-minute` and `organisation-day` those of all keys of its organisation together.',
    schema: { type: 'string' },
    example:
      '"minute";q=60;w=60, "day";q=10000;w=86400, ' +
      '"organisation-minute";q=600;w=60, "organisation-day";q=100000;w=86400',
  },
  RateLimit: {
    description:
      'The rest of each limit: `r` requests, and `t` seconds until all are available again. A call counts ' +
      'against all limits or none; some calls count as more than one request.',
    schema: { type: 'string' },
    example:
      '"minute";r=59;t=60, "day";r=9871;t=51830, ' +
      '"organisation-minute";r=412;t=17, "organisation-day";r=93120;t=51830',
  },
  'Retry-After': {
    description: 'After how many seconds a call is worth trying again.',
    required: true,
    schema: { type: 'string', pattern: '^[1-9][0-9]*$' },
    example: '17',
  },
  'WWW-Authenticate': {
    description: 'The scheme by which to authenticate.',
    required: true,
    schema: { type: 'string' },
    example: 'Bearer',
  },
  Allow: {
    description: 'The methods that the path has.',
    required: true,
    schema: { type: 'string' },
    example: 'GET, HEAD, OPTIONS',
  },
  Location: {
    description: 'Where to ask for what became of it.',
    required: true,
    schema: { type: 'string', format: 'uri-reference' },
    example: '/api/v1/proofs/01M7XT7V10RJ1CFD26ZBSKQXP6',
  },
  'Preference-Applied': {
    description: 'The preference that was followed.',
    required: true,
    schema: { type: 'string', const: 'respond-async' },
    example: 'respond-async',
  },
  'Cache-Control': {
    description: 'How long it may be kept.',
    required: true,
    schema: { type: 'string' },
    example: 'public, max-age=31536000, immutable',
  },
  ETag: {
    description: 'Stands for these very bytes; for `If-None-Match`.',
    required: true,
    schema: { type: 'string', pattern: '^"[^"]+"$' },
    example: '"568e8c8e97db57188016cda54e026726cf8ffeb18307184009d13c0d52de32f5"',
  },
  'Content-Disposition': {
    description: 'The name to save it under (RFC 6266), cleaned of what a path could mistake.',
    required: true,
    schema: { type: 'string', pattern: '^attachment; ' },
    example: 'attachment; filename="proofmark.txt"',
  },
} as const;

export type ResponseHeader = keyof typeof responseHeaders;

/** The headers of one response. */
export function headerRefs(names: readonly ResponseHeader[]): Readonly<Record<string, object>> {
  const refs = names.map((name) => [name, { $ref: `#/components/headers/${name}` }]);
  return Object.fromEntries(refs);
}
