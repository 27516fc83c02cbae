// Runs before the app. It sends the requests of the first view; src/lib/http/early-calls.ts hands their
// responses to the app. It shows the last view of this address, which src/lib/session/last-view.ts has
// stored. It loads the app with the scripts of the tab in the URL.
;(() => {
  /** The beginning of the keys of all stored views. */
  const VIEW_KEY = 'pegasus-ops-last-view'
  const session = readSession()
  startCalls(session)
  const markup = readLastView(session)
  const signIn = findSignIn()
  if (markup) {
    window.pegasusLastView = true
    showView((root) => {
      root.innerHTML = markup
    }, loadApp)
  } else if (signIn) {
    window.pegasusEarlySignIn = true
    showView((root) => root.append(copySignIn(signIn)), loadApp)
  } else loadApp()

  /**
   * Returns the session. Returns null if its token expires within two minutes, because the app must then
   * renew the token first.
   */
  function readSession() {
    try {
      // A session may not load anything before its second step or a required password change.
      if (!localStorage.getItem('pegasus-ops-entered')) return null
      const stored = JSON.parse(localStorage.getItem('pegasus-ops-auth'))
      return stored?.access_token && stored.expires_at * 1000 > Date.now() + 120_000 ? stored : null
    } catch {
      // The storage may be disabled, or contain something else.
      return null
    }
  }

  /**
   * Loads the scripts. The entry comes last: modules run in document order, and its imports are then already
   * loading.
   */
  function loadApp() {
    const list = document.getElementById('scripts')
    // The development server's page has no such list, and loads the app itself.
    if (!list) return
    const { entry, files, start, signIn, frame, tabs } = JSON.parse(list.textContent)
    const tab = new URLSearchParams(location.search).get('tab')
    const ofTab = Object.hasOwn(tabs, tab) ? tabs[tab] : tabs.dashboard
    const parts = session ? [...frame, ...ofTab] : isSignedOut() ? signIn : []
    // During an update, the page can be older than this script. It then loads the scripts of the start itself.
    for (const index of new Set([...(start ?? []), ...parts])) {
      const link = document.createElement('link')
      link.rel = 'modulepreload'
      link.crossOrigin = ''
      link.href = `/assets/${files[index]}.js`
      document.head.append(link)
    }
    const script = document.createElement('script')
    script.type = 'module'
    script.crossOrigin = ''
    script.src = entry
    document.head.append(script)
  }

  /** Returns whether the browser has no session, not even one with an expired token. */
  function isSignedOut() {
    try {
      return !localStorage.getItem('pegasus-ops-auth')
    } catch {
      return false
    }
  }

  function startCalls(session) {
    const calls = {}
    const begin = (path, token) => {
      const headers = { Accept: 'application/json', ...(token && { Authorization: `Bearer ${token}` }) }
      const answer = fetch(path, { headers })
      answer.catch(() => {})
      calls[path] = { token, answer, begunAt: Date.now() }
    }
    window.pegasusEarlyCalls = calls
    begin('/api/config', null)
    if (!session) return
    const token = session.access_token
    begin('/api/auth/me', token)
    // These lists are opened without filters: the URL has a tab and nothing else.
    const lists = {
      '': [],
      '?tab=dashboard': [],
      '?tab=stl-library': ['/api/stl-files?sort=newest&limit=60'],
      '?tab=inventory': ['/api/inventory?limit=100&sort=newest'],
    }
    const paths = location.pathname === '/' ? lists[location.search] : null
    if (paths) for (const path of [...paths, '/api/stats']) begin(path, token)
  }

  /**
   * Returns the markup that this session has stored for this address and width; null if there is none. Deletes all
   * views of other sessions, and those that are too old.
   */
  function readLastView(session) {
    try {
      const { sub, session_id: id } = session ? readClaims(session.access_token) : {}
      const here = `${VIEW_KEY} ${innerWidth} ${location.pathname}${location.search}`
      let markup = null
      for (const key of viewKeys()) {
        const text = localStorage.getItem(key)
        const end = text.indexOf('\n')
        const view = readHeader(text.slice(0, end))
        const isOwn = Boolean(id) && view?.account === sub && view.session === id
        if (!isOwn || Date.now() - view.keptAt > 12 * 3600_000) localStorage.removeItem(key)
        else if (
          key === here &&
          view.language === document.documentElement.lang &&
          view.scripts === scriptsName()
        )
          markup = text.slice(end + 1)
      }
      return markup
    } catch {
      return null
    }
  }

  /** Returns the keys of all stored views. Object.keys would not list those of the demo's storage. */
  function viewKeys() {
    const keys = Array.from({ length: localStorage.length }, (_, index) => localStorage.key(index))
    return keys.filter((key) => key?.startsWith(VIEW_KEY))
  }

  /** Returns the first line of a stored view as an object. Returns null for a view of an older version. */
  function readHeader(line) {
    try {
      return JSON.parse(line)
    } catch {
      return null
    }
  }

  /**
   * Returns the template of the sign-in screen that the app will show. Returns null if there is none, or if the screen
   * could have a message, because the address has values of a link.
   */
  function findSignIn() {
    const { lang, dataset } = document.documentElement
    if (!isSignedOut() || lang !== 'en' || dataset.demo !== undefined || location.hash) return null
    if ([...new URLSearchParams(location.search).keys()].some((key) => !['next', 'tab'].includes(key)))
      return null
    // The start page of somebody who is not signed in is the sign-in by email.
    const path = location.pathname === '/' ? '/login' : location.pathname
    return document.querySelector(`template[data-view="${CSS.escape(path)}"]`)
  }

  /**
   * Returns the sign-in screen of a template. In a wide window, the picture is beside the form. Both screens have the
   * same picture, so it has a template of its own.
   */
  function copySignIn(template) {
    const copy = template.content.cloneNode(true)
    const picture = document.querySelector('template[data-view=picture]')
    if (picture && matchMedia('(width >= 64rem)').matches)
      copy.firstElementChild.prepend(picture.content.cloneNode(true))
    return copy
  }

  /**
   * Fills the page when the parser has reached `#root`. Calls `onPainted` once the view is visible, because loading the
   * app takes a while.
   */
  function showView(fill, onPainted) {
    new MutationObserver((_, observer) => {
      const root = document.getElementById('root')
      if (!root) return
      observer.disconnect()
      // The view is inert. The app will replace it, and clicks before that would be lost.
      root.inert = true
      root.ariaBusy = 'true'
      root.ariaDisabled = 'true'
      fill(root)
      // The content security policy forbids style attributes in markup, but not styles that a script sets.
      for (const element of root.querySelectorAll('[data-style]')) {
        element.style.cssText = element.dataset.style
        delete element.dataset.style
      }
      // A hidden page is not painted.
      if (document.hidden) onPainted()
      else requestAnimationFrame(() => setTimeout(() => onPainted()))
    }).observe(document, { childList: true, subtree: true })
  }

  function readClaims(token) {
    return JSON.parse(atob(token.split('.')[1].replaceAll('-', '+').replaceAll('_', '/')))
  }

  /** Returns the script name, which identifies the build. Markup from another build may need other styles. */
  function scriptsName() {
    return document.getElementById('scripts')?.textContent.match(/assets\/[^"]*/)?.[0] ?? ''
  }
})()
