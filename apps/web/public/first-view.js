// Runs before the app: starts the calls of the first view (src/lib/http/early-calls.ts takes their answers), shows the view that this
// session left here (src/lib/session/last-view.ts), and loads the app with the scripts of the tab in the address.
;(() => {
  const session = readSession()
  startCalls(session)
  const view = readLastView(session)
  if (view) showLastView(view, loadApp)
  else loadApp()

  /** Null unless its token is good for two more minutes: otherwise the app renews it first. */
  function readSession() {
    try {
      // Before its second step, and before a first password is changed, a session may load nothing.
      if (!localStorage.getItem('pegasus-ops-entered')) return null
      const stored = JSON.parse(localStorage.getItem('pegasus-ops-auth'))
      return stored?.access_token && stored.expires_at * 1000 > Date.now() + 120_000 ? stored : null
    } catch {
      // Storage may be switched off, or hold something else.
      return null
    }
  }

  /** The entry comes last: modules run in the order of the page, and what it imports is then on its way. */
  function loadApp() {
    const list = document.getElementById('scripts')
    // The page of the development server loads the app itself.
    if (!list) return
    const { entry, files, frame, tabs } = JSON.parse(list.textContent)
    const tab = new URLSearchParams(location.search).get('tab')
    const ofTab = Object.hasOwn(tabs, tab) ? tabs[tab] : tabs.dashboard
    const parts = session ? new Set([...frame, ...ofTab]) : []
    for (const index of parts) {
      const link = document.createElement('link')
      link.rel = 'modulepreload'
      link.crossOrigin = ''
      link.href = `/${files[index]}`
      document.head.append(link)
    }
    const script = document.createElement('script')
    script.type = 'module'
    script.crossOrigin = ''
    script.src = entry
    document.head.append(script)
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
    // The lists as they open: a tab and nothing else in the address.
    const lists = {
      '': [],
      '?tab=stl-library': ['/api/stl-files?sort=newest&limit=60'],
      '?tab=inventory': ['/api/inventory?limit=100&sort=newest'],
    }
    const paths = location.pathname === '/' ? lists[location.search] : null
    if (paths) for (const path of [...paths, '/api/stats']) begin(path, token)
  }

  /** The view that this session left at this address, or null. A view of another session is removed. */
  function readLastView(session) {
    const key = 'pegasus-ops-last-view'
    try {
      const view = JSON.parse(localStorage.getItem(key))
      if (!view) return null
      const { sub, session_id: id } = session ? readClaims(session.access_token) : {}
      if (!id || view.account !== sub || view.session !== id || Date.now() - view.keptAt > 12 * 3600_000) {
        localStorage.removeItem(key)
        return null
      }
      const isHere = view.address === location.pathname + location.search
      return isHere && view.width === innerWidth && view.scripts === scriptsName() ? view : null
    } catch {
      return null
    }
  }

  /** Fills the page when the parser has reached it, and calls `onPainted` once the view is visible: loading the app takes a while. */
  function showLastView(view, onPainted) {
    window.pegasusLastView = true
    new MutationObserver((_, observer) => {
      const root = document.getElementById('root')
      if (!root) return
      observer.disconnect()
      // It is a picture: the app replaces it, and a press before that would be lost.
      root.inert = true
      root.ariaBusy = 'true'
      root.ariaDisabled = 'true'
      root.innerHTML = view.html
      // The content policy forbids style attributes in markup, not styles that a script sets.
      for (const element of root.querySelectorAll('[data-style]')) {
        element.style.cssText = element.dataset.style
        delete element.dataset.style
      }
      // A hidden page paints nothing.
      if (document.hidden) onPainted()
      else requestAnimationFrame(() => setTimeout(() => onPainted()))
    }).observe(document, { childList: true, subtree: true })
  }

  function readClaims(token) {
    return JSON.parse(atob(token.split('.')[1].replaceAll('-', '+').replaceAll('_', '/')))
  }

  /** Names the build: markup of another one may need other styles. */
  function scriptsName() {
    return document.getElementById('scripts')?.textContent.match(/assets\/[^"]*/)?.[0] ?? ''
  }
})()
