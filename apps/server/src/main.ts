import { setTimeout as wait } from 'node:timers/promises'
import { PRODUCT_NAME } from '@pegasus/contracts/client-config'
import { pino } from 'pino'
import { type Config, readConfig } from './config.ts'
import { logOptions } from './platform/log-options.ts'
import { StartupError } from './platform/startup-error.ts'
import { type RunningServer, startServer } from './bootstrap.ts'

/** What is in flight has this long to finish after a stop was asked for. */
const SHUTDOWN_MS = 30_000

/** A wrong setting is a person's to mend: one sentence, no stack. */
function stopBecause(error: unknown): never {
  if (error instanceof StartupError) console.error(error.message)
  else console.error(error)
  process.exit(1)
}

function tellWhereItIs(product: RunningServer, config: Config): void {
  const { owner, publicUrl } = product
  const password = owner.password
    ? `${owner.password}   (shown this once; you choose your own after signing in)`
    : 'the one you have'
  console.log(
    [
      '',
      `${PRODUCT_NAME} is running.`,
      `  Address   ${publicUrl}   (listening on ${product.address})`,
      `  Owner     ${owner.email}, or by username ${owner.username}`,
      `  Password  ${password}`,
      `  Data      ${config.dataDir}`,
      '',
    ].join('\n'),
  )
}

async function shutDown(product: RunningServer): Promise<never> {
  const isClosed = product.close().then(
    () => true,
    (error: unknown) => {
      log.error({ err: error }, 'the stop did not go well')
      return false
    },
  )
  const isLate = wait(SHUTDOWN_MS).then(() => {
    log.error('the stop took too long')
    return false
  })
  process.exit((await Promise.race([isClosed, isLate])) ? 0 : 1)
}

const config = readConfigOrStop()
const log = pino(logOptions(config.logLevel))

// Nobody knows what is half done then; the database ends by itself, and the next start tidies up.
for (const event of ['unhandledRejection', 'uncaughtException'] as const)
  process.on(event, (error: unknown) => {
    log.fatal({ err: error }, 'a failure that nobody handles ends the product')
    process.exit(1)
  })

const product = await startServer(config, log).catch(stopBecause)

let isStopping = false
for (const signal of ['SIGINT', 'SIGTERM'] as const)
  process.on(signal, () => {
    // A terminal's Ctrl-C can arrive twice; the second one must not cut off what the first lets finish.
    if (isStopping) return
    isStopping = true
    console.log('Stopping: what is in flight is being finished.')
    void shutDown(product)
  })

tellWhereItIs(product, config)
if (product.owner.password)
  await product
    .markPasswordShown()
    .catch((error: unknown) =>
      log.error({ err: error }, 'could not note that the password was shown; it is shown again'),
    )

function readConfigOrStop(): Config {
  try {
    return readConfig()
  } catch (error) {
    return stopBecause(error)
  }
}
