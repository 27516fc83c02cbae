import { readConfig } from '../../src/config.ts'
import { openLog } from '../../src/platform/log/log-options.ts'
import { startServer } from '../../src/bootstrap.ts'

/**
 * Starts the server for the simulation of the floor. This server visits its printers on request, so that the simulation
 * need not wait between two visits. Everything else is as in `main.ts`.
 */
const config = readConfig()
const product = await startServer(config, openLog(config.logLevel), new AbortController().signal)
process.on('message', (request) => {
  void product.visitPrinters().then(
    () => process.send?.({ request }),
    // The server visits the printers again later, as after every failed visit.
    (error: unknown) => process.send?.({ request, error: String(error) }),
  )
})
console.log(`(listening on ${product.address})`)
