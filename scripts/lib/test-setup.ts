import { afterEach, beforeEach } from 'vitest'

// A test fails if a warning or an error was logged, because it might otherwise overlook a problem. A test
// that expects an error installs its own spy on the console.
const original = { error: console.error, warn: console.warn }
let complaints: string[] = []

beforeEach(() => {
  complaints = []
  for (const method of ['error', 'warn'] as const) {
    console[method] = (...words: unknown[]) => {
      complaints.push(words.map(String).join(' '))
      original[method](...words)
    }
  }
})

afterEach(() => {
  Object.assign(console, original)
  if (complaints.length > 0) throw new Error(`Unexpected on the console:\n${complaints.join('\n')}`)
})
