import { HttpConnection, toBytes } from './http-client.ts'
import type { Load, LoadResult } from './load.ts'

/**
 * Sends requests in turn until the window ends. Then waits for the running requests, so that windows do not overlap.
 */
async function run({ port, requests, connections, windowMs }: Load): Promise<LoadResult> {
  const prepared = requests.map(toBytes)
  const durations: number[] = []
  let failures = 0
  let next = 0
  const startedAt = performance.now()
  const endsAt = startedAt + windowMs
  const lane = async () => {
    const connection = new HttpConnection(port)
    while (performance.now() < endsAt) {
      const askedAt = performance.now()
      const { status } = await connection.ask(prepared[next++ % prepared.length]!)
      durations.push(performance.now() - askedAt)
      if (status < 200 || status > 299) failures += 1
    }
    connection.close()
  }
  await Promise.all(Array.from({ length: connections }, lane))
  return { durations, failures, seconds: (performance.now() - startedAt) / 1000 }
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
