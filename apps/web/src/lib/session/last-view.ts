import { whenIdle } from '../browser/when-idle.ts'
import { OFFLINE_LISTS_KEY, readFreshSession } from './stored-session.ts'
import { readClaims } from './access-token.ts'

// Stores the last view of a session as markup. At the next visit, `public/first-view.js` shows it
// immediately, until the app has rendered the current state. The view belongs to one session of one account,
// and is deleted with it.

const VIEW_KEY = 'pegasus-ops-last-view'
/** The two longest lists, without filters. */
const KEPT_SEARCHES = ['?tab=stl-library', '?tab=inventory']
/** Limits the length of the stored text, because localStorage holds only 5 MB. */
const LONGEST_VIEW = 600_000
/**
 * Matches dialogs, menus, errors and loading states. A view that contains one is not stored, because its markup would
 * make no sense without the script.
 */
const UNFINISHED =
  '[role=dialog], [role=alertdialog], [role=menu], [role=alert], [aria-busy=true], [data-state=open]'
/** Matches the rows of a list (`components/virtual-rows.tsx`). */
const ROW = '[data-index]'
/** Matches elements that are not part of the page: uploads in the dock, menus, scripts and styles. */
const LEFT_OUT = '[data-dock] > *, [data-radix-popper-content-wrapper], script, style'

/** The account and session whose page is on the screen. */
interface Owner {
  account: string
  session: string
}

interface LastView extends Owner {
  /** Path and query of the page. */
  address: string
  /** The window width in pixels that the rows are laid out for. */
  width: number
  /** The language of the page, such as `de`. */
  language: string
  /** The script name, which identifies the build. The markup needs the styles of the same build. */
  scripts: string
  /** Unix time in milliseconds. */
  keptAt: number
  html: string
}

let owner: Owner | null = null

/** Sets the owner of the data that the page shows from now on. */
export function setViewOwner(account: string, accessToken: string | null): void {
  const { sessionId } = accessToken ? readClaims(accessToken) : { sessionId: null }
  owner = sessionId ? { account, session: sessionId } : null
  if (!owner) forgetLastView()
}

/** Deletes the last view and the lists for the offline page. No view is kept until somebody signs in again. */
export function forgetLastView(): void {
  owner = null
  localStorage.removeItem(VIEW_KEY)
  localStorage.removeItem(OFFLINE_LISTS_KEY)
}

/**
 * Saves the view in `root` right after rendering, again one second after the browser becomes idle, and whenever the
 * page is hidden or left.
 */
export function followLastView(root: HTMLElement): void {
  const keep = () => keepView(root)
  setTimeout(keep)
  whenIdle(() => setTimeout(keep, 1000))
  document.addEventListener('visibilitychange', () => document.hidden && keep())
  addEventListener('pagehide', keep)
}

function keepView(root: HTMLElement): void {
  const { pathname, search } = location
  if (!owner || !isStillSignedIn(owner)) return
  if (pathname !== '/' || !KEPT_SEARCHES.includes(search) || scrollY > 0) return
  if (root.inert || document.querySelector(UNFINISHED) || !root.querySelector('main')) return
  const view: LastView = {
    ...owner,
    address: pathname + search,
    width: innerWidth,
    language: document.documentElement.lang,
    scripts: scriptsName(),
    keptAt: Date.now(),
    html: markupOf(root),
  }
  const text = JSON.stringify(view)
  if (text.length > LONGEST_VIEW) return
  try {
    localStorage.setItem(VIEW_KEY, text)
  } catch {
    // The storage is full or disabled, so the next visit starts without a view.
  }
}

/** Returns whether the owner is still signed in. Another tab may have signed out, or signed in another account. */
function isStillSignedIn({ account, session }: Owner): boolean {
  const stored = readFreshSession()
  return stored?.user.id === account && readClaims(stored.access_token).sessionId === session
}

/**
 * Returns the page's markup. Rows below the window are left out, because their layout would delay the visible rows.
 * Style attributes become data attributes, because the content security policy forbids inline styles in markup.
 */
function markupOf(root: HTMLElement): string {
  const copy = root.cloneNode(true) as HTMLElement
  const copiedRows = copy.querySelectorAll(ROW)
  for (const [index, row] of root.querySelectorAll(ROW).entries())
    if (row.getBoundingClientRect().top > innerHeight) copiedRows[index]?.remove()
  for (const element of copy.querySelectorAll(LEFT_OUT)) element.remove()
  for (const element of copy.querySelectorAll<HTMLElement>('[style]')) {
    element.dataset['style'] = element.style.cssText
    element.removeAttribute('style')
  }
  return copy.innerHTML
}

const scriptsName = (): string =>
  document.getElementById('scripts')?.textContent.match(/assets\/[^"]*/)?.[0] ?? ''
