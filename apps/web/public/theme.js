// Runs before the first paint, so that the wrong theme does not flash. src/lib/browser/theme.ts takes over from here.
;(() => {
  let saved = null
  try {
    saved = localStorage.getItem('pegasus-ops-theme')
  } catch {
    // The storage may be disabled. Then the system's color scheme applies.
  }
  const isDark = saved === 'dark' || (saved !== 'light' && matchMedia('(prefers-color-scheme: dark)').matches)
  document.documentElement.classList.toggle('dark', isDark)
  document.querySelector('meta[name=theme-color]')?.setAttribute('content', isDark ? '#181d20' : '#fbfdfd')
})()
