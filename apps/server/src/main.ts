import { setTimeout as wait } from 'node:timers/promises'
import { PRODUCT_NAME } from '@pegasus/contracts/config'
import { pino } from 'pino'
import { type Config, readConfig } from './config.ts'
import { logOptions } from './platform/log/log.ts'
import { StartupError } from './platform/startup-error.ts'
import { type RunningProduct, startProduct } from './product.ts'

/** What is in flight has this long to finish after a stop was asked for. */
const SHUTDOWN_MS = 30_000

/** A wrong setting is a person's to mend: one sentence, no stack. */
function stopBecause(error: unknown): never {
  if (error instanceof StartupError) console.error(error.message)
  else console.error(error)
  process.exit(1)
}

function tellWhereItIs(product: RunningProduct, config: Config): void {
  const { owner } = product
  const password = owner.password
    ? `${owner.password}   (shown this once; you choose your own after signing in)`
    : 'the one you have'
  console.log(
    [
      '',
      `${PRODUCT_NAME} is running.`,
      `  Address   ${config.publicUrl}   (listening on ${product.address})`,
      `  Owner     ${owner.username} or ${owner.email}`,
      `  Password  ${password}`,
      `  Data      ${config.dataDir}`,
      '',
    ].join('\n'),
  )
}

async function shutDown(product: RunningProduct): Promise<never> {
  const deadline = new AbortController()
  const isLate = wait(SHUTDOWN_MS, true, { signal: deadline.signal }).catch(() => false)
  const isClosed = product.close().then(() => false)
  const timedOut = await Promise.race([isClosed, isLate])
  deadline.abort()
  process.exit(timedOut ? 1 : 0)
}

const config = readConfigOrStop()
const product = await startProduct(config, pino(logOptions(config.logLevel))).catch(stopBecause)

let isStopping = false
for (const signal of ['SIGINT', 'SIGTERM'] as const)
  process.on(signal, () => {
    // A terminal's Ctrl-C can arrive twice; the second one must not cut off what the first lets finish.
    if (isStopping) return
    isStopping = true
    shutDown(product).catch(stopBecause)
  })

tellWhereItIs(product, config)
if (product.owner.password) await product.markPasswordShown()

function readConfigOrStop(): Config {
  try {
    return readConfig()
  } catch (error) {
    return stopBecause(error)
  }
}
