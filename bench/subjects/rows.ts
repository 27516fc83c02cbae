import { Readable } from 'node:stream'
import type { Browser } from '@playwright/test'
import { openDiskStorage } from '../../apps/server/src/platform/storage/disk-storage.ts'
import { ensureWebBuilt } from '../../scripts/web/ensure-built.ts'
import { buildBarePage } from '../lib/bare-page.ts'
import { type KeptState, type PageLoad, load, newVisitor, openBrowser, visitSignIn } from '../lib/browser.ts'
import { makeFloorModels } from '../servers/floor-tables.ts'
import { interleave, median, medianRatio } from '../lib/figures.ts'
import { type Library, signIn, useLibrary } from '../lib/library.ts'
import { benchLog } from '../lib/log.ts'
import { requireFrom } from '../lib/workspace-packages.ts'
import type { Scratch } from '../lib/scratch.ts'
import { startBareServer, startProductProcess } from '../lib/server-process.ts'
import { IS_FULL, PAGE_SIZE } from '../lib/settings.ts'
import { figure, note, printTable, times, verdict } from '../lib/table.ts'

const PASSES = IS_FULL ? 9 : 4
/**
 * Number of models with pictures. The web app requests a few more than fifty, so that the last row of cards
 * is full.
 */
const PICTURES = 120
const TARGETS_MS = { cold: 500, warm: 200 } as const
const SIGN_IN_AIM_KB = 150
const FIRST_LIST_AIM_KB = 200

interface Visit {
  cold: PageLoad
  warm: PageLoad
}

/** Measures the time until fifty models are visible in a browser, and the size of the JavaScript for them. */
export async function measureRows(scratch: Scratch): Promise<void> {
  const browser = await openBrowser(scratch)
  if (!browser) return note('There is no browser here, so rows in a browser are not measured.')
  await ensureWebBuilt()
  const library = await useLibrary(scratch)
  const dataDir = `${scratch.folder}/product`
  await givePictures(library, dataDir)
  await makeFloorModels(library.database.sql)
  const product = await startProductProcess(scratch, dataDir, { DATABASE_URL: library.databaseUrl })
  const bare = await startBareServer(scratch, 'floor', {
    DATABASE_URL: library.databaseUrl,
    PAGE_FOLDER: await buildBarePage(`${scratch.folder}/bare-page`),
  })
  const origin = `http://localhost:${product.port}`
  const { signInKb, kept } = await visitSignIn(browser, origin)
  const session = encodeURIComponent(`${(await signIn(product.port)).sessionId} ${library.accountId}`)
  const barePage = `http://localhost:${bare.port}/page/index.html?session=${session}`
  const results = await interleave<Visit>(
    [
      { name: 'ours', run: () => visit(browser, `${origin}/?tab=stl-library`, 'article', kept) },
      { name: 'bare', run: () => visit(browser, barePage, 'li') },
    ],
    PASSES,
  )
  await browser.close()
  await product.stop()
  await bare.stop()
  print(results.get('ours')!, results.get('bare')!, signInKb)
}

/** Adds pictures for the list, as the analysis would draw them. */
async function givePictures({ database }: Library, dataDir: string): Promise<void> {
  const storage = await openDiskStorage({ folder: `${dataDir}/objects`, log: benchLog })
  const sharp = requireFrom('server')('sharp') as (options: object) => {
    webp(): { toBuffer(): Promise<Buffer> }
  }
  const create = { width: 480, height: 480, channels: 4, background: '#8a9299' }
  const picture = await sharp({ create }).webp().toBuffer()
  const rows = await database.sql<{ thumbnail_key: string }[]>`
    select v.thumbnail_key from stl_files f join stl_versions v on v.id = f.current_version_id
    order by f.created_at desc limit ${PICTURES}`
  for (const { thumbnail_key: key } of rows) await storage.put(key, Readable.from([picture]))
}

async function visit(browser: Browser, address: string, selector: string, kept?: KeptState): Promise<Visit> {
  const context = await newVisitor(browser, kept)
  // Each visit opens a new page, so that the second visit does not wait for the requests of the first one.
  const look = async () => {
    const page = await context.newPage()
    const seen = await load(page, address, selector, PAGE_SIZE)
    await page.close()
    return seen
  }
  const [cold, warm] = [await look(), await look()]
  await context.close()
  return { cold, warm }
}

function print(ours: readonly Visit[], bare: readonly Visit[], signInKb: number): void {
  const row = (name: string, kind: 'cold' | 'warm') => {
    const [mine, theirs] = [ours, bare].map((visits) => visits.map((each) => each[kind].shownMs))
    const ms = median(mine!)
    const ratio = times(medianRatio(mine!, theirs!))
    const target = TARGETS_MS[kind]
    return [name, figure(ms), figure(median(theirs!)), ratio, `≤ ${target}`, verdict(ms <= target)]
  }
  printTable(
    `rows: until ${PAGE_SIZE} models are on the screen, of 100,000, milliseconds`,
    ['what', 'ours', 'bare page with react-dom', 'ratio', 'target', ''],
    [row('cold: nothing in the cache, signed in', 'cold'), row('warm: the same again', 'warm')],
  )
  const scriptRow = (name: string, kb: number, target: number) => [
    name,
    figure(kb),
    `≤ ${target}`,
    verdict(kb <= target),
  ]
  printTable(
    'rows: JavaScript of a first visit, as transferred, KB',
    ['what', 'KB', 'target', ''],
    [
      scriptRow('the sign-in page', signInKb, SIGN_IN_AIM_KB),
      scriptRow('the first list', median(ours.map(({ cold }) => cold.scriptKb)), FIRST_LIST_AIM_KB),
      ['the bare page', figure(median(bare.map(({ cold }) => cold.scriptKb)))],
    ],
  )
  note(
    'In a window tall enough for all of them. The bare page asks the baseline once and draws plain list items, without styles, pictures or addresses. The web app asks for 60 at a time and draws cards with pictures.',
  )
}
