import { Readable } from 'node:stream'
import type { Browser, CDPSession, Page } from '@playwright/test'
import { openDiskStorage } from '../../apps/server/src/platform/storage/disk-storage.ts'
import { ensureWebBuilt } from '../../scripts/web/ensure-built.ts'
import { type KeptState, openBrowser, visitSignIn } from '../lib/browser.ts'
import { type Library, useLibrary } from '../lib/library.ts'
import { benchLog } from '../lib/log.ts'
import { requireFrom } from '../lib/workspace-packages.ts'
import type { Scratch } from '../lib/scratch.ts'
import { memoryOf } from '../lib/memory.ts'
import { type Progress, scrollOn } from '../lib/scroll-on.ts'
import { startProductProcess } from '../lib/server-process.ts'
import { MODEL_COUNT } from '../lib/settings.ts'
import { figure, note, printTable, verdict } from '../lib/table.ts'

/** After this many models, all code of the page is compiled and its caches have their full size. */
const SETTLED = 2_000
/**
 * Up to this position, each model is shown. After it, the list is scrolled to the end of the loaded part again and
 * again, because showing each model would take an hour.
 */
const EACH_SHOWN = 4_000
const VIEWPORT = { width: 1440, height: 900 }
const SLICE_MS = 5_000
/** The server's default limit for requests. */
const REQUESTS_PER_SECOND = '200'

const HEAP_GROWTH_AIM_MB = 10
const NODE_GROWTH_AIM = 1.1

interface Held {
  /** The memory of the page's process in MB, including pictures. Null on systems that do not report it. */
  rssMb: number | null
  heapMb: number
  nodes: number
  listeners: number
}

/** Measures a page while a visitor scrolls through the whole library. */
export async function measureScroll(scratch: Scratch): Promise<void> {
  const browser = await openBrowser(scratch)
  if (!browser) return note('There is no browser here, so scrolling is not measured.')
  await ensureWebBuilt()
  const library = await useLibrary(scratch)
  const dataDir = `${scratch.folder}/product`
  await giveEachAPicture(library, dataDir)
  const product = await startProductProcess(scratch, dataDir, {
    DATABASE_URL: library.databaseUrl,
    REQUESTS_PER_SECOND,
  })
  const origin = `http://localhost:${product.port}`
  const { kept } = await visitSignIn(browser, origin)
  await scrollThrough(browser, `${origin}/?tab=stl-library`, kept)
  await browser.close()
  await product.stop()
}

/**
 * Stores one file for all pictures with a different address for each, so that the browser treats them as different
 * pictures.
 */
async function giveEachAPicture({ database }: Library, dataDir: string): Promise<void> {
  const storage = await openDiskStorage({ folder: `${dataDir}/objects`, log: benchLog })
  const sharp = requireFrom('server')('sharp') as (options: object) => {
    webp(): { toBuffer(): Promise<Buffer> }
  }
  const create = { width: 480, height: 480, channels: 4, background: '#8a9299' }
  const key = 'thumbnails/scroll-v1.webp'
  await storage.put(key, Readable.from([await sharp({ create }).webp().toBuffer()]))
  const connection = await database.sql.reserve()
  try {
    await connection`set statement_timeout = 0`
    await connection`update stl_versions set thumbnail_key = ${key}`
    await connection`vacuum analyze stl_versions`
  } finally {
    await connection`reset statement_timeout`
    connection.release()
  }
}

async function scrollThrough(browser: Browser, address: string, kept: KeptState): Promise<void> {
  const context = await browser.newContext({ viewport: VIEWPORT, storageState: kept })
  const page = await context.newPage()
  const trouble = watchRequests(page)
  await page.goto(address)
  await page.locator('article').first().waitFor()
  const chrome = await context.newCDPSession(page)
  const look = async () => held.push({ ...(await holdOf(chrome)), rssMb: await rssOf(browser) })

  const startedAt = performance.now()
  const held: Held[] = []
  await scrollUntil(page, SETTLED, 'window')
  await look()
  await scrollUntil(page, EACH_SHOWN, 'window')
  await scrollUntil(page, MODEL_COUNT / 2, 'page')
  await look()
  const progress = await scrollUntil(page, MODEL_COUNT, 'page')
  await look()
  const seconds = (performance.now() - startedAt) / 1000
  // Jump back to the top, where the page must load the first models again.
  await page.evaluate(() => scrollTo(0, 0))
  await page.locator('[role=listitem][aria-posinset="1"]').waitFor()
  await look()
  print(held, progress, trouble, seconds)
  await context.close()
}

