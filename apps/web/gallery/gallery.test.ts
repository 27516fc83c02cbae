import { globSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { expect, it } from 'vitest'

const WEB = fileURLToPath(new URL('../', import.meta.url))

/** Components that need no example of their own, because another component loads them when it opens. */
const LOADED_PARTS = [
  'src/components/ui/actions/open-menu.tsx',
  'src/components/saved-searches/saved-searches-dialog.tsx',
]

it('the gallery has an example of every component', () => {
  const components = globSync('src/components/**/*.tsx', {
    cwd: WEB,
    exclude: ['**/*.test.tsx', ...LOADED_PARTS],
  })
  const sources = globSync('gallery/**/*.tsx', { cwd: WEB }).map((file) =>
    readFileSync(`${WEB}${file}`, 'utf8'),
  )
  const missing = components.filter((file) => {
    const specifier = `'@/${file.slice('src/'.length)}'`
    return !sources.some((source) => source.includes(specifier))
  })
  expect(components.length).toBeGreaterThan(40)
  expect(missing).toEqual([])
})
