/** Request headers that routes read, besides `Authorization`. */
export const requestHeaders = {
  Prefer: {
    description:
      '`respond-async` (RFC 7240): answer 202 at once and settle the proof in the background. Other ' +
      'preferences are ignored.',
    schema: { type: 'string' },
    example: 'respond-async',
  },
  'If-None-Match': {
    description: 'The `ETag` of your copy; the answer is 304 if the copy is still current.',
    schema: { type: 'string' },
    example: '"568e8c8e97db57188016cda54e026726cf8ffeb18307184009d13c0d52de32f5"',
  },
  'Accept-Encoding': {
    description: 'The codings that you can read. The answer is compressed with `br` or `gzip`.',
    schema: { type: 'string' },
    example: 'gzip',
  },
} as const;

export type RequestHeader = keyof typeof requestHeaders;

/** Response headers. `required` ones are present wherever they are documented. */
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
      '`minute` and `day` are the limits of the key, or of the client address for a call without a ' +
      'key; `organisation-minute` and `organisation-day` are the limits of all keys of the ' +
      'organisation together. For batches `items` and `organisation-items` are the limits of the items ' +
      'that the key and the organisation send in a day.',
    schema: { type: 'string' },
    example:
      '"minute";q=60;w=60, "day";q=10000;w=86400, ' +
      '"organisation-minute";q=600;w=60, "organisation-day";q=100000;w=86400',
  },
  RateLimit: {
    description:
      'The requests left of each limit: `r` requests, and `t` seconds until the full limit is ' +
      'available again. A call counts against all limits or none; some calls count as more than one ' +
      'request. `items` and `organisation-items` are the items left for batches.',
    schema: { type: 'string' },
    example:
      '"minute";r=59;t=60, "day";r=9871;t=51830, ' +
      '"organisation-minute";r=412;t=17, "organisation-day";r=93120;t=51830',
  },
  'Retry-After': {
    description: 'The number of seconds to wait before trying again.',
    required: true,
    schema: { type: 'string', pattern: '^[1-9][0-9]*$' },
    example: '17',
  },
  'WWW-Authenticate': {
    description: 'The authentication scheme.',
    required: true,
    schema: { type: 'string' },
    example: 'Bearer',
  },
  Allow: {
    description: 'The methods that the path supports.',
    required: true,
    schema: { type: 'string' },
    example: 'GET, HEAD, OPTIONS',
  },
  Location: {
    description: 'The address of the proof or document, to ask for its status.',
    required: true,
    schema: { type: 'string', format: 'uri-reference' },
    example: '/api/v1/proofs/01M7XT7V10RJ1CFD26ZBSKQXP6',
  },
  'Preference-Applied': {
    description: 'The preference that was applied.',
    required: true,
    schema: { type: 'string', const: 'respond-async' },
    example: 'respond-async',
  },
  'Cache-Control': {
    description: 'How long the answer may be cached.',
    required: true,
    schema: { type: 'string' },
    example: 'public, max-age=31536000, immutable',
  },
  ETag: {
    description: 'Identifies exactly these bytes; send it in `If-None-Match`.',
    required: true,
    schema: { type: 'string', pattern: '^"[^"]+"$' },
    example: '"568e8c8e97db57188016cda54e026726cf8ffeb18307184009d13c0d52de32f5"',
  },
  Link: {
    description:
      'Addresses of the certificates before and after this one (RFC 8288): `predecessor-version` and ' +
      '`successor-version`; absent if there is only one certificate.',
    schema: { type: 'string' },
    example: '</api/v1/certificates/01M7XT7V10RJ1CFD26ZBSKQXP6?number=2>; rel="successor-version"',
  },
  'Content-Encoding': {
    description: 'The coding of the body; absent if the body is not compressed.',
    schema: { type: 'string', enum: ['br', 'gzip'] },
    example: 'gzip',
  },
  'Content-Disposition': {
    description:
      'The name to save the file under (RFC 6266), without characters that are unsafe in a path.',
    required: true,
    schema: { type: 'string', pattern: '^attachment; ' },
    example: 'attachment; filename="proofmark.txt"',
  },
} as const;

export type ResponseHeader = keyof typeof responseHeaders;

/** References to the headers of one response. */
export function headerRefs(names: readonly ResponseHeader[]): Readonly<Record<string, object>> {
  const refs = names.map((name) => [name, { $ref: `#/components/headers/${name}` }]);
  return Object.fromEntries(refs);
}
