import { afterEach, beforeEach } from 'vitest'

// A test fails if it logs a warning or an error, which could hide a problem. A test that expects one installs its own
// spy on the console.
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
