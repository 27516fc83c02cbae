import { HttpConnection, toBytes } from './http-client.ts'
import type { Load, LoadResult } from './load.ts'

/**
 * Sends requests until the window ends. Then waits for the responses that are missing, so that windows do not overlap.
 */
async function run({ port, requests, changes, connections, windowMs }: Load): Promise<LoadResult> {
  const prepared = requests.map(toBytes)
  const changing = changes?.requests.map(toBytes) ?? []
  const durations: number[] = []
  let failures = 0
  let next = 0
  const startedAt = performance.now()
  const endsAt = startedAt + windowMs
  const lane = async () => {
    const connection = new HttpConnection(port)
    const changer = changes && new HttpConnection(changes.port)
    const ask = async (request: Buffer, by: HttpConnection) => {
      const { status } = await by.ask(request)
      if (status < 200 || status > 299) failures += 1
    }
    while (performance.now() < endsAt) {
      const change = changing[next % changing.length]
      if (change && changer) await ask(change, changer)
      const askedAt = performance.now()
      await ask(prepared[next++ % prepared.length]!, connection)
      durations.push(performance.now() - askedAt)
    }
    connection.close()
    changer?.close()
  }
  await Promise.all(Array.from({ length: connections }, lane))
  const askedMs = durations.reduce((sum, each) => sum + each, 0) / connections
  const tookMs = changing.length > 0 ? askedMs : performance.now() - startedAt
  return { durations, failures, seconds: tookMs / 1000 }
}

process.on('message', (load: Load) => {
  run(load).then(
    (result) => process.send!(result),
    (error: unknown) => {
      console.error(error)
      process.exit(1)
    },
  )
})
process.on('disconnect', () => process.exit(0))
