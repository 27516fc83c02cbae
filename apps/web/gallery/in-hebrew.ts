import { afterAll, beforeAll } from 'vitest'

/**
 * Runs the tests of a file in Hebrew, from right to left. The language is read when a module is loaded, so the tests import
 * the modules that show text themselves.
 */
export function inHebrew(): void {
  beforeAll(() => {
    localStorage.setItem('pegasus-ops-language', 'he')
    document.documentElement.dir = 'rtl'
  })
  afterAll(() => {
    localStorage.removeItem('pegasus-ops-language')
    document.documentElement.dir = 'ltr'
    document.body.replaceChildren()
  })
}
