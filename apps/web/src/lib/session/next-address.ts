const DEFAULT_ADDRESS = '/'

/** A placeholder. Any origin works, because only addresses that stay on it are accepted. */
const SOME_ORIGIN = 'http://pegasus.invalid'

/**
 * Returns the page to show after the sign-in, from the `next` parameter: a path on this origin, otherwise
 * `/`. Refuses everything that a browser could read as another host: `//evil`, `/\evil`, or a scheme, even in
 * disguise. Also refuses the sign-in screens, which would lead back to themselves.
 */
export function readNextAddress(next: string | null): string {
  if (!next || !isPlainPath(next)) return DEFAULT_ADDRESS
  const url = URL.parse(next, SOME_ORIGIN)
  if (!url || url.origin !== SOME_ORIGIN || !isPlainPath(url.pathname)) return DEFAULT_ADDRESS
  if (/^\/(login|legacy-login|reset-password|verify-email)\/?$/i.test(url.pathname)) return DEFAULT_ADDRESS
  return `${url.pathname}${url.search}${url.hash}`
}

/**
 * Returns whether a path begins with exactly one slash (%2f and %5c count too), and has no backslash and no
 * control character.
 */
function isPlainPath(path: string): boolean {
  // oxlint-disable-next-line no-control-regex -- browsers drop tabs and line ends, so that `/<tab>/evil` is `//evil`
  return /^\/(?![/\\]|%2f|%5c|%09|%0a|%0d)/i.test(path) && !/[\\\u0000-\u001f\u007f]/.test(path)
}

/**
 * Returns the sign-in address for a person who must sign in first. The sign-in then leads back to the
 * requested page.
 */
export function signInAddress(asked: { pathname: string; search: string; hash: string }): string {
  const next = `${asked.pathname}${asked.search}${asked.hash}`
  return next === DEFAULT_ADDRESS ? '/login' : `/login?next=${encodeURIComponent(next)}`
}
