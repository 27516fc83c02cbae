import { afterAll, beforeAll } from 'vitest'

/**
 * Runs the tests of a file in Hebrew, from right to left. A module reads the language when it is loaded. Each test
 * therefore imports the modules that show text itself, after this setup.
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
