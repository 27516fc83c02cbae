// Runs before the first paint, so that no wrong theme, language or direction flashes. src/lib/browser/theme.ts and
// src/lib/i18n/languages.ts take over from here.
;(() => {
  let saved = null
  let language = null
  try {
    saved = localStorage.getItem('pegasus-ops-theme')
    language = localStorage.getItem('pegasus-ops-language')
  } catch {
    // The storage may be disabled. Then the system's color scheme applies.
  }
  const root = document.documentElement
  if (['de', 'he'].includes(language)) {
    root.lang = language
    if (language === 'he') root.dir = 'rtl'
  }
  const isDark = saved === 'dark' || (saved !== 'light' && matchMedia('(prefers-color-scheme: dark)').matches)
  document.documentElement.classList.toggle('dark', isDark)
  document.querySelector('meta[name=theme-color]')?.setAttribute('content', isDark ? '#181d20' : '#fbfdfd')
})()
