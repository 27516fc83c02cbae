import { describeMachine } from './lib/machine.ts'
import { type Scratch, openScratch } from './lib/scratch.ts'
import { IS_FULL, IS_TRIAL } from './lib/settings.ts'

/**
 * The subjects in the order in which they run. Each module is imported just before it runs, so that the others do not
 * affect it.
 */
const SUBJECTS: Readonly<Record<string, () => Promise<(scratch: Scratch) => Promise<void>>>> = {
  serialisation: async () => (await import('./subjects/serialization.ts')).measureSerialization,
  mesh: async () => (await import('./subjects/mesh.ts')).measureMeshes,
  sql: async () => (await import('./subjects/sql.ts')).measureSql,
  http: async () => (await import('./subjects/http.ts')).measureHttp,
  search: async () => (await import('./subjects/search.ts')).measureSearch,
  stock: async () => (await import('./subjects/stock.ts')).measureStock,
  orders: async () => (await import('./subjects/orders.ts')).measureOrders,
  years: async () => (await import('./subjects/years.ts')).measureYears,
  rows: async () => (await import('./subjects/rows.ts')).measureRows,
  scroll: async () => (await import('./subjects/scroll.ts')).measureScroll,
  upload: async () => (await import('./subjects/upload.ts')).measureUpload,
  start: async () => (await import('./subjects/start.ts')).measureStart,
  replicas: async () => (await import('./subjects/replicas.ts')).measureReplicas,
  soak: async () => (await import('./subjects/soak.ts')).measureSoak,
  million: async () => (await import('./subjects/million.ts')).measureMillion,
}

const wanted = process.argv.slice(2).filter((name) => !name.startsWith('-'))
const unknown = wanted.filter((name) => !(name in SUBJECTS))
if (unknown.length > 0) {
  console.error(`There is no ${unknown.join(', ')}; there are ${Object.keys(SUBJECTS).join(', ')}.`)
  process.exit(1)
}

const startedAt = performance.now()
const scratch = await openScratch()
let isStopping = false
for (const signal of ['SIGINT', 'SIGTERM'] as const)
  process.on(signal, () => {
    if (isStopping) return
    isStopping = true
    void scratch.end().finally(() => process.exit(130))
  })

console.log(
  `${describeMachine()}\n${new Date().toISOString().slice(0, 10)}${IS_FULL ? ', BENCH_FULL=1' : ''}${IS_TRIAL ? ', a trial run: the figures have no meaning' : ''}`,
)
try {
  for (const [name, load] of Object.entries(SUBJECTS))
    if (wanted.length === 0 || wanted.includes(name)) await (await load())(scratch)
} finally {
  await scratch.end()
}
console.log(`\n(${((performance.now() - startedAt) / 1000).toFixed(0)} s in all)`)
