import { interleave, median, medianRatio, ratePerSecond } from '../lib/figures.ts'
import { generateModels } from '../lib/library-data.ts'
import { useLibrary } from '../lib/library.ts'
import type { Scratch } from '../lib/scratch.ts'
import { MODEL_COUNT, PAGE_SIZE, PASSES, WINDOW_MS } from '../lib/settings.ts'
import { figure, note, percent, printTable } from '../lib/table.ts'
import {
  type Page,
  type PageReader,
  pgReader,
  productReader,
  recordStatement,
  unsafeReader,
} from './sql-contenders.ts'

const PAGES = 200
const CONCURRENCIES = [1, 16]

/** Measures the cost of our way of writing SQL, compared with the same statements sent more directly. */
export async function measureSql(scratch: Scratch): Promise<void> {
  const { database, databaseUrl } = await useLibrary(scratch)
  const pages = pickPages()
  const statement = await recordStatement(pages[0]!)
  const readers = [
    productReader(database),
    unsafeReader(database, statement),
    pgReader(databaseUrl, statement),
  ]
  await assertEqualWork(readers, pages)

  const pageOf = (index: number) => pages[index % pages.length]!
  await compare(
    'sql: a page of 50 among 100,000 (filter, keyset) with its total, per second',
    readers,
    (reader) => {
      return (index) => reader.readRows(pageOf(index))
    },
  )
  note('All send the same text with the same parameters, prepared, over ten connections.')
  for (const reader of readers) await reader.close()
}

/** Picks positions that are spread over the whole library, so that not all rows are already cached. */
function pickPages(): Page[] {
  const every = MODEL_COUNT / PAGES
  return [...generateModels(MODEL_COUNT)]
    .filter((_, index) => index % every === every - 1)
    .map(({ createdAt, id }) => ({ cursor: { createdAt, id }, limit: PAGE_SIZE }))
}

async function assertEqualWork(readers: readonly PageReader[], pages: readonly Page[]): Promise<void> {
  const counts = await Promise.all(readers.map((reader) => reader.readRows(pages.at(-1)!)))
  if (counts.some((count) => count !== PAGE_SIZE))
    throw new Error(`the contenders read ${counts.join(', ')} rows instead of ${PAGE_SIZE}`)
}

async function compare(
  title: string,
  readers: readonly PageReader[],
  workOf: (reader: PageReader) => (index: number) => Promise<unknown>,
): Promise<void> {
  const columns: Map<string, number[]>[] = []
  for (const concurrency of CONCURRENCIES) {
    const contenders = readers.map((reader) => ({
      name: reader.name,
      run: () => ratePerSecond(workOf(reader), { windowMs: WINDOW_MS, concurrency }),
    }))
    columns.push(await interleave(contenders, PASSES))
  }
  const baseline = readers[1]!.name
  printTable(
    title,
    ['how', ...CONCURRENCIES.flatMap((concurrency) => [`c${concurrency}`, `of by hand, c${concurrency}`])],
    readers.map(({ name }) => [
      name,
      ...columns.flatMap((column) => {
        const rates = column.get(name)!
        return [figure(median(rates)), percent(medianRatio(rates, column.get(baseline)!))]
      }),
    ]),
  )
}
