import { readFileSync } from 'node:fs'
import { expect, it } from 'vitest'
import { ACCESS } from './access-table/access-table.ts'

const PAGE = new URL('../../../../docs/hosted-service.md', import.meta.url)
const SERVICES = /^\/(?:auth|storage|rest|functions|realtime)\/v1(?:\/|$)/
const METHOD = /^(?:GET|HEAD|POST|PUT|PATCH|DELETE)$/

interface DocumentedRow {
  /** The methods and paths of the row, such as `GET /auth/v1/user`. Without a method, the row is for all methods. */
  routes: { method: string | null; path: string }[]
  state: string
  tests: string
}

/** Returns the routes in the first cell of a row. For example, `GET`, `PUT /user` is two routes with the same path. */
function routesIn(cell: string, base: string): DocumentedRow['routes'] {
  const routes: DocumentedRow['routes'] = []
  let methods: string[] = []
  for (const [, text = ''] of cell.matchAll(/`([^`]+)`/g)) {
    const words = text.split(' ')
    const given = words.filter((word) => METHOD.test(word))
    const path = words.find((word) => word.startsWith('/'))
    methods.push(...given)
    if (path === undefined) continue
    const full = SERVICES.test(path) ? path : `${base}${path}`
    for (const method of methods.length > 0 ? methods : [null]) routes.push({ method, path: full })
    methods = []
  }
  return routes
}

function documentedRows(): DocumentedRow[] {
  const rows: DocumentedRow[] = []
  let base = '/auth/v1'
  let isInTable = false
  for (const line of readFileSync(PAGE, 'utf8').split('\n')) {
    if (line === '## Storage') base = '/storage/v1'
    if (line.startsWith('| endpoint |')) isInTable = true
    if (!line.startsWith('|')) isInTable = false
    const [, cell = '', state = '', tests = ''] = line.split('|').map((part) => part.trim())
    if (isInTable && !/^(?:endpoint|---)$/.test(cell))
      rows.push({ routes: routesIn(cell, base), state, tests })
  }
  return rows
}

/** Returns a path in which no parameter has a name. `{path}` and `*` stand for the rest of a path. */
const formOf = (path: string): string =>
  path
    .replaceAll('*', '{path}')
    .replace(/:\w+/g, '{}')
    .replace(/\{(?!path\})\w*\}/g, '{}')

const isOffered = ({ state }: DocumentedRow): boolean => !state.startsWith('not offered')

it('docs/hosted-service.md has a row for each endpoint of the Supabase protocol, and no other rows', () => {
  const rows = documentedRows()
  const documented = rows.filter(isOffered).flatMap(({ routes }) => routes)
  const served = Object.keys(ACCESS)
    .map((route) => route.split(' ') as [string, string])
    .filter(([, path]) => SERVICES.test(path))
  const isOf = ([method, path]: [string, string], row: { method: string | null; path: string }): boolean =>
    (row.method ?? method) === method && formOf(row.path) === formOf(path)
  const undocumented = served.filter((route) => !documented.some((row) => isOf(route, row)))
  const invented = documented.filter(
    (row) => row.method !== 'HEAD' && !served.some((route) => isOf(route, row)),
  )
  const denied = rows
    .filter((row) => !isOffered(row))
    .flatMap(({ routes }) => routes)
    .filter((row) => served.some((route) => isOf(route, row)))
  expect({ undocumented, invented, denied }).toEqual({ undocumented: [], invented: [], denied: [] })
  expect(served.length).toBeGreaterThan(100)
})

it('each row of docs/hosted-service.md contains a state and names a test', () => {
  const bare = documentedRows().filter(
    ({ state, tests }) => state === '' || !/`[\w./-]+\.(?:test|spec)\.ts`/.test(tests),
  )
  expect(bare).toEqual([])
})
