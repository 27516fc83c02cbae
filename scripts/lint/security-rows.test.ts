import { existsSync, readFileSync } from 'node:fs'
import { expect, it } from 'vitest'
import { inProject } from '../boot/project.mjs'

/** Paths in the table are relative to this folder, unless they begin with one of `ROOTS`. */
const SERVER = 'apps/server/'
const ROOTS = /^(?:packages|e2e|scripts)\//

interface Row {
  threats: string[]
  files: string[]
}

/** Returns the numbers of the threats in a cell. `T9 to T11` means T9, T10 and T11. */
function threatsIn(cell: string): string[] {
  const ranges = [...cell.matchAll(/T(\d+)(?: to T(\d+))?/g)]
  return ranges.flatMap(([, first, last = first]) =>
    Array.from({ length: Number(last) - Number(first) + 1 }, (_, at) => `T${Number(first) + at}`),
  )
}

/** The rows of the tables of threats. The last cell of each row names the files with the tests. */
const rows: Row[] = readFileSync(inProject('docs/security.md'), 'utf8')
  .split('\n')
  .map((line) => line.split(' | '))
  .filter((cells) => cells.length === 5 && /^\| T\d/.test(cells[0] ?? ''))
  .map((cells) => ({
    threats: threatsIn(cells[0] ?? ''),
    files: [...(cells.at(-1) ?? '').matchAll(/`([^`]+)`/g)].map(([, file = '']) => file),
  }))

const pathOf = (file: string): string => inProject(ROOTS.test(file) ? file : SERVER + file)

it('each row of a threat in docs/security.md names files that exist', () => {
  expect(rows.length).toBeGreaterThan(150)
  const missing = rows.filter(
    ({ files }) => files.length === 0 || files.some((file) => !existsSync(pathOf(file))),
  )
  expect(missing).toEqual([])
})

it('each row of a threat in docs/security.md has a test that names the threat in its title', () => {
  const wrong = rows.filter(({ threats, files }) => {
    const texts = files.map((file) => readFileSync(pathOf(file), 'utf8'))
    return !threats.some((threat) => texts.some((text) => new RegExp(`\\b${threat}\\b`).test(text)))
  })
  expect(wrong).toEqual([])
})
