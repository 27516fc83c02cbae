// Shows, read-only, the lists that the app has stored for this session. src/lib/session/offline-lists.ts
// stores them.
;(() => {
  // The time in ms after which a session without a connection ends. It equals IDLE_MS in session-life.ts of the
  // server.
  const KEPT_MS = 14 * 24 * 60 * 60 * 1000
  // theme.js has set the language of the page.
  const TEXTS = {
    de: {
      'Offline · Pegasus Ops': 'Offline · Pegasus Ops',
      'You are offline': 'Keine Verbindung',
      'The server cannot be reached. This page continues automatically when the connection is back.':
        'Der Server ist nicht erreichbar. Sobald die Verbindung wieder da ist, geht es hier von selbst weiter.',
      'Try again': 'Erneut versuchen',
      'Last lists': 'Letzte Listen',
      'Stored on {time}. You can only read them.': 'Stand: {time}. Sie können sie nur lesen.',
    },
    he: {
      'Offline · Pegasus Ops': 'לא מקוון · Pegasus Ops',
      'You are offline': 'אין חיבור',
      'The server cannot be reached. This page continues automatically when the connection is back.':
        'לא ניתן להגיע לשרת. הדף ימשיך מעצמו כשהחיבור יחזור.',
      'Try again': 'ניסיון נוסף',
      'Last lists': 'הרשימות האחרונות',
      'Stored on {time}. You can only read them.': 'נשמרו ב־{time}. אפשר רק לקרוא אותן.',
    },
  }
  const { lang } = document.documentElement
  const t = (text) => TEXTS[lang]?.[text] ?? text
  for (const element of document.querySelectorAll('title, h1, p:not(:has(*)), button, h2'))
    element.textContent = t(element.textContent)
  document.getElementById('retry').addEventListener('click', () => location.reload())
  addEventListener('online', () => location.reload())
  const kept = readLists()
  if (!kept) return
  const section = document.getElementById('lists')
  section.setAttribute('aria-label', t('Last lists'))
  document.getElementById('kept').textContent = t('Stored on {time}. You can only read them.').replace(
    '{time}',
    timeOf(kept.keptAt),
  )
  for (const list of kept.lists) section.append(tableOf(list))
  section.hidden = false

  /**
   * Returns the lists of the current session; null if there are none. Lists of other sessions are deleted.
   */
  function readLists() {
    const key = 'pegasus-ops-offline-lists'
    try {
      const stored = JSON.parse(localStorage.getItem(key))
      if (!stored) return null
      const token = JSON.parse(localStorage.getItem('pegasus-ops-auth'))?.access_token
      const claims = token
        ? JSON.parse(atob(token.split('.')[1].replaceAll('-', '+').replaceAll('_', '/')))
        : {}
      const isRecent = Date.now() - stored.keptAt < KEPT_MS
      if (
        isRecent &&
        claims.session_id &&
        claims.sub === stored.account &&
        claims.session_id === stored.session
      )
        return stored
      localStorage.removeItem(key)
    } catch {
      // The storage may be disabled, or contain something else.
    }
    return null
  }

  /** Returns the time in the format of the language. In English, it has the format of the browser. */
  function timeOf(ms) {
    return new Date(ms).toLocaleString(lang === 'en' ? undefined : lang)
  }

  function tableOf({ title, head, rows }) {
    const table = document.createElement('table')
    table.createCaption().textContent = title
    const headRow = table.createTHead().insertRow()
    for (const name of head) headRow.append(cellOf('th', name, 'col'))
    const body = table.createTBody()
    for (const [name, ...values] of rows) {
      const row = body.insertRow()
      row.append(cellOf('th', name, 'row'), ...values.map((value) => cellOf('td', value, null)))
    }
    const frame = document.createElement('div')
    frame.className = 'list'
    frame.tabIndex = 0
    frame.setAttribute('role', 'region')
    frame.setAttribute('aria-label', title)
    frame.append(table)
    return frame
  }

  function cellOf(tag, text, scope) {
    const cell = document.createElement(tag)
    cell.dir = 'auto'
    cell.textContent = text
    if (scope) cell.scope = scope
    return cell
  }
})()
