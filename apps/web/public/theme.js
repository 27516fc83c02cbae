// Runs before the first paint, so that nobody sees the wrong theme flash by. src/lib/theme.ts takes over from here.
;(() => {
  let saved = null
  try {
    saved = localStorage.getItem('pegasus-ops-theme')
  } catch {
    // Storage may be switched off; then the system's scheme decides.
  }
  const isDark = saved === 'dark' || (saved !== 'light' && matchMedia('(prefers-color-scheme: dark)').matches)
  document.documentElement.classList.toggle('dark', isDark)
  document.querySelector('meta[name=theme-color]')?.setAttribute('content', isDark ? '#181d20' : '#fbfdfd')
})()
