/** Where the links of mails lead, each to the view that goes on from there. */
export const CHOOSE_PASSWORD_PATH = '/reset-password'
export const CONFIRM_EMAIL_PATH = '/verify-email'

/** What came of the link of a mail. */
export type MailLink =
  /** It opened a session; the auth client is taking it over, or has. */
  | { kind: 'accepted' }
  /** It brought a code, which the auth client still has to exchange for a session. */
  | { kind: 'code'; code: string }
  /** It proved the address; the account waits for an administrator. */
  | { kind: 'waiting' }
  /** There was nothing left to prove: an administrator has made the account ready. */
  | { kind: 'ready' }
  /** It did nothing, and why. */
  | { kind: 'refused'; sentence: string }

export interface Landing {
  /** Null where somebody put tokens into an address of which no mail of ours knows. */
  link: MailLink | null
  /** What is to stand in the address bar instead: the view, and nothing of the link. */
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

/** In the auth provider's words where it has some. Never the address's own: anybody can write an address. */
const SENTENCES = new Map([
  ['otp_expired', 'Email link is invalid or has expired'],
  ['user_banned', 'This account has been deactivated.'],
  ['email_exists', 'Another account has this email address.'],
])
export const LINK_UNUSABLE = 'This link could not be used.'

const refused = (code: string | null): MailLink => ({
  kind: 'refused',
  sentence: SENTENCES.get(code ?? '') ?? LINK_UNUSABLE,
})

/** Reads what the auth service has put into the address to which the link of a mail led; null if nothing. */
export function readMailLink(url: URL): Landing | null {
  const fields = new URLSearchParams(url.hash.slice(1))
  const isView = VIEWS.includes(url.pathname)
  const view = isView ? url.pathname : CHOOSE_PASSWORD_PATH

  if (fields.has('access_token')) {
    const address = VIEW_OF_TYPE.get(fields.get('type') ?? '')
    return address ? { link: { kind: 'accepted' }, address } : { link: null, address: url.pathname }
  }
  if (fields.has('error_code')) return { link: refused(fields.get('error_code')), address: view }
  if (fields.has('message')) {
    const kind = fields.get('account') === 'ready' ? 'ready' : 'waiting'
    return { link: { kind }, address: CONFIRM_EMAIL_PATH }
  }
  // Other pages may have a parameter of that name for themselves.
  const code = isView ? url.searchParams.get('code') : null
  return code ? { link: { kind: 'code', code }, address: view } : null
}
