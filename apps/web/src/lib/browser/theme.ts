import { useSyncExternalStore } from 'react'

export type Theme = 'light' | 'dark'

/** The key in localStorage. `public/theme.js` reads it before the first paint. */
export const THEME_KEY = 'pegasus-ops-theme'
const THEME_COLORS: Record<Theme, string> = { light: '#fbfdfd', dark: '#181d20' }

const listeners = new Set<() => void>()

const getTheme = (): Theme => (document.documentElement.classList.contains('dark') ? 'dark' : 'light')

function showTheme(theme: Theme): void {
  document.documentElement.classList.toggle('dark', theme === 'dark')
  document.querySelector('meta[name=theme-color]')?.setAttribute('content', THEME_COLORS[theme])
  for (const listener of listeners) listener()
}

const systemTheme = (): Theme => (matchMedia('(prefers-color-scheme: dark)').matches ? 'dark' : 'light')

function savedTheme(): Theme | null {
  const saved = localStorage.getItem(THEME_KEY)
  return saved === 'dark' || saved === 'light' ? saved : null
}

/** Applies theme changes from other tabs. While no theme is saved, the app uses the system's theme. */
export function followTheme(): void {
  const follow = () => showTheme(savedTheme() ?? systemTheme())
  addEventListener('storage', (event) => event.key === THEME_KEY && follow())
  matchMedia('(prefers-color-scheme: dark)').addEventListener('change', follow)
}

export function toggleTheme(): void {
  const next = getTheme() === 'dark' ? 'light' : 'dark'
  localStorage.setItem(THEME_KEY, next)
  showTheme(next)
}

export const useTheme = (): Theme =>
  useSyncExternalStore((listener) => {
    listeners.add(listener)
    return () => listeners.delete(listener)
  }, getTheme)
