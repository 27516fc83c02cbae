import { setTimeout as wait } from 'node:timers/promises'
import { PRODUCT_NAME } from '@pegasus/contracts/client-config'
import { type Config, readConfig } from './config.ts'
import { openLog } from './platform/log/log-options.ts'
import { StartupError } from './platform/startup-error.ts'
import { currentTracing } from './platform/tracing/tracing.ts'
import { type RunningServer, startServer } from './bootstrap.ts'

/** How long running requests and tasks may take to finish after SIGINT or SIGTERM. */
const SHUTDOWN_MS = 30_000

/** Ends the process. If a setting is wrong, the operator sees one sentence and no stack trace. */
function exitWith(error: unknown): never {
  if (error instanceof StartupError) console.error(error.message)
  else console.error(error)
  process.exit(1)
}

/** Returns the lines of the start message that say how the owner signs in. */
function signInLines({ owner }: RunningServer, { hostedProject }: Config): string[] {
  if (owner === null) return [`  Sign-in   with an account of the hosted project ${hostedProject?.url}`]
  const password = owner.password
    ? `${owner.password}   (shown this once; you choose your own after signing in)`
    : 'the one you have'
  return [`  Owner     ${owner.email}, or by username ${owner.username}`, `  Password  ${password}`]
}

/** Returns the line that says which part of the work this server does. Returns none if it does all of it. */
function roleLines({ serverRole }: Config): string[] {
  if (serverRole === 'all') return []
  const work =
    serverRole === 'web' ? 'requests, without background work' : 'background work, without requests'
  return [`  Role      ${serverRole} (${work})`]
}

function printStartMessage(product: RunningServer, config: Config): void {
  const { publicUrl } = product
  console.log(
    [
      '',
      `${PRODUCT_NAME} is running.`,
      `  Address   ${publicUrl}   (listening on ${product.address})`,
      ...roleLines(config),
      ...signInLines(product, config),
      `  Data      ${config.dataDir}`,
      '',
    ].join('\n'),
  )
}

/** Ends the process. A start that is still running gives up as soon as it can, and closes what it has started. */
async function shutDown(starting: Promise<RunningServer>): Promise<never> {
  const close = async (): Promise<boolean> => {
    const product = await starting.catch((error: unknown) => {
      log.info({ err: error }, 'the start was given up')
      return null
    })
    await product?.close()
    return true
  }
  const isClosed = close().catch((error: unknown) => {
    log.error({ err: error }, 'shutdown failed')
    return false
  })
  const isLate = wait(SHUTDOWN_MS).then(() => {
    log.error('shutdown took too long')
    return false
  })
  process.exit((await Promise.race([isClosed, isLate])) ? 0 : 1)
}

const config = readConfigOrExit()
const log = openLog(config.logLevel, config.traces && (() => currentTracing()?.logFields() ?? {}))

// After such an error, the state of the process is unknown. The embedded database stops on its own, and the
// next start cleans up.
for (const event of ['unhandledRejection', 'uncaughtException'] as const)
  process.on(event, (error: unknown) => {
    log.fatal({ err: error }, 'unhandled error: the process exits')
    process.exit(1)
  })

// Writing fails if the program that reads the output has ended. The server then continues without a log.
for (const stream of [process.stdout, process.stderr]) stream.on('error', () => undefined)

const stopping = new AbortController()
const starting = startServer(config, log, stopping.signal)
for (const signal of ['SIGINT', 'SIGTERM'] as const)
  process.on(signal, () => {
    // Ctrl-C in a terminal can arrive twice. The second signal must not interrupt the shutdown.
    if (stopping.signal.aborted) return
    stopping.abort()
    console.log('Stopping: running requests are being finished.')
    void shutDown(starting)
  })
// After a signal, the process ends with the shutdown.
const product = await starting.catch((error: unknown) =>
  stopping.signal.aborted ? new Promise<never>(() => undefined) : exitWith(error),
)

printStartMessage(product, config)
if (process.getuid?.() === 0)
  log.warn('the server runs as root: run it under an account of its own, as deploy/ shows')
if (product.owner?.password)
  await product
    .markPasswordShown()
    .catch((error: unknown) =>
      log.error(
        { err: error },
        'could not record that the password was shown; the next start shows it again',
      ),
    )

function readConfigOrExit(): Config {
  try {
    return readConfig(undefined, process.argv.slice(2))
  } catch (error) {
    return exitWith(error)
  }
}
