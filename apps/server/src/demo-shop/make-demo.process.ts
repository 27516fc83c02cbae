// Makes a demo in its own process. The end of the process frees its memory, and the shop's requests need not wait.
import { setTimeout as wait } from 'node:timers/promises'
import { buildApp } from '../app.ts'
import { SECOND_MS } from '../platform/clock.ts'
import { openLog } from '../platform/log/log-options.ts'
import { openStorage } from '../platform/storage/open-storage.ts'
import { prefixedStorage } from '../platform/storage/prefixed-storage.ts'
import { type DemoServerOptions, openDemoServer } from './demo-server.ts'
import { createMovableClock, fillDemo } from './fill-demo.ts'
import type { MakingNews, MakingOrder } from './make-demo.protocol.ts'
import { migrateDemo } from './migrate-demo.ts'

/** How long this process waits for the pictures of the models. The demo also works without them. */
const PICTURES_MS = 30 * SECOND_MS
const PICTURES_PAUSE_MS = 300
/** The progress in percent when all data is written. The remaining percent are for drawing the pictures. */
const DATA_PERCENT = 80

// The server has stopped or crashed, so end this process, too.
process.once('disconnect', () => process.exit(1))
process.once('message', (order: MakingOrder) => {
  make(order).then(
    () => process.exit(0),
    (error: unknown) => sendNews({ failure: String(error instanceof Error ? error.stack : error) }, 1),
  )
})

function sendNews(news: MakingNews, exitCode?: number): void {
  process.send?.(news, () => {
    if (exitCode !== undefined) process.exit(exitCode)
  })
}

async function make({ options: given, password, ...order }: MakingOrder): Promise<void> {
  const log = openLog(order.logLevel).child({ instance: 'demo' })
  const storage = prefixedStorage(await openStorage(order.storage, log), order.prefix)
  const options: DemoServerOptions = { ...given, storage, log, buildApp }
  await migrateDemo(options, order.migrations)
  await fill(options, password)
  await drawPictures(options)
}

async function fill(options: DemoServerOptions, password: string): Promise<void> {
  const clock = createMovableClock()
  const { app, database, close } = await openDemoServer(options, { clock, isFilling: true })
  const report = (share: number) => sendNews({ percent: 5 + share * (DATA_PERCENT - 5) })
  await fillDemo({ app, database, clock, currency: options.config.currency, password, report })
  await close()
}

/** Draws the pictures of the models. Stops after `PICTURES_MS`, even if some are missing. */
async function drawPictures(options: DemoServerOptions): Promise<void> {
  const server = await openDemoServer(options)
  server.startWork()
  for (const until = performance.now() + PICTURES_MS; performance.now() < until; ) {
    const [count] = await server.database.sql<{ done: number; all: number }[]>`
      select count(*) filter (where analysis_status <> 'pending')::int as done, count(*)::int as all
      from stl_versions`
    if (!count || count.done >= count.all) break
    sendNews({ percent: DATA_PERCENT + (count.done / count.all) * (99 - DATA_PERCENT) })
    await wait(PICTURES_PAUSE_MS)
  }
  await server.close()
}
