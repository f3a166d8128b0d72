/**
 * Headers for browsers in every answer, which a route may override. A page sets its own
 * `Content-Security-Policy`, and a cacheable answer its `Cache-Control`. `anyOrigin`: pages of any
 * origin may read the answer. `https`: the service is reached by HTTPS only.
 */
export function securityHeaders(options: {
  readonly anyOrigin: boolean;
  readonly https: boolean;
}): Readonly<Record<string, string>> {
  const { anyOrigin, https } = options;
  return {
    'X-Content-Type-Options': 'nosniff',
    // An API answer is no page. Opened as a page, it loads and runs nothing, and cannot be framed.
    'Content-Security-Policy': "default-src 'none'; frame-ancestors 'none'",
    'Referrer-Policy': 'no-referrer',
    'Cross-Origin-Resource-Policy': anyOrigin ? 'cross-origin' : 'same-origin',
    'Cache-Control': 'no-store',
    ...(https && { 'Strict-Transport-Security': 'max-age=31536000' }),
  };
}
