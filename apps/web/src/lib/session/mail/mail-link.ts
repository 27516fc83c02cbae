import { t } from '@/lib/i18n/messages.ts'

/** The paths of the pages to which mailed links lead. */
export const CHOOSE_PASSWORD_PATH = '/reset-password'
export const CONFIRM_EMAIL_PATH = '/verify-email'

/** The result of a link from an email. */
export type MailLink =
  /** The link opened a session, which the auth client continues. */
  | { kind: 'accepted' }
  /** The link contains a code, which the auth client must exchange for a session. */
  | { kind: 'code'; code: string }
  /** The link confirmed the address. The account waits for an administrator. */
  | { kind: 'waiting' }
  /** An administrator had already approved the account. */
  | { kind: 'ready' }
  /** The link was refused. `sentence` gives the reason. */
  | { kind: 'refused'; sentence: string }
  /** The URL contains a session that belongs neither to an email link nor to a visit of a provider. */
  | { kind: 'session' }
  /** The session in the address could not be used. `sentence` is the auth client's message, translated. */
  | { kind: 'session-refused'; sentence: string }
  /** The browser returns from a sign-in provider, which opened a session. */
  | { kind: 'provider' }
  /**
   * The browser returns from a sign-in provider, without a session. Both texts come from the URL, which
   * anybody can write.
   */
  | { kind: 'provider-refused'; code: string; description: string }

/** Returns whether the URL contains a session that the auth client must take. */
export const hasSessionInUrl = ({ kind }: MailLink): boolean =>
  kind === 'accepted' || kind === 'provider' || kind === 'session'

export interface Landing {
  /** Null if the URL has tokens that are not used. */
  link: MailLink | null
  /** The address to show instead: the same page without the link's values. */
  address: string
}

const VIEW_OF_TYPE = new Map([
  ['recovery', CHOOSE_PASSWORD_PATH],
  ['invite', CHOOSE_PASSWORD_PATH],
  ['magiclink', CHOOSE_PASSWORD_PATH],
  ['signup', CONFIRM_EMAIL_PATH],
  ['email', CONFIRM_EMAIL_PATH],
  ['email_change', CONFIRM_EMAIL_PATH],
])

const VIEWS: readonly string[] = [CHOOSE_PASSWORD_PATH, CONFIRM_EMAIL_PATH]

/**
 * The messages, in the auth service's words where it has some. Texts from the URL are never used, because
 * anybody can write a URL.
 */
const SENTENCES = new Map([
  ['otp_expired', t('Email link is invalid or has expired')],
  ['user_banned', t('This account has been deactivated.')],
  ['email_exists', t('Another account has this email address.')],
])
export const LINK_UNUSABLE = t('This link could not be used.')

/** The fields of the URL whose texts the auth client would show, although anybody can write them. */
const ERROR_FIELDS = ['error', 'error_code', 'error_description'] as const

const refused = (code: string | null): MailLink => ({
  kind: 'refused',
  sentence: SENTENCES.get(code ?? '') ?? LINK_UNUSABLE,
})

/** Returns path and query without an error. The auth service adds an error to the query as well as the fragment. */
function addressWithoutError(url: URL): string {
  const search = new URLSearchParams(url.search)
  for (const name of [...ERROR_FIELDS, 'sb']) search.delete(name)
  return url.pathname + (search.size > 0 ? `?${search}` : '')
}

/**
 * Parses the values that the auth service adds to the address after a sign-in at a provider; null if there
 * are none.
 */
function readProviderReturn(url: URL, fields: URLSearchParams): Landing | null {
  const code = fields.get('error_code')
  if (code === null && !fields.has('access_token')) return null
  const address = addressWithoutError(url)
  if (code === null) return { link: { kind: 'provider' }, address }
  return {
    link: { kind: 'provider-refused', code, description: fields.get('error_description') ?? '' },
    address,
  }
}

/**
 * Parses the values that the auth service adds to the address of an email link. Null if there are none.
 * `isExpected` is true if this browser was sent to a provider. A session that comes from neither is used only
 * if nobody is signed in. Otherwise a stranger's link could move the person to another account unnoticed.
 */
export function readMailLink(
  url: URL,
  { isExpected = false, isSignedIn = false }: { isExpected?: boolean; isSignedIn?: boolean } = {},
): Landing | null {
  const fields = new URLSearchParams(url.hash.slice(1))
  if (isExpected && !fields.has('type')) {
    const landing = readProviderReturn(url, fields)
    if (landing) return landing
  }
  const isView = VIEWS.includes(url.pathname)
  const view = isView ? url.pathname : CHOOSE_PASSWORD_PATH

  if (fields.has('access_token')) {
    const address = VIEW_OF_TYPE.get(fields.get('type') ?? '')
    if (address) return { link: { kind: 'accepted' }, address }
    // The auth client reads the query as well as the fragment.
    const hasError = ERROR_FIELDS.some((name) => fields.has(name) || url.searchParams.has(name))
    return {
      link: isSignedIn || hasError ? null : { kind: 'session' },
      address: hasError ? addressWithoutError(url) : url.pathname + url.search,
    }
  }
  if (fields.has('error_code')) return { link: refused(fields.get('error_code')), address: view }
  if (fields.has('message')) {
    const kind = fields.get('account') === 'ready' ? 'ready' : 'waiting'
    return { link: { kind }, address: CONFIRM_EMAIL_PATH }
  }
  // Other pages may use a parameter with this name.
  const code = isView ? url.searchParams.get('code') : null
  return code ? { link: { kind: 'code', code }, address: view } : null
}
