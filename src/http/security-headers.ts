/**
 * What every answer tells browsers, unless its route says otherwise: a page names the
 * `Content-Security-Policy` that it needs, what may be kept its `Cache-Control`, in the headers of its
 * reply. `anyOrigin`: whether pages of others may read it. `https`: whether the service is reached so.
 */
export function securityHeaders(options: {
  readonly anyOrigin: boolean;
  readonly https: boolean;
}): Readonly<Record<string, string>> {
  const { anyOrigin, https } = options;
  return {
    'X-Content-Type-Options': 'nosniff',
    // An answer of the API is no page: opened as one, it loads and runs nothing, in nobody's frame.
    'Content-Security-Policy': "default-src 'none'; frame-ancestors 'none'",
    'Referrer-Policy': 'no-referrer',
    'Cross-Origin-Resource-Policy': anyOrigin ? 'cross-origin' : 'same-origin',
    'Cache-Control': 'no-store',
    ...(https && { 'Strict-Transport-Security': 'max-age=31536000' }),
  };
}
