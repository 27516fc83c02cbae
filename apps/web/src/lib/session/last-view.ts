import { whenIdle } from '../browser/when-idle.ts'
import { OFFLINE_LISTS_KEY, readFreshSession } from './stored-session.ts'
import { readClaims } from './access-token.ts'

// Stores the last views of a session as markup, one for each address and width of the window. At the next visit,
// `public/first-view.js` shows the view immediately, until the app has rendered the current state. The views belong to
// one session of one account, and are deleted with it.

/** The beginning of the localStorage keys of all views. The width and the address follow. */
const VIEW_KEY = 'pegasus-ops-last-view'
/** Matches the keys of all views. In a page of the shop, the storage also has the views of the demo. */
const ANY_VIEW = /^(?:demo\/)?pegasus-ops-last-view/
/** The dashboard and the lists that people open most, without filters. */
const KEPT_SEARCHES = [
  '',
  '?tab=dashboard',
  '?tab=stl-library',
  '?tab=inventory',
  '?tab=orders',
  '?tab=print-queue',
  '?tab=filament',
]
/** Limits the length of one stored view and of all of them, because localStorage holds only 5 MB. */
const LONGEST_VIEW = 600_000
const LONGEST_VIEWS = 1_200_000
/** Limits the number of views, because a window that is resized has a view for each of its widths. */
const MOST_VIEWS = 14
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

/** The first line of a stored view. The markup follows it. */
interface ViewHeader extends Owner {
  /** The language of the page, such as `de`. */
  language: string
  /** The script name, which identifies the build. The markup needs the styles of the same build. */
  scripts: string
  /** Unix time in milliseconds. */
  keptAt: number
}

let owner: Owner | null = null

/** Sets the owner of the data that the page shows from now on. */
export function setViewOwner(account: string, accessToken: string | null): void {
  const { sessionId } = accessToken ? readClaims(accessToken) : { sessionId: null }
  owner = sessionId ? { account, session: sessionId } : null
  if (!owner) forgetLastViews()
}

/**
 * Deletes all last views, also those of the demo, and the lists for the offline page. No view is kept until somebody
 * signs in again.
 */
export function forgetLastViews(): void {
  owner = null
  for (const key of storedKeys()) if (ANY_VIEW.test(key)) localStorage.removeItem(key)
  localStorage.removeItem(OFFLINE_LISTS_KEY)
}

/** Returns the keys of localStorage. In the demo, the storage is an object of `public/demo.js`, without own keys. */
const storedKeys = (): string[] =>
  Array.from({ length: localStorage.length }, (_, index) => localStorage.key(index) ?? '')

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
  const header: ViewHeader = {
    ...owner,
    language: document.documentElement.lang,
    scripts: scriptsName(),
    keptAt: Date.now(),
  }
  const text = `${JSON.stringify(header)}\n${markupOf(root)}`
  if (text.length > LONGEST_VIEW) return
  const key = `${VIEW_KEY} ${innerWidth} ${pathname}${search}`
  makeRoom(key, text.length)
  try {
    localStorage.setItem(key, text)
  } catch {
    // The storage is full or disabled, so the next visit starts without a view.
  }
}

/** Deletes the oldest views until a view of this length fits. The view with this key will be replaced. */
function makeRoom(key: string, length: number): void {
  const others = storedKeys()
    .filter((each) => each.startsWith(VIEW_KEY) && each !== key)
    .map((each) => {
      const text = localStorage.getItem(each) ?? ''
      return { key: each, length: text.length, keptAt: keptAtOf(text) }
    })
    .toSorted((a, b) => b.keptAt - a.keptAt)
  let total = length
  for (const [index, other] of others.entries()) {
    total += other.length
    if (index + 1 >= MOST_VIEWS || total > LONGEST_VIEWS) localStorage.removeItem(other.key)
  }
}

/** Returns the time at which a stored view was kept. Returns 0 if the text is not a view of this version. */
function keptAtOf(text: string): number {
  try {
    return (JSON.parse(text.slice(0, text.indexOf('\n'))) as ViewHeader).keptAt
  } catch {
    return 0
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
