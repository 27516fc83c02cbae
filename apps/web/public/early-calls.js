// Starts the calls of the first view before the app's own script has arrived. src/lib/http/early-calls.ts takes their answers.
;(() => {
  const calls = {}
  const begin = (path, token) => {
    const headers = { Accept: 'application/json', ...(token && { Authorization: `Bearer ${token}` }) }
    const answer = fetch(path, { headers })
    answer.catch(() => {})
    calls[path] = { token, answer, begunAt: Date.now() }
  }
  window.pegasusEarlyCalls = calls
  begin('/api/config', null)
  let session = null
  try {
    // Before its second step, and before a first password is changed, a session may load nothing.
    if (localStorage.getItem('pegasus-ops-entered'))
      session = JSON.parse(localStorage.getItem('pegasus-ops-auth'))
  } catch {
    // Storage may be switched off, or hold something else.
  }
  // A token that is about to end is renewed first, by the app.
  if (!session?.access_token || !(session.expires_at * 1000 > Date.now() + 120_000)) return
  begin('/api/auth/me', session.access_token)
  // The lists as they open: a tab and nothing else in the address.
  const lists = {
    '': ['/api/stats'],
    '?tab=stl-library': ['/api/stl-files?sort=newest&limit=60'],
    '?tab=inventory': ['/api/inventory?limit=100&sort=newest'],
  }
  if (location.pathname === '/')
    for (const path of lists[location.search] ?? []) begin(path, session.access_token)
})()