async function scrollUntil(page: Page, goal: number, by: 'window' | 'page'): Promise<Progress> {
  for (;;) {
    const progress = await page.evaluate(scrollOn, { goal, by, sliceMs: SLICE_MS })
    if (progress.isOver) return progress
  }
}

interface Trouble {
  asked: number
  failures: string[]
}

/**
 * Counts requests and failures. If a picture's card leaves the window, the browser cancels its request, which does not
 * count as a failure.
 */
function watchRequests(page: Page): Trouble {
  const trouble: Trouble = { asked: 0, failures: [] }
  page.on('request', () => (trouble.asked += 1))
  page.on('requestfailed', (request) => {
    const why = request.failure()?.errorText ?? 'unknown'
    if (why !== 'net::ERR_ABORTED') trouble.failures.push(`${request.url()}: ${why}`)
  })
  page.on('response', (response) => {
    if (response.status() >= 400) trouble.failures.push(`${response.url()}: ${response.status()}`)
  })
  page.on('pageerror', ({ message }) => trouble.failures.push(message))
  return trouble
}

/** Returns the memory that the page uses after a garbage collection. */
async function holdOf(chrome: CDPSession): Promise<Omit<Held, 'rssMb'>> {
  await chrome.send('HeapProfiler.collectGarbage')
  const { usedSize } = await chrome.send('Runtime.getHeapUsage')
  const { nodes, jsEventListeners } = await chrome.send('Memory.getDOMCounters')
  return { heapMb: usedSize / 2 ** 20, nodes, listeners: jsEventListeners }
}

/** Returns the memory of the largest renderer process, which belongs to the page. */
async function rssOf(browser: Browser): Promise<number | null> {
  const chrome = await browser.newBrowserCDPSession()
  const { processInfo } = await chrome.send('SystemInfo.getProcessInfo')
  await chrome.detach()
  const memories = await Promise.all(
    processInfo.filter(({ type }) => type === 'renderer').map(({ id }) => memoryOf(id)),
  )
  const sizes = memories.filter((memory) => memory !== null).map(({ rssMb }) => rssMb)
  return sizes.length > 0 ? Math.max(...sizes) : null
}

function print(held: readonly Held[], progress: Progress, trouble: Trouble, seconds: number): void {
  const [begin, middle, end, back] = held as [Held, Held, Held, Held]
  const row = (name: string, of: (at: Held) => number, target: string, isReached: boolean) => [
    name,
    ...[begin, middle, end, back].map((at) => figure(of(at))),
    target,
    verdict(isReached),
  ]
  const growthMb = end.heapMb - begin.heapMb
  printTable(
    `scroll: resources of the page after ${figure(SETTLED)}, ${figure(MODEL_COUNT / 2)} and ${figure(MODEL_COUNT)} models`,
    ['what', 'begin', 'middle', 'end', 'at the top again', 'target', ''],
    [
      ['process of the page, RSS, MB', ...held.map(({ rssMb }) => figure(rssMb ?? Number.NaN))],
      row(
        'JavaScript heap, MB',
        ({ heapMb }) => heapMb,
        `+ ≤ ${HEAP_GROWTH_AIM_MB} MB`,
        growthMb <= HEAP_GROWTH_AIM_MB,
      ),
      row(
        'DOM nodes',
        ({ nodes }) => nodes,
        `≤ ${NODE_GROWTH_AIM} ×`,
        end.nodes <= begin.nodes * NODE_GROWTH_AIM,
      ),
      row(
        'event listeners',
        ({ listeners }) => listeners,
        `≤ ${NODE_GROWTH_AIM} ×`,
        end.listeners <= begin.listeners * NODE_GROWTH_AIM,
      ),
    ],
  )
  const { shown, furthest, longestWaitMs, gaveUp } = progress
  const isSound = trouble.failures.length === 0 && gaveUp === 0 && furthest === MODEL_COUNT
  printTable(
    'scroll: results',
    ['last model', 'models shown', 'requests', 'failed', 'stayed empty', 'longest wait, ms', 's in all', ''],
    [
      [
        figure(furthest),
        figure(shown),
        figure(trouble.asked),
        String(trouble.failures.length),
        String(gaveUp),
        figure(longestWaitMs),
        figure(seconds),
        verdict(isSound),
      ],
    ],
  )
  for (const failure of trouble.failures.slice(0, 5)) console.log(`  ${failure}`)
  note(
    `A window of ${VIEWPORT.width} × ${VIEWPORT.height}, window by window up to ${figure(EACH_SHOWN)}, then to the end of what is known each time, the next step as soon as this one shows its models. The flood limit is ${REQUESTS_PER_SECOND} requests a second, as it is for everybody.`,
  )
}
